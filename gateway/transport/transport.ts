export type HeaderList = readonly (readonly [name: string, value: string])[]

/** One HTTP request, its body complete, that waits for its one answer. */
export interface HttpCall {
  /** As received: methods are case-sensitive. */
  readonly method: string
  readonly path: string
  /** Without the question mark, still encoded. */
  readonly query: string
  /** `X-Request-Id`, or '' when there is none. */
  readonly requestId: string
  /** Header `Authorization`, or ''. */
  readonly authorization: string
  /** Header `Accept`, all of its headers as one list; '' without any. */
  readonly accept: string
  /** Header `Accept-Encoding`, all of its headers as one list; '' without any. */
  readonly acceptEncoding: string
  /** Header `Host`. */
  readonly host: string
  /** The client's 4 (IPv4) or 16 address bytes; behind a trusted proxy those that it told. */
  readonly address: Uint8Array
  /** Connection that sent it; null where the library does not tell connections apart. */
  readonly connection: object | null
  /** Empty for GET and HEAD; null when it was larger than `bodyBytesMax`. */
  readonly body: Buffer | null
  /** Sends the answer, of a HEAD without its body; does nothing when the client has gone. */
  answer(status: number, body: string | Uint8Array, headers: HeaderList): void
  /** Ends the connection without an answer. */
  cutOff(): void
}

/** Our end of one WebSocket. Every method does nothing once the socket is closed. */
export interface StreamSocket {
  /** The client's 4 (IPv4) or 16 address bytes; behind a trusted proxy those that it told. */
  readonly address: Uint8Array
  /** Bytes of a whole text message, never of shared memory. */
  send(message: Uint8Array): void
  /** Bytes handed over and not yet taken by the kernel. */
  bufferedBytes(): number
  ping(): void
  /**
   * Sends the close frame after all buffered bytes; `onClose` of the peer runs before this returns.
   * @param isFlood The client sends too much: the server reads no more, and the connection may end three seconds later.
   */
  close(code: number, reason: string, isFlood?: boolean): void
  /** Ends the connection without a close frame and frees its memory at once; `onClose` runs before this returns. */
  cutOff(): void
  /** Packs all sends of `run` into few writes. */
  cork(run: () => void): void
  /** Slows the client down while frames of it wait, where the library can: one more frame per turn of the event loop. */
  hold?(isHeld: boolean): void
}

/** What the transport tells about one WebSocket. */
export interface StreamPeer {
  /** Text of a frame; `data` is valid during the call only. */
  onMessage(data: Buffer, isBinary: boolean): void
  onPong(): void
  /** The client has sent a ping, which the library answers. */
  onPing?(): void
  /** The kernel took some of what was buffered. */
  onDrain(): void
  onClose(): void
  /** Whether the client has shown that it is one that the operator has registered. */
  isRegistered?(): boolean
}

/** Why a client address may not have one more stream or request. */
export interface AddressRefusal {
  readonly status: number
  readonly body: string
  readonly headers: HeaderList
}

export interface TransportHandlers {
  onCall(call: HttpCall): void
  /**
   * Whether a new WebSocket of a client address is taken: null, or the answer to its upgrade. What is taken
   * here is given back by `onClose`.
   */
  refuseStream(address: Uint8Array): AddressRefusal | null
  /**
   * Whether a request of a client address is taken, asked when its headers are here: null, or its answer. What
   * is taken here is given back by `onCallEnd`, when it is answered or its connection has gone.
   */
  refuseCall(address: Uint8Array): AddressRefusal | null
  onCallEnd(address: Uint8Array): void
  /**
   * Serves a stream of a client. Without it the server ignores offers to upgrade on that path, as on any other.
   * @param query of the URL, still encoded.
   */
  onStream?(socket: StreamSocket, query: string): StreamPeer
  /** Serves a quote provider's stream. */
  onProvider?(socket: StreamSocket): StreamPeer
}

/**
 * The HTTP and WebSocket server of one thread. Several threads share one port: the kernel spreads new connections over
 * them.
 *
 * Requests of one connection are answered one after the other. The server closes connections without a request, and
 * those whose body stalls: Node's after ten seconds, the native one after about thirty.
 */
export interface Transport {
  /**
   * Listens on a port, which all transports share that name it; of several threads it is `holdPort`'s. On 0 it gets one
   * that nobody else has, and nobody may share.
   * @throws Error when the address cannot be bound.
   */
  listen(host: string, port: number): Promise<number>
  /** Closes every socket at once. Must run before the thread ends, else the process may abort at exit. */
  close(): void
}

/**
 * A port that nobody else gets until it is released, once or more often; its owner's transports may listen on it
 * meanwhile.
 */
export interface HeldPort {
  readonly port: number
  release(): void
}
