import { allocateEventLog, EventLogWriter } from '../../engine/memory/event-log.js'
import {
  allocateExchangeMemory,
  type ExchangeMemory,
  holdingLogReaders,
} from '../../engine/memory/exchange-memory.js'
import { allocateRing } from '../../engine/memory/ring.js'
import { InstrumentState, OrderStatus, Right, Side, TradingMode } from '../../schemas/domain.js'
import * as layout from '../../schemas/events.js'
import { CommandType } from '../../schemas/generated/commands.js'
import { EventType } from '../../schemas/generated/events.js'
import type { Signer } from '../../schemas/record-values.js'
import {
  AccountChange,
  InstrumentChange,
  OutcomeFlag,
  RemarkPhase,
  SurfaceKind,
} from '../../schemas/record-values.js'
import * as settlement from '../../schemas/settlement.js'
import { parseSymbol } from '../../schemas/symbol.js'
import { writeAddress } from '../../schemas/wallet.js'

/** Memory of an exchange for one test: real layouts, small rings. */
export function smallMemory(gateways = 1, eventLogBytes = 1 << 20): ExchangeMemory {
  const times = (bytes: number) => Array.from({ length: gateways }, () => allocateRing(bytes))
  return {
    ...allocateExchangeMemory(0, 0),
    gateways,
    eventLog: allocateEventLog(eventLogBytes),
    readRings: times(1 << 16),
    replyRings: times(1 << 18),
    doorbells: new SharedArrayBuffer(128 * (7 + gateways)),
  }
}

/** A wallet of the tests by its number. */
export function walletOf(number: number): string {
  return `0x${number.toString(16).padStart(40, '0')}`
}

export interface OrderFacts {
  readonly orderId: number
  readonly wallet: string
  readonly account: number
  readonly instrument: number
  readonly side?: number
  readonly tif?: number
  readonly flags?: number
  readonly status?: number
  readonly priceMicros?: number
  readonly sizeLots?: number
  readonly filledLots?: number
  readonly filledMicros?: number
  readonly clientId?: string
  readonly builder?: string
  readonly result?: number
  readonly createdMillis?: number
  /** Makes it the Outcome of a command instead of an OrderUpdate. */
  readonly asker?: { readonly gateway: number; readonly request: number; readonly command: number }
  readonly outcomeFlags?: number
  readonly details?: readonly number[]
}

export interface ActionFacts {
  readonly wallet: string
  readonly account: number
  readonly nonce: bigint
  readonly signer: Signer
  readonly isRepeat?: boolean
}

export interface FillFacts {
  readonly fillId: number
  readonly tradeId: number
  readonly orderId: number
  readonly wallet: string
  readonly account: number
  readonly instrument: number
  readonly side?: number
  readonly priceMicros?: number
  readonly sizeLots?: number
  readonly feeMicros?: number
  readonly realizedMicros?: number
  readonly positionLots?: number
  readonly costMicros?: number
  readonly cashMicros?: number
  readonly cumFilledLots?: number
  readonly isTaker?: boolean
  readonly flags?: number
  readonly builder?: string
  readonly builderFeeMicros?: number
}

export interface PayoutEventFacts {
  readonly id: number
  readonly wallet: string
  readonly account?: number
  readonly instrument: number
  readonly positionLots: number
  readonly payoffMicros: number
  readonly valueMicros: number
  readonly costMicros: number
  readonly cashMicros?: number
  readonly priceMicros: number
}

export interface AccountFacts {
  readonly account: number
  readonly wallet: string
  readonly cashMicros: number
  readonly deltaMicros?: number
  readonly change?: number
  readonly tier?: number
  readonly marginMode?: number
  readonly selfTrade?: number
  readonly depositId?: string
}

/**
 * Writes events as the core would: one sequence each, except between `bootstrapBegin` and
 * `bootstrapEnd`. Nothing is visible before `commit`.
 */
export class EventScript {
  seq = 0
  timeMillis: number
  readonly #log: EventLogWriter
  #isBootstrap = false

  constructor(memory: ExchangeMemory, timeMillis: number) {
    this.#log = new EventLogWriter(memory.eventLog, holdingLogReaders)
    this.timeMillis = timeMillis
  }

  /** Makes everything so far visible and durable. @returns the position behind it. */
  commit(): number {
    const position = this.#log.publish()
    this.#log.storeDurable(position)
    return position
  }

  bootstrapBegin(): void {
    this.#isBootstrap = true
    this.#claim(layout.bootstrapBytes, EventType.BootstrapBegin)
  }

  bootstrapEnd(): void {
    this.#claim(layout.bootstrapBytes, EventType.BootstrapEnd)
    this.#isBootstrap = false
  }

  /** A bootstrap without anything in it. */
  bootstrap(): void {
    this.bootstrapBegin()
    this.bootstrapEnd()
  }

  account(facts: AccountFacts): void {
    const at = this.#claim(layout.accountBytes, EventType.Account)
    const depositId = facts.depositId ?? ''
    this.#f64(at + layout.accountCashMicrosAt, facts.cashMicros)
    this.#f64(at + layout.accountDeltaMicrosAt, facts.deltaMicros ?? 0)
    this.#i32(at + layout.accountChangeAt, facts.change ?? AccountChange.Bootstrap)
    this.#i32(at + layout.accountTierAt, facts.tier ?? 0)
    this.#i32(at + layout.accountMarginModeAt, facts.marginMode ?? 0)
    this.#i32(at + layout.accountSelfTradeAt, facts.selfTrade ?? 0)
    this.#i32(at + layout.accountIndexAt, facts.account)
    this.#i32(at + layout.accountDepositIdBytesAt, depositId.length)
    this.#text(at + layout.accountDepositIdAt, depositId)
    this.#address(at + layout.accountWalletAt, facts.wallet)
  }

  agent(change: number, account: number, wallet: string, agent: string): void {
    const at = this.#claim(layout.agentBytes, EventType.Agent)
    this.#i32(at + layout.agentChangeAt, change)
    this.#i32(at + layout.agentAccountAt, account)
    this.#address(at + layout.agentWalletAt, wallet)
    this.#address(at + layout.agentAgentAt, agent)
  }

  instrument(
    id: number,
    symbol: string,
    underlying: number,
    expiryMillis: number,
    change: number = InstrumentChange.Created,
    state: number = InstrumentState.Active,
  ): void {
    const terms = parseSymbol(symbol)
    if (typeof terms === 'string') throw new Error(`${symbol}: ${terms}`)
    const mode = terms.right === Right.None ? TradingMode.Orderbook : TradingMode.Both
    const at = this.#claim(layout.instrumentBytes, EventType.Instrument)
    this.#i32(at + layout.instrumentIdAt, id)
    this.#i32(at + layout.instrumentUnderlyingAt, underlying)
    this.#i32(at + layout.instrumentChangeAt, change)
    this.#i32(at + layout.instrumentStateAt, state)
    this.#i32(at + layout.instrumentModeAt, mode)
    this.#i32(at + layout.instrumentRightAt, terms.right)
    this.#i32(at + layout.instrumentExpiryDateAt, terms.expiryDate)
    this.#f64(at + layout.instrumentStrikeMicrosAt, terms.strikeMicros)
    this.#f64(at + layout.instrumentExpiryMillisAt, expiryMillis)
    this.#f64(at + layout.instrumentListedMillisAt, this.timeMillis)
    this.#text(at + layout.instrumentNameAt, terms.underlying)
  }

  /** Points of strike (USD) and volatility (fraction). */
  surface(underlying: number, expiryMillis: number, points: readonly number[]): void {
    const bytes = layout.surfaceEventValuesAt + points.length * 8
    const at = this.#claim(bytes, EventType.Surface)
    this.#i32(at + layout.surfaceEventUnderlyingAt, underlying)
    this.#i32(at + layout.surfaceEventKindAt, SurfaceKind.Points)
    this.#f64(at + layout.surfaceEventExpiryMillisAt, expiryMillis)
    this.#i32(at + layout.surfaceEventCountAt, points.length)
    this.#f64(at + layout.surfaceEventTakenMillisAt, this.timeMillis)
    this.#f64(at + layout.surfaceEventIndexMicrosAt, Number.NaN)
    for (const [index, value] of points.entries()) {
      this.#f64(at + layout.surfaceEventValuesAt + index * 8, value)
    }
  }

  indexPrice(underlying: number, priceMicros: number): void {
    const at = this.#claim(layout.indexPriceBytes, EventType.IndexPrice)
    this.#f64(at + layout.indexPriceMicrosAt, priceMicros)
    this.#f64(at + layout.indexObservedMillisAt, this.timeMillis)
    this.#i32(at + layout.indexUnderlyingAt, underlying)
  }

  remarked(underlying: number, phase: RemarkPhase = RemarkPhase.Whole): void {
    const at = this.#claim(layout.remarkedBytes, EventType.Remarked)
    this.#i32(at + layout.remarkedUnderlyingAt, underlying)
    this.#i32(at + layout.remarkedPhaseAt, phase)
  }

  halt(underlying: number, mode: number): void {
    const at = this.#claim(layout.haltEventBytes, EventType.Halt)
    this.#i32(at + layout.haltEventUnderlyingAt, underlying)
    this.#i32(at + layout.haltEventModeAt, mode)
  }

  maxIndex(underlying: number, priceMicros: number): void {
    const at = this.#claim(layout.maxIndexEventBytes, EventType.MaxIndex)
    this.#f64(at + layout.maxIndexEventMicrosAt, priceMicros)
    this.#i32(at + layout.maxIndexEventUnderlyingAt, underlying)
  }

  position(account: number, wallet: string, instrument: number, lots: number, cost: number): void {
    const at = this.#claim(layout.positionBytes, EventType.Position)
    this.#f64(at + layout.positionLotsAt, lots)
    this.#f64(at + layout.positionCostMicrosAt, cost)
    this.#i32(at + layout.positionInstrumentAt, instrument)
    this.#i32(at + layout.positionAccountAt, account)
    this.#address(at + layout.positionWalletAt, wallet)
  }

  order(order: OrderFacts): void {
    const { asker } = order
    const type = asker ? EventType.Outcome : EventType.OrderUpdate
    const at = this.#claim(layout.outcomeBytes, type)
    const facts = at + layout.outcomeFactsAt
    const clientId = order.clientId ?? ''
    this.#i32(at + layout.outcomeGatewayAt, asker?.gateway ?? -1)
    this.#i32(at + layout.outcomeRequestAt, asker?.request ?? 0)
    this.#i32(at + layout.outcomeCommandAt, asker?.command ?? 0)
    this.#i32(at + layout.outcomeFlagsAt, order.outcomeFlags ?? 0)
    for (const [index, value] of (order.details ?? []).entries()) {
      this.#f64(at + layout.outcomeDetailsAt + index * 8, value)
    }
    this.#i32(at + layout.outcomeResultAt, order.result ?? 0)
    this.#i32(at + layout.outcomeAccountAt, order.account)
    this.#f64(facts + layout.factsOrderIdAt, order.orderId)
    this.#f64(facts + layout.factsPriceMicrosAt, order.priceMicros ?? 100_000_000)
    this.#f64(facts + layout.factsSizeLotsAt, order.sizeLots ?? 100_000_000)
    this.#f64(facts + layout.factsFilledLotsAt, order.filledLots ?? 0)
    this.#f64(facts + layout.factsFilledMicrosAt, order.filledMicros ?? 0)
    this.#i32(facts + layout.factsInstrumentAt, order.instrument)
    this.#i32(facts + layout.factsSideAt, order.side ?? Side.Buy)
    this.#i32(facts + layout.factsTifAt, order.tif ?? 0)
    this.#i32(facts + layout.factsFlagsAt, order.flags ?? 0)
    this.#i32(facts + layout.factsStatusAt, order.status ?? OrderStatus.Open)
    this.#i32(facts + layout.factsClientIdBytesAt, clientId.length)
    this.#text(facts + layout.factsClientIdAt, clientId)
    this.#address(facts + layout.factsWalletAt, order.wallet)
    if (order.builder !== undefined) this.#address(facts + layout.factsBuilderAt, order.builder)
    this.#f64(facts + layout.factsCreatedMillisAt, order.createdMillis ?? this.timeMillis)
  }

  /** The outcome of a signed action that was accepted: a change of a wallet's mode. */
  accepted(action: ActionFacts): void {
    const at = this.#claim(layout.outcomeBytes, EventType.Outcome)
    const flags = action.isRepeat === true ? OutcomeFlag.Repeat : 0
    this.#i32(at + layout.outcomeGatewayAt, -1)
    this.#i32(at + layout.outcomeCommandAt, CommandType.SetSelfTrade)
    this.#i32(at + layout.outcomeFlagsAt, flags)
    this.#i32(at + layout.outcomeAccountAt, action.account)
    this.#i32(at + layout.outcomeNonceHighAt, Number(action.nonce >> 32n))
    this.#i32(at + layout.outcomeNonceLowAt, Number(action.nonce & 0xffffffffn))
    this.#i32(at + layout.outcomeSignerAt, action.signer)
    this.#address(at + layout.outcomeFactsAt + layout.factsWalletAt, action.wallet)
  }

  fill(fill: FillFacts): void {
    const at = this.#claim(layout.fillBytes, EventType.Fill)
    this.#f64(at + layout.fillIdAt, fill.fillId)
    this.#f64(at + layout.fillTradeIdAt, fill.tradeId)
    this.#f64(at + layout.fillOrderIdAt, fill.orderId)
    this.#f64(at + layout.fillPriceMicrosAt, fill.priceMicros ?? 100_000_000)
    this.#f64(at + layout.fillSizeLotsAt, fill.sizeLots ?? 100_000_000)
    this.#f64(at + layout.fillFeeMicrosAt, fill.feeMicros ?? 0)
    this.#f64(at + layout.fillRealizedMicrosAt, fill.realizedMicros ?? 0)
    this.#f64(at + layout.fillPositionLotsAt, fill.positionLots ?? 0)
    this.#f64(at + layout.fillCostMicrosAt, fill.costMicros ?? 0)
    this.#f64(at + layout.fillCashMicrosAt, fill.cashMicros ?? 0)
    this.#f64(at + layout.fillCumFilledLotsAt, fill.cumFilledLots ?? 0)
    this.#i32(at + layout.fillInstrumentAt, fill.instrument)
    this.#i32(at + layout.fillSideAt, fill.side ?? Side.Buy)
    this.#i32(at + layout.fillIsTakerAt, fill.isTaker === true ? 1 : 0)
    this.#i32(at + layout.fillFlagsAt, fill.flags ?? 0)
    this.#i32(at + layout.fillAccountAt, fill.account)
    this.#address(at + layout.fillWalletAt, fill.wallet)
    if (fill.builder !== undefined) this.#address(at + layout.fillBuilderAt, fill.builder)
    this.#f64(at + layout.fillBuilderFeeMicrosAt, fill.builderFeeMicros ?? 0)
  }

  trade(
    tradeId: number,
    instrument: number,
    maker: string,
    taker: string,
    priceMicros = 100_000_000,
    sizeLots = 100_000_000,
    takerSide: number = Side.Buy,
  ): void {
    const at = this.#claim(layout.tradeBytes, EventType.Trade)
    this.#f64(at + layout.tradeIdAt, tradeId)
    this.#f64(at + layout.tradePriceMicrosAt, priceMicros)
    this.#f64(at + layout.tradeSizeLotsAt, sizeLots)
    this.#i32(at + layout.tradeInstrumentAt, instrument)
    this.#i32(at + layout.tradeTakerSideAt, takerSide)
    this.#address(at + layout.tradeMakerAt, maker)
    this.#address(at + layout.tradeTakerAt, taker)
  }

  payout(facts: PayoutEventFacts): void {
    const at = this.#claim(settlement.payoutBytes, EventType.Payout)
    this.#f64(at + settlement.payoutIdAt, facts.id)
    this.#f64(at + settlement.payoutPositionLotsAt, facts.positionLots)
    this.#f64(at + settlement.payoutPayoffMicrosAt, facts.payoffMicros)
    this.#f64(at + settlement.payoutValueMicrosAt, facts.valueMicros)
    this.#f64(at + settlement.payoutCostMicrosAt, facts.costMicros)
    this.#f64(at + settlement.payoutCashMicrosAt, facts.cashMicros ?? 0)
    this.#f64(at + settlement.payoutPriceMicrosAt, facts.priceMicros)
    this.#i32(at + settlement.payoutInstrumentAt, facts.instrument)
    this.#i32(at + settlement.payoutAccountAt, facts.account ?? 0)
    this.#address(at + settlement.payoutWalletAt, facts.wallet)
  }

  payoutsSeen(wallet: string, ids: readonly number[], isSeen = true): void {
    const bytes = settlement.seenEventIdsAt + ids.length * 8
    const at = this.#claim(bytes, EventType.PayoutsSeen)
    this.#i32(at + settlement.seenEventValueAt, isSeen ? 1 : 0)
    this.#i32(at + settlement.seenEventCountAt, ids.length)
    this.#address(at + settlement.seenEventWalletAt, wallet)
    for (const [i, id] of ids.entries()) this.#f64(at + settlement.seenEventIdsAt + i * 8, id)
  }

  level(instrument: number, side: number, priceMicros: number, sizeLots: number): void {
    const at = this.#claim(layout.levelBytes, EventType.BookLevel)
    this.#f64(at + layout.levelPriceMicrosAt, priceMicros)
    this.#f64(at + layout.levelSizeLotsAt, sizeLots)
    this.#i32(at + layout.levelInstrumentAt, instrument)
    this.#i32(at + layout.levelSideAt, side)
  }

  cleared(instrument: number): void {
    const at = this.#claim(layout.clearedBytes, EventType.BookCleared)
    this.#i32(at + layout.clearedInstrumentAt, instrument)
  }

  #claim(bytes: number, type: number): number {
    if (!this.#isBootstrap) this.seq++
    const at = this.#log.tryClaim(bytes, type)
    this.#log.u8.fill(0, at + 8, at + bytes)
    this.#f64(at + layout.eventSeqAt, this.seq)
    this.#f64(at + layout.eventMillisAt, this.timeMillis)
    return at
  }

  #f64(at: number, value: number): void {
    this.#log.f64[at >> 3] = value
  }

  #i32(at: number, value: number): void {
    this.#log.i32[at >> 2] = value
  }

  #text(at: number, text: string): void {
    for (let i = 0; i < text.length; i++) this.#log.u8[at + i] = text.charCodeAt(i)
  }

  #address(at: number, text: string): void {
    if (!writeAddress(text, this.#log.u8, at)) throw new Error(`${text} is no address`)
  }
}
