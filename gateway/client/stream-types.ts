import type { ProtocolError } from './client-error.js'
import type { StreamMessages, typesOfChannels } from './generated/interface.js'
import type { ReadSessions } from './read-sessions.js'

/** A message of the stream; `type` names it. */
export interface StreamMessage {
  readonly type: string
  readonly [field: string]: unknown
}

/** Any message that the stream sends; `type` names its kind. */
export type PublishedMessage = StreamMessages[keyof StreamMessages]
/** Channel of the stream. */
export type ChannelName = keyof typeof typesOfChannels
/** Message of a channel. */
export type ChannelMessage<Name extends ChannelName> =
  StreamMessages[(typeof typesOfChannels)[Name][number]]

/** Filters of a subscription. */
export interface StreamFilters {
  readonly symbols?: readonly string[]
  readonly expiry?: string
  readonly option_type?: 'call' | 'put'
}

/** Result of an order, a replacement or a cancel over the stream. */
export type OrderResult = StreamMessages['OrderResult']
export type CancelAllResult = StreamMessages['CancelAllResult']
export type DeadManResult = StreamMessages['DeadManResult']
export type CancelOnDisconnectResult = StreamMessages['CancelOnDisconnectResult']
/** Status of an RFQ. */
export type RfqStatusUpdate = StreamMessages['RfqStatusUpdate']
/** Result of an acceptance. The taker's other connections receive it without a nonce. */
export type RfqAcceptResult = StreamMessages['RfqAcceptResult']

/** Receives the events of a stream. */
export interface StreamListener {
  /** Receives every message, including acknowledgements and errors. */
  readonly onMessage?: (message: PublishedMessage) => void
  /**
   * The stream is up. The exchange has answered the identification and every subscription so far, and no later message
   * is missed. An Error is an answer too, and has reached `onMessage` before this call.
   * @param resumed Channels that missed nothing since their subscription: their messages from the time of the
   * disconnection have reached `onMessage` before this call. Load what the others missed over REST.
   * @param isSetBack True if sequences are lower than those already seen. The exchange was restored from a backup and
   * assigns ids again.
   */
  readonly onConnected?: (count: number, resumed: ReadonlySet<string>, isSetBack: boolean) => void
  /**
   * The received data is not a message of the exchange, or lacks a field. No listener receives it, and the stream drops
   * the connection and opens the next one.
   */
  readonly onError?: (error: ProtocolError) => void
  /** The stream went down; `reason` is the close reason, JSON for a slow consumer. */
  readonly onDisconnected?: (code: number, reason: string) => void
}

export interface StreamOptions extends StreamListener {
  /** `ws://127.0.0.1:8080/ws`, or the public http URL. */
  readonly url: string
  /** Identifies the connection for private channels, after every reconnect too. */
  readonly wallet?: string
  /**
   * Read sessions of that wallet, for an exchange that requires signed private reads: `client.sessions`. The stream
   * presents one on each connection, and the next one before it expires.
   */
  readonly sessions?: ReadSessions
  readonly backoffMillisMin?: number
  readonly backoffMillisMax?: number
  /**
   * Drops the connection after this much silence. Default 90,000. After a third of it the client sends ClockSync,
   * because not every platform reports the server's pings.
   */
  readonly silenceMillisMax?: number
  /** A command or query fails if it has no answer after this time, but may have taken effect. Default 30,000. */
  readonly answerMillisMax?: number
}
