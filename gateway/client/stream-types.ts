import type { ProtocolError } from './client-error.js'
import type { StreamMessages, typesOfChannels } from './generated/interface.js'
import type { ReadSessions } from './read-sessions.js'

/** A message of the stream; `type` names it. */
export interface StreamMessage {
  readonly type: string
  readonly [field: string]: unknown
}

/** Anything that the stream tells: `type` says which of them it is. */
export type ToldMessage = StreamMessages[keyof StreamMessages]
/** A channel of the stream. */
export type ChannelName = keyof typeof typesOfChannels
/** What a channel tells. */
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
/** Status of a request for quote. */
export type RfqStatusUpdate = StreamMessages['RfqStatusUpdate']
/** Result of an acceptance. Other connections of the taker get it without a nonce. */
export type RfqAcceptResult = StreamMessages['RfqAcceptResult']

/** Hears a stream. */
export interface StreamListener {
  /** Every message, acknowledgements and errors included. */
  readonly onMessage?: (message: ToldMessage) => void
  /**
   * The stream is up: identification and every subscription so far have been answered, and from here on nothing
   * of them is missed. A refusal is an answer too; it has come to `onMessage` before.
   * @param resumed channels of which nothing was missed since they were subscribed to: what came while the stream was
   * down has come to `onMessage` before this. Of the others load what was missed over REST.
   * @param isSetBack sequences are below those that were heard: the exchange was set up from a backup, and gives ids again.
   */
  readonly onConnected?: (count: number, resumed: ReadonlySet<string>, isSetBack: boolean) => void
  /**
   * What came is no message of the exchange, or lacks a field: nobody hears it, and the connection is given up for the
   * next one.
   */
  readonly onError?: (error: ProtocolError) => void
  /** The stream went down; `reason` is the close reason, JSON for a slow consumer. */
  readonly onDisconnected?: (code: number, reason: string) => void
}

export interface StreamOptions extends StreamListener {
  /** `ws://127.0.0.1:8080/ws`, or the public http URL. */
  readonly url: string
  /** Identifies the connection for private channels, again after every reconnect. */
  readonly wallet?: string
  /**
   * Sessions of reads of that wallet, where the exchange wants private reads signed: `client.sessions`. One is shown at
   * each connection, and the next one before it is over.
   */
  readonly sessions?: ReadSessions
  readonly backoffMillisMin?: number
  readonly backoffMillisMax?: number
  /**
   * Nothing heard for this long: the connection is given up. Default 90,000; behind a third of it the exchange is asked
   * for its time, since not every platform shows the server's pings.
   */
  readonly silenceMillisMax?: number
  /** A command or question without an answer for this long has failed, and may have been done; default 30,000. */
  readonly answerMillisMax?: number
}
