import { type EngineConfig, engineConfigDefault } from '../../engine/state/market/engine-config.js'
import { RfqKind, rfqStatusNames, Side, sideNames } from '../../schemas/domain.js'
import {
  AcceptRfqQuoteCommand,
  CommandType,
  DeclineRfqCommand,
  QuoteRfqCommand,
  SubmitRfqCommand,
} from '../../schemas/generated/commands.js'
import {
  type AnyEvent,
  ComboFillEvent,
  EventType,
  OutcomeEvent,
  RfqEvent,
  RfqQuoteEvent,
} from '../../schemas/generated/events.js'
import { OutcomeFlag, RfqChange, RfqQuoteChange } from '../../schemas/record-values.js'
import { Result } from '../../schemas/results.js'
import { CoreRig } from './core-rig.js'
import {
  type RigCommands,
  type RigInstrument,
  type RigOrder,
  walletOf,
  writeKey,
} from './rig-commands.js'

const submit = new SubmitRfqCommand()
const accept = new AcceptRfqQuoteCommand()
const quoted = new QuoteRfqCommand()
const declined = new DeclineRfqCommand()

/** Leg in contracts, above 0 where the taker buys. */
export type RigLeg = readonly [instrument: RigInstrument, contracts: number]

export interface RigRfq {
  /** Number that becomes its id, or the id of a request without a number. */
  readonly id: number | Uint8Array
  readonly wallet?: number
  readonly legs: readonly RigLeg[]
  /** Limit for auto-execute, in USD; omitted, it does not auto-execute. */
  readonly limit?: number
  /** Kind that the request states; by default the one that follows from the limit. */
  readonly kind?: RfqKind
}

export interface RigQuote {
  /** Number of the request, or the id of one without a number. */
  readonly id: number | Uint8Array
  readonly provider: number
  readonly legs: readonly RigLeg[]
  readonly prices: readonly number[]
  /** Net premium in USD; by default the premium of legs and prices. */
  readonly net?: number
  readonly validMillis?: number
}

/** Quote as published. */
export interface PublishedQuote {
  readonly id: Uint8Array
  /** Number of its request. */
  readonly rfq?: number
  readonly net: number
}

export const call100k: RigInstrument = { strike: 100_000 }
export const call110k: RigInstrument = { strike: 110_000 }
export const call120k: RigInstrument = { strike: 120_000 }
export const spread: readonly RigLeg[] = [
  [call100k, 1],
  [call110k, -1],
]

/** Taker wallet, and provider wallets. */
export const taker = 1
export const providers = [2, 3] as const

const rfq = new RfqEvent()
const rfqQuote = new RfqQuoteEvent()
const outcome = new OutcomeEvent()
const fill = new ComboFillEvent()
const changeNames = Object.fromEntries(Object.entries(RfqQuoteChange).map(([name, n]) => [n, name]))
/** Names of results by number. */
export const resultNames = Object.fromEntries(Object.entries(Result).map(([name, n]) => [n, name]))

export function rfqIdOf(number: number): Uint8Array {
  const bytes = new Uint8Array(16)
  new DataView(bytes.buffer).setUint32(12, number)
  return bytes
}

/** Core that shows the events of requests as short lines. */
export class RfqRig extends CoreRig {
  /** Quotes that were made, the latest last. */
  readonly quotes: PublishedQuote[] = []
  protected lines: string[] = []

  constructor(config: Partial<EngineConfig> = {}) {
    super({ ...engineConfigDefault, ...config })
  }

  /**
   * Opens a market for calls of three strikes at an index of 100,000, with a taker and two connected providers, each
   * with `usd` of cash.
   */
  openCombos(usd = 1_000_000): this {
    for (const option of [call100k, call110k, call120k]) this.list(option)
    this.index(100_000)
    this.surface(0.6)
    for (const wallet of [taker, ...providers, 4]) this.deposit(wallet, usd)
    for (const [index, wallet] of providers.entries()) {
      this.provider(wallet)
      this.connectProvider(wallet, index)
    }
    this.story()
    return this
  }

  submit(terms: RigRfq, signed: Partial<RigOrder> = {}): number {
    return submitRfq(this, terms, signed)
  }

  quote(terms: RigQuote, signed: Partial<RigOrder> = {}): number {
    return quoteRfq(this, terms, signed)
  }

  /** Accepts a published quote, by default the latest one. */
  accept(
    id: number | Uint8Array,
    quote: PublishedQuote = this.quotes.at(-1)!,
    signed: Partial<RigOrder> = {},
  ): number {
    return acceptQuote(this, id, quote, signed)
  }

  decline(id: number | Uint8Array, provider: number): number {
    return declineRfq(this, id, provider)
  }

  /** Reads pending events, and passes them to another reader too. */
  follow(take: (event: AnyEvent) => void): void {
    this.lines = []
    this.eventsFor((event) => {
      this.tell(event)
      take(event)
    })
  }

  /** Runs, and returns lines for the requests, quotes, fills and answers since the last call. */
  story(): string[] {
    this.run()
    this.lines = []
    this.eventsFor((event) => this.tell(event))
    return this.lines
  }

  /** Lets time pass, and returns the lines of its effects. */
  after(millis: number): string[] {
    this.nowMillis += millis
    return this.story()
  }

  /** Adds the lines of an event to the story. */
  protected tell(event: AnyEvent): void {
    if (event.recordType === EventType.Rfq) this.#emitRfq(event)
    else if (event.recordType === EventType.RfqQuote) this.#emitQuote(event)
    else if (event.recordType === EventType.Fill) this.#emitFill(event)
    else if (event.recordType === EventType.Outcome) this.#emitOutcome(event)
  }

  #emitRfq(event: AnyEvent): void {
    const { change, fallbackOrderId, fillId, reason, rfqIdAt, status, u8 } = rfq.of(event)
    const parts = [`rfq ${u8[rfqIdAt + 15]} ${rfqStatusNames[status]}`]
    if (change === RfqChange.Bootstrap) parts.push('(again)')
    if (reason !== Result.Accepted) parts.push(resultNames[reason]!)
    if (fillId !== 0) parts.push(`fill ${fillId}`)
    if (fallbackOrderId !== 0) parts.push(`order ${Math.floor(fallbackOrderId / 1024)}`)
    this.lines.push(parts.join(' '))
  }

  #emitQuote(event: AnyEvent): void {
    const { account, change, netPremiumMicros, quoteIdAt, reason, rfqIdAt, u8 } = rfqQuote.of(event)
    const net = netPremiumMicros / 1e6
    const isMade = change === RfqQuoteChange.Made
    const id = u8.slice(quoteIdAt, quoteIdAt + 16)
    if (isMade) this.quotes.push({ id, net, rfq: u8[rfqIdAt + 15]! })
    const parts = [`${changeNames[change]} ${account + 1}`]
    if (netPremiumMicros !== 0) parts.push(`at ${net}`)
    if (reason !== Result.Accepted) parts.push(resultNames[reason]!)
    this.lines.push(parts.join(' '))
  }

  #emitFill(event: AnyEvent): void {
    if (event.recordBytes !== ComboFillEvent.bytes) {
      this.lines.push('fill on the book')
      return
    }
    const { account, isTaker, priceMicros, side, sizeLots } = fill.of(event)
    const what = `${sideNames[side]} ${sizeLots / 1e8} at ${priceMicros / 1e6}`
    this.lines.push(`fill of ${account + 1}: ${what}${isTaker === 1 ? ', taker' : ''}`)
  }

  #emitOutcome(event: AnyEvent): void {
    const { command, facts, flags, request, result } = outcome.of(event)
    const types: readonly number[] = [
      CommandType.SubmitRfq,
      CommandType.AcceptRfqQuote,
      CommandType.QuoteRfq,
      CommandType.DeclineRfq,
    ]
    if (!types.includes(command)) return
    const parts = [`${request}: ${resultNames[result]}`]
    if ((flags & OutcomeFlag.Repeat) !== 0) parts.push('again')
    if (result === Result.Accepted && command === CommandType.SubmitRfq) {
      parts.push(rfqStatusNames[facts.rfqStatus]!)
    }
    if (command === CommandType.AcceptRfqQuote && facts.fillId !== 0) {
      parts.push(`fill ${facts.fillId}`)
    }
    this.lines.push(parts.join(' '))
  }
}

/** Writes a SubmitRfq. */
export function submitRfq(
  rig: RigCommands,
  { id, wallet = taker, legs, limit, kind }: RigRfq,
  signed: Partial<RigOrder> = {},
): number {
  submit.claim(rig, SubmitRfqCommand.bytesWith(legs.length))
  rig.sign(submit, wallet, signed)
  submit.u8.set(bytesOf(id), submit.rfqIdAt)
  submit.limitMicros = Math.round((limit ?? 0) * 1e6)
  submit.kind = kind ?? (limit === undefined ? RfqKind.Plain : RfqKind.Auto)
  submit.count = legs.length
  for (const [index, [instrument, contracts]] of legs.entries()) {
    const leg = submit.legs(index)
    writeKey(leg.key, instrument)
    leg.sizeLots = Math.round(Math.abs(contracts) * 1e8)
    leg.side = contracts > 0 ? Side.Buy : Side.Sell
  }
  return rig.requests
}

/** Writes a QuoteRfq. */
export function quoteRfq(
  rig: RigCommands,
  terms: RigQuote,
  signed: Partial<RigOrder> = {},
): number {
  const { id, provider, legs, prices, validMillis = 30_000 } = terms
  quoted.claim(rig, QuoteRfqCommand.bytesWith(legs.length))
  rig.sign(quoted, provider, signed)
  quoted.u8.set(bytesOf(id), quoted.rfqIdAt)
  const sum = legs.reduce((net, [, contracts], index) => net - contracts * prices[index]!, 0)
  quoted.netPremiumMicros = Math.round((terms.net ?? sum) * 1e6)
  quoted.validForMillis = validMillis
  quoted.count = legs.length
  for (const [index, [instrument, contracts]] of legs.entries()) {
    const leg = quoted.legs(index)
    writeKey(leg.key, instrument)
    leg.sizeLots = Math.round(Math.abs(contracts) * 1e8)
    leg.priceMicros = Math.round(prices[index]! * 1e6)
    leg.side = contracts > 0 ? Side.Buy : Side.Sell
  }
  return rig.requests
}

/** Writes an AcceptRfqQuote. */
export function acceptQuote(
  rig: RigCommands,
  id: number | Uint8Array,
  quote: PublishedQuote,
  { wallet = taker, ...signed }: Partial<RigOrder> = {},
): number {
  accept.claim(rig)
  rig.sign(accept, wallet, signed)
  accept.u8.set(bytesOf(id), accept.rfqIdAt)
  accept.u8.set(quote.id, accept.quoteIdAt)
  accept.netPremiumMicros = Math.round(quote.net * 1e6)
  return rig.requests
}

/** Writes a DeclineRfq. */
export function declineRfq(rig: RigCommands, id: number | Uint8Array, provider: number): number {
  declined.claim(rig)
  declined.u8.set(walletOf(provider), declined.walletAt)
  declined.u8.set(bytesOf(id), declined.rfqIdAt)
  return rig.requests
}

function bytesOf(id: number | Uint8Array): Uint8Array {
  return typeof id === 'number' ? rfqIdOf(id) : id
}

/** Returns the position of a wallet in contracts. */
export function positionOf(rig: CoreRig, wallet: number, instrument: RigInstrument): number {
  const { instruments, risk } = rig.state
  const strike = (instrument.strike ?? 0) * 1e6
  const id = instruments.find('BTC', 20260131, strike, instrument.right === 1 ? 1 : 0)
  const row = risk.findExposure(wallet - 1, id)
  return row < 0 ? 0 : risk.exposures.positionLots[row]! / 1e8
}

export function cashOf(rig: CoreRig, wallet: number): number {
  return rig.state.risk.cashMicros[wallet - 1]! / 1e6
}
