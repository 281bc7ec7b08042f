import { CounterName, type Counters } from '../../engine/memory/counters.js'
import { ProviderStatus } from '../../schemas/domain.js'
import { LeaveProviderCommand } from '../../schemas/generated/commands.js'
import {
  type AnyEvent,
  EventType,
  InstrumentEvent,
  ProviderEvent,
  RfqEvent,
  RfqQuoteEvent,
} from '../../schemas/generated/events.js'
import type { RefusedRow } from '../../schemas/interface/streams.js'
import { ProviderChange } from '../../schemas/record-values.js'
import { Result } from '../../schemas/results.js'
import { formatAddress, writeAddress } from '../../schemas/wallet.js'
import { earlyBytesMax, earlyFramesMax } from '../limits/waiting-limits.js'
import type { GatewayContext } from '../link/gateway-context.js'
import type { StreamPeer, StreamSocket } from '../transport/transport.js'
import { Fault } from '../wire/fault.js'
import { printable } from '../wire/shown-text.js'
import type { GatewayQuotes } from './gateway-quotes.js'
import { askHandshake } from './handshake.js'
import { authenticatedMessage, authReasons, providerErrorMessage } from './provider-messages.js'
import { type ProviderLimits, ProviderSession } from './provider-session.js'
import { QuoteFrame } from './quote-frame.js'
import { QuoteWork } from './quote-work.js'
import { rfqResponse } from './rfq-response.js'
import { RfqService } from './rfq-service.js'
import { SilentSessions } from './silent-sessions.js'

/** Totals over all sessions of a thread, for the counters. */
export interface ProviderTotals {
  opened: number
  rowsTaken: number
  rowsRefused: number
}

/** Closed session, not yet reported to the engine. */
interface EndedSession {
  readonly wallet: string
  readonly session: number
}

const instrument = new InstrumentEvent()
const provider = new ProviderEvent()
const rfq = new RfqEvent()
const rfqQuote = new RfqQuoteEvent()
const leave = new LeaveProviderCommand()
const sessionMask = 0x7fffffff

/**
 * All quote provider sessions of one gateway thread: handshakes, which the engine decides, and later frames. The
 * engine's events state who is a provider, and how many sessions it has on all gateways.
 */
export class ProviderHub {
  readonly totals: ProviderTotals = { opened: 0, rowsTaken: 0, rowsRefused: 0 }
  readonly #context: GatewayContext
  readonly #gateway: number
  readonly #quotes: GatewayQuotes
  readonly #work: QuoteWork<ProviderSession>
  readonly #rfqs: RfqService
  readonly #limits: ProviderLimits
  readonly #sessions = new Map<number, ProviderSession>()
  readonly #silent = new SilentSessions()
  #ended: EndedSession[] = []
  #number = 0

  /**
   * @param gateway Index of the gateway.
   * @param onProgress Called after quotes changed, whose messages may now leave the thread.
   */
  constructor(
    context: GatewayContext,
    gateway: number,
    quotes: GatewayQuotes,
    onProgress: () => void,
  ) {
    this.#context = context
    this.#gateway = gateway
    this.#quotes = quotes
    const { service, instruments } = quotes
    const [onMessage, onPublished] = [this.#onMessage, this.#onPublished]
    this.#work = new QuoteWork({ service, instruments, onMessage, onPublished, onProgress })
    this.#rfqs = new RfqService(context, (wallet) => this.#sessionsOf(wallet))
    this.#limits = { ...context.config.stream, ...context.config.quotes }
  }

  open(socket: StreamSocket): StreamPeer {
    const { floods, nowMillis } = this.#context
    this.#number = (this.#number + 1) & sessionMask
    const session = new ProviderSession(socket, this.#number, this.#limits, nowMillis(), floods)
    this.#sessions.set(session.number, session)
    this.#silent.add(session)
    return {
      onMessage: (data, isBinary) => this.#onFrame(session, data, isBinary),
      onPong: () => session.onPong(),
      onDrain: () => session.flush(),
      onClose: () => this.#forget(session),
      isRegistered: () => session.phase === 'open',
    }
  }

  onEvent(event: AnyEvent): void {
    if (event.recordType === EventType.Provider) this.#onProvider(provider.of(event))
    else if (event.recordType === EventType.Instrument) {
      this.#quotes.onInstrument(instrument.of(event))
    } else if (event.recordType === EventType.Rfq) this.#rfqs.onRfq(rfq.of(event))
    else if (event.recordType === EventType.RfqQuote) this.#rfqs.onQuote(rfqQuote.of(event))
  }

  /** Sends the messages of a run of events that is known to be intact. */
  onRunEnd(): void {
    this.#rfqs.flush()
  }

  /** Runs the timers of every session, and reports closed sessions that found no room before. */
  tick(): void {
    const now = this.#context.nowMillis()
    this.#quotes.tick(now)
    for (const session of this.#sessions.values()) session.tick(now)
    const ended = this.#ended
    this.#ended = []
    for (const { wallet, session } of ended) this.#leave(wallet, session)
  }

  /** Publishes the counters of this thread. */
  showCounts(counters: Counters): void {
    const { opened, rowsTaken, rowsRefused } = this.totals
    counters.set(CounterName.ProviderSessions, this.#sessions.size)
    counters.set(CounterName.ProviderSessionsOpened, opened)
    counters.set(CounterName.QuoteRows, this.#quotes.service.rowCount)
    counters.set(CounterName.QuoteRowsTaken, rowsTaken)
    counters.set(CounterName.QuoteRowsRefused, rowsRefused)
    counters.set(CounterName.QuotesLapped, this.#quotes.lapped)
  }

  /** Closes every connection. */
  close(code: number, reason: string): void {
    this.#rfqs.drop()
    for (const session of [...this.#sessions.values()]) session.close(code, reason)
  }

  #onFrame(session: ProviderSession, data: Buffer, isBinary: boolean): void {
    if (session.phase === 'silent') this.#handshake(session, isBinary ? noFrame : data)
    else if (session.phase === 'asked') this.#keepEarly(session, data, isBinary)
    else if (session.phase === 'open') this.#take(session, data, isBinary)
  }

  #handshake(session: ProviderSession, data: Buffer): void {
    session.phase = 'asked'
    this.#silent.delete(session)
    const refused = askHandshake(this.#context, session, data, {
      onAccepted: (wallet) => this.#admit(session, wallet),
      onRefused: (reason) => session.refuse(reason),
    })
    if (refused !== null) session.refuse(refused)
  }

  #admit(session: ProviderSession, wallet: string): void {
    if (session.isClosed) {
      this.#leave(wallet, session.number)
      return
    }
    const now = this.#context.nowMillis()
    this.totals.opened++
    session.open(wallet, now)
    session.send(authenticatedMessage(wallet), now)
    const { early } = session
    session.early = []
    for (const data of early) if (!session.isClosed) this.#take(session, data, data === noFrame)
  }

  #keepEarly(session: ProviderSession, data: Buffer, isBinary: boolean): void {
    session.earlyBytes += data.length
    if (session.earlyBytes > earlyBytesMax) session.onFlood('byte_limit')
    else if (session.early.length >= earlyFramesMax) session.onFlood('frame_limit')
    else session.early.push(isBinary ? noFrame : Buffer.from(data))
  }

  #take(session: ProviderSession, data: Buffer, isBinary: boolean): void {
    if (isBinary) this.#failUnparsed(session, new Fault(Result.InvalidRequest))
    else this.#work.take(session, new QuoteFrame(data, Math.floor(this.#context.nowMillis())))
  }

  readonly #onPublished = (session: ProviderSession, frame: QuoteFrame): void => {
    const { rowCount, readCount, refused, refusedCount } = frame
    this.totals.rowsTaken += rowCount
    this.totals.rowsRefused += refusedCount
    if (refusedCount === 0) return
    const text = `${refusedCount} of ${readCount} rows are left out`
    this.#fail(session, new Fault(Result.InvalidField, {}, text), refused)
  }

  /** Handles a frame that is not a snapshot. */
  readonly #onMessage = (session: ProviderSession, { fault, type, bytes }: QuoteFrame): void => {
    const result = fault?.result
    const isParsed = result !== Result.InvalidJson && result !== Result.InvalidRequest
    if (fault !== null && !isParsed) this.#failUnparsed(session, fault)
    else if (fault === null && type === rfqResponse) this.#rfqs.take(session, bytes)
    else this.#fail(session, fault ?? faultOf(type))
  }

  /** Answers a frame that is not a JSON object, up to a limit. */
  #failUnparsed(session: ProviderSession, fault: Fault): void {
    if (session.unparsed.isTooMany(this.#context.nowMillis())) session.onFlood('unparsed_frames')
    else this.#fail(session, fault)
  }

  #fail(session: ProviderSession, fault: Fault, rows?: readonly RefusedRow[]): void {
    const named = rows === undefined ? {} : { rows }
    session.send(providerErrorMessage(fault, named), this.#context.nowMillis())
  }

  #sessionsOf(wallet: string): readonly ProviderSession[] {
    return [...this.#sessions.values()].filter(
      (session) => session.wallet === wallet && session.phase === 'open',
    )
  }

  /** Closes sessions that the engine has ended, and updates the provider's rows. */
  #onProvider(event: ProviderEvent): void {
    const { account, change, status, gateway, session: number, sessions } = event
    const wallet = formatAddress(event.u8, event.walletAt)
    if (change === ProviderChange.Left && gateway === this.#gateway) {
      const isSuspended = status === ProviderStatus.Suspended
      // Otherwise its signing agent was revoked.
      const reason = isSuspended ? authReasons.suspended : authReasons.signature
      const session = this.#sessions.get(number)
      this.#sessions.delete(number)
      session?.refuse(reason)
    }
    this.#quotes.onProvider(wallet, account, sessions)
  }

  #forget(session: ProviderSession): void {
    const { wallet, number } = session
    session.onClosed()
    this.#silent.delete(session)
    // A session that the engine has ended is already unknown.
    if (this.#sessions.delete(number) && wallet !== '') this.#leave(wallet, number)
  }

  /** Reports a closed session to the engine, now or when there is room. */
  #leave(wallet: string, session: number): void {
    const busy = this.#context.port.send(noListener, (sink) => {
      if (!leave.claim(sink)) return false
      writeAddress(wallet, leave.u8, leave.walletAt)
      leave.session = session
      return true
    })
    if (busy !== null) this.#ended.push({ wallet, session })
  }
}

const noFrame = Buffer.alloc(0)
const noListener = { onOutcome() {} }

function faultOf(type: string): Fault {
  if (type === '') return new Fault(Result.MissingField, { name: 'type' })
  if (type === 'connect_quote_provider') {
    return new Fault(Result.Conflict, {}, 'The session is already authenticated')
  }
  return new Fault(Result.InvalidRequest, {}, `Unknown message type: ${printable(type)}`)
}
