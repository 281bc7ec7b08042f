export type HeaderList = readonly (readonly [name: string, value: string])[]

/** Complete HTTP request that waits for its answer. */
export interface HttpCall {
  /** Method as received; methods are case-sensitive. */
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
  /** Client's 4 (IPv4) or 16 address bytes; behind a trusted proxy those that it forwarded. */
  readonly address: Uint8Array
  /** Connection of the request; null if the library does not distinguish connections. */
  readonly connection: object | null
  /** Empty for GET and HEAD; null if it was larger than `bodyBytesMax`. */
  readonly body: Buffer | null
  /** Sends the answer, without its body for HEAD. Does nothing if the client has gone. */
  answer(status: number, body: string | Uint8Array, headers: HeaderList): void
  /** Ends the connection without an answer. */
  cutOff(): void
}

/** Server side of one WebSocket. Its methods do nothing after the socket has closed. */
export interface StreamSocket {
  /** Client's 4 (IPv4) or 16 address bytes; behind a trusted proxy those that it forwarded. */
  readonly address: Uint8Array
  /** Sends the bytes of a whole text message, never of shared memory. */
  send(message: Uint8Array): void
  /** Returns the bytes sent that the kernel has not yet taken. */
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
  /** Throttles the client while frames of it wait, if the library can: one more frame per turn of the event loop. */
  hold?(isHeld: boolean): void
}

/** Receives the events of one WebSocket. */
export interface StreamPeer {
  /** Receives a frame. `data` is valid during the call only. */
  onMessage(data: Buffer, isBinary: boolean): void
  onPong(): void
  /** The client sent a ping, which the library answers. */
  onPing?(): void
  /** The kernel took some of the buffered bytes. */
  onDrain(): void
  onClose(): void
  /** True if the client has authenticated as a registered quote provider. */
  isRegistered?(): boolean
}

/** Answer to a client address that may not open one more stream or request. */
export interface AddressRefusal {
  readonly status: number
  readonly body: string
  readonly headers: HeaderList
}

export interface TransportHandlers {
  onCall(call: HttpCall): void
  /**
   * Admits a new WebSocket of a client address: null, or the answer to its upgrade. `onClose` releases the admission.
   */
  refuseStream(address: Uint8Array): AddressRefusal | null
  /**
   * Admits a request of a client address, once its headers are received: null, or its answer. `onCallEnd` releases the
   * admission, when the request is answered or its connection has closed.
   */
  refuseCall(address: Uint8Array): AddressRefusal | null
  onCallEnd(address: Uint8Array): void
  /**
   * Serves a stream of a client. Without it the server ignores upgrade offers on that path, as on any other.
   * @param query From the URL, still encoded.
   */
  onStream?(socket: StreamSocket, query: string): StreamPeer
  /** Serves a quote provider's stream. */
  onProvider?(socket: StreamSocket): StreamPeer
}

/**
 * HTTP and WebSocket server of one thread. Several threads share one port: the kernel distributes new connections.
 *
 * Answers requests of one connection one after another. Closes connections without a request, and those whose body
 * stalls: Node's after ten seconds, the native one after about thirty.
 */
export interface Transport {
  /**
   * Listens on a port, which other transports may share. Several threads use the port of `holdPort`. Port 0 selects a
   * free port that is not shared.
   * @throws Error if the address cannot be bound.
   */
  listen(host: string, port: number): Promise<number>
  /** Closes every socket immediately. Must run before the thread ends, otherwise the process may abort at exit. */
  close(): void
}

/** Port for all gateways. A port that the system chose stays reserved until its first release. */
export interface HeldPort {
  readonly port: number
  release(): void
}
