import { CommandType } from '../../schemas/generated/commands.js'
import {
  type AnyEvent,
  EventType,
  FillEvent,
  InstrumentEvent,
  LiquidationEvent,
  OutcomeEvent,
  RfqEvent,
  RfqQuoteEvent,
} from '../../schemas/generated/events.js'
import type { Channel, resumableChannels } from '../../schemas/interface/channels.js'
import { InstrumentChange, LiquidationChange } from '../../schemas/record-values.js'
import { isRejection, Result } from '../../schemas/results.js'
import { formatAddress } from '../../schemas/wallet.js'
import { engineConfigOf } from '../config/engine-config.js'
import type { GatewayContext } from '../link/gateway-context.js'
import { readRejection } from '../link/outcome.js'
import type { RfqBook } from '../link/rfq-book.js'
import { tradeOf } from '../wire/market-data.js'
import type { Audiences } from './audience-table.js'
import { liquidationMessage } from './liquidation-message.js'
import { fillMessage, marketUpdateMessage, orderUpdateMessage, tradeMessage } from './messages.js'
import { RfqChannel } from './rfq-channel.js'
import type { Session } from './session.js'

export interface EventChannelsParts {
  readonly context: Pick<GatewayContext, 'config' | 'names'>
  /** State at the event that is sent. */
  readonly rfqs: RfqBook
  readonly audiences: Audiences
  readonly deliver: (session: Session, channel: Channel, bytes: Uint8Array) => void
}

// One cursor per kind of event, moved by the next event of its kind.
const update = new OutcomeEvent()
const outcome = new OutcomeEvent()
const fill = new FillEvent()
const liquidation = new LiquidationEvent()
const instrument = new InstrumentEvent()
const rfq = new RfqEvent()
const rfqQuote = new RfqQuoteEvent()

/** Source events of each channel. */
export const eventsOfChannels = {
  trades: [EventType.Trade],
  market_updates: [EventType.Instrument],
  order_updates: [EventType.OrderUpdate],
  fills: [EventType.Fill],
  liquidation: [EventType.Liquidation],
  rfq: [EventType.Rfq, EventType.RfqQuote, EventType.Outcome],
} as const satisfies Record<(typeof resumableChannels)[number], readonly EventType[]>
export type EventChannel = keyof typeof eventsOfChannels

/**
 * Channels whose messages derive from one event each (for an RFQ, from one step). They are sent once live, and repeated
 * word for word to clients that resume from a sequence.
 */
export class EventChannels {
  readonly rfqs: RfqChannel
  readonly #parts: EventChannelsParts

  constructor(parts: EventChannelsParts) {
    const { audiences, rfqs: book, context, deliver } = parts
    this.#parts = parts
    this.rfqs = new RfqChannel({
      ...{ audiences, book, names: context.names },
      deliver: (session, bytes) => deliver(session, 'rfq', bytes),
    })
  }

  static has(channel: Channel): channel is EventChannel {
    return Object.hasOwn(eventsOfChannels, channel)
  }

  /** Handles any event except an acknowledgement. Ignores events of other channels. */
  onEvent(event: AnyEvent): void {
    const { recordType: type } = event
    if (type === EventType.OrderUpdate) this.#orderUpdate(update.of(event))
    else if (type === EventType.Fill) this.#fill(fill.of(event))
    else if (type === EventType.Trade) this.#trade(event)
    else if (type === EventType.Liquidation) this.#liquidation(liquidation.of(event))
    else if (type === EventType.Instrument) this.#instrument(instrument.of(event))
    else if (type === EventType.Rfq) this.rfqs.onRfq(rfq.of(event))
    else if (type === EventType.RfqQuote) this.rfqs.onQuote(rfqQuote.of(event))
  }

  /** Handles the acknowledgement of a command of any gateway, after its requester was answered. */
  onOutcome(event: AnyEvent): void {
    this.rfqs.release(null)
    if (outcome.of(event).command !== CommandType.SubmitRfq) return
    const { result } = outcome
    if (isRejection(result) && result !== Result.NonceUsed) this.rfqs.onRefused(outcome)
  }

  #orderUpdate(event: OutcomeEvent): void {
    const { audiences, context } = this.#parts
    if (!audiences.hasSubscribers('order_updates')) return
    const { u8, walletAt, instrument } = event.facts
    const symbol =
      instrument < 0 ? (readRejection(event)?.symbol ?? '') : this.#symbolOf(instrument)
    this.#tell('order_updates', formatAddress(u8, walletAt), symbol, event.seq, () =>
      orderUpdateMessage(event, context.names),
    )
  }

  #fill(event: FillEvent): void {
    if (!this.#parts.audiences.hasSubscribers('fills')) return
    const wallet = formatAddress(event.u8, event.walletAt)
    const symbol = this.#symbolOf(event.instrument)
    this.#tell('fills', wallet, symbol, event.seq, () => fillMessage(event, wallet, symbol))
  }

  #liquidation(event: LiquidationEvent): void {
    const { audiences, context } = this.#parts
    const isTransition = event.change === LiquidationChange.State
    if (!isTransition || !audiences.hasSubscribers('liquidation')) return
    const { liquidation: parameters } = engineConfigOf(context.config)
    const wallet = formatAddress(event.u8, event.walletAt)
    this.#tell('liquidation', wallet, '', event.seq, () =>
      liquidationMessage(event, wallet, parameters, context.names.instruments),
    )
  }

  #trade(event: AnyEvent): void {
    const symbol = this.#symbolOf(tradeOf(event).instrument())
    this.#tell('trades', '', symbol, event.seq, () => tradeMessage(event, symbol))
  }

  #instrument(event: InstrumentEvent): void {
    const { change } = event
    // The market has no message for a settled listing: it left the lists when it expired.
    if (change === InstrumentChange.Bootstrap || change === InstrumentChange.Settled) return
    const name = this.#parts.context.names.instruments.instrument(event.instrument)!
    this.#tell('market_updates', '', name.symbol, event.seq, () => marketUpdateMessage(event, name))
  }

  #tell(
    channel: Channel,
    wallet: string,
    symbol: string,
    seq: number,
    encodeOnce: () => Uint8Array,
  ): void {
    const { audiences, deliver } = this.#parts
    audiences.tell(channel, wallet, symbol, seq, encodeOnce, (session, bytes) =>
      deliver(session, channel, bytes),
    )
  }

  #symbolOf(instrument: number): string {
    return this.#parts.context.names.instruments.instrument(instrument)?.symbol ?? ''
  }
}
