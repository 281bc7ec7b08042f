import type { EventLogReader } from '../../../engine/memory/event-log.js'
import { StateHash } from '../../../engine/memory/state-hash.js'
import { premiumMicros } from '../../../engine/risk/money.js'
import { FillEffect } from '../../../engine/risk/order-check.js'
import { RiskEngine } from '../../../engine/risk/risk-engine.js'
import { FeeSchedule } from '../../../engine/risk/trading-fees.js'
import type { EngineConfig } from '../../../engine/state/engine-config.js'
import { assert, verify } from '../../../schemas/assert.js'
import {
  type MarginMode,
  OrderStatus,
  SelfTradeMode,
  Side,
  type Tier,
} from '../../../schemas/domain.js'
import {
  accountCashMicrosAt,
  accountIndexAt,
  accountMarginModeAt,
  accountSelfTradeAt,
  accountTierAt,
  accountWalletAt,
  agentAgentAt,
  agentChangeAt,
  agentWalletAt,
  eventMillisAt,
  factsFilledLotsAt,
  factsFlagsAt,
  factsInstrumentAt,
  factsOrderIdAt,
  factsPriceMicrosAt,
  factsSideAt,
  factsSizeLotsAt,
  factsStatusAt,
  fillAccountAt,
  fillCashMicrosAt,
  fillCostMicrosAt,
  fillCumFilledLotsAt,
  fillFeeMicrosAt,
  fillInstrumentAt,
  fillOrderIdAt,
  fillPositionLotsAt,
  fillPriceMicrosAt,
  fillSideAt,
  fillSizeLotsAt,
  outcomeAccountAt,
  outcomeFactsAt,
  positionAccountAt,
  positionCostMicrosAt,
  positionInstrumentAt,
  positionLotsAt,
  positionRealizedMicrosAt,
} from '../../../schemas/events.js'
import {
  transferAccountAt,
  transferCashMicrosAt,
  transferCostMicrosAt,
  transferInstrumentAt,
  transferPositionLotsAt,
  transferPremiumMicrosAt,
  transferPriceMicrosAt,
  transferSideAt,
  transferSizeLotsAt,
} from '../../../schemas/liquidation.js'
import { AgentChange } from '../../../schemas/record-values.js'
import {
  payoutAccountAt,
  payoutCashMicrosAt,
  payoutFeeMicrosAt,
  payoutInstrumentAt,
  payoutPayoffMicrosAt,
  payoutPositionLotsAt,
  payoutValueMicrosAt,
} from '../../../schemas/settlement.js'
import { formatAddress } from '../../../schemas/wallet.js'
import type { MarketViews } from './market-views.js'
import { noOrder, OrderTable } from './order-table.js'

const unknownAccount = -1
const noAgents: ReadonlySet<string> = new Set()

/**
 * Cash, positions, working orders and agents of all wallets, in the same margin code that the core
 * runs. Accounts have the core's indexes; wallets are lower-case address text.
 */
export class AccountViews {
  readonly orders = new OrderTable()
  readonly risk: RiskEngine
  /** Time of the last change per exposure row of `risk`. */
  readonly changedMillis: number[] = []

  readonly #log: EventLogReader
  readonly #market: MarketViews
  readonly #accounts = new Map<string, number>()
  readonly #agents = new Map<string, Set<string>>()
  readonly #selfTradeModes: SelfTradeMode[] = []
  readonly #effect = new FillEffect()

  constructor(config: EngineConfig, log: EventLogReader, market: MarketViews) {
    const { standardIsDefinedRisk, portfolioModeAllowed } = config
    const fees = new FeeSchedule(config.fees)
    this.risk = new RiskEngine(
      market.instruments,
      this.orders,
      market.marks,
      config.risk,
      { standardIsDefinedRisk, portfolioModeAllowed, fees },
      new StateHash(),
    )
    this.#log = log
    this.#market = market
  }

  /** `SelfTradeMode` of an account; a wallet never seen has the default one. */
  selfTradeModeOf(account: number): SelfTradeMode {
    return this.#selfTradeModes[account] ?? SelfTradeMode.CancelTaker
  }

  /** @returns the account's index, or -1 for a wallet never seen. */
  find(wallet: string): number {
    return this.#accounts.get(wallet) ?? unknownAccount
  }

  /** Every wallet with its account. */
  wallets(): Iterable<readonly [wallet: string, account: number]> {
    return this.#accounts
  }

  /** Approved agents in the order of their approval. */
  agentsOf(wallet: string): ReadonlySet<string> {
    return this.#agents.get(wallet) ?? noAgents
  }

  /** @returns the account. */
  account(at: number): number {
    const { i32, f64, u8 } = this.#log
    const account = i32[(at + accountIndexAt) >> 2]
    this.risk.openAccount(account)
    // An account's wallet never changes: its text is made once.
    const isNew = this.#selfTradeModes[account] === undefined
    if (isNew) this.#accounts.set(formatAddress(u8, at + accountWalletAt), account)
    this.#setCash(account, f64[(at + accountCashMicrosAt) >> 3])
    this.risk.setTier(account, i32[(at + accountTierAt) >> 2] as Tier)
    this.risk.setMarginMode(account, i32[(at + accountMarginModeAt) >> 2] as MarginMode)
    this.#selfTradeModes[account] = i32[(at + accountSelfTradeAt) >> 2] as SelfTradeMode
    return account
  }

  agent(at: number): void {
    const { i32, u8 } = this.#log
    const wallet = formatAddress(u8, at + agentWalletAt)
    const agent = formatAddress(u8, at + agentAgentAt)
    const agents = this.#agents.get(wallet) ?? new Set<string>()
    if (i32[(at + agentChangeAt) >> 2] === AgentChange.Approved) agents.add(agent)
    else agents.delete(agent)
    this.#agents.set(wallet, agents)
  }

  /** A bootstrap position. What it cost has left the cash already, so the cash stays. */
  position(at: number): void {
    const { i32, f64 } = this.#log
    const account = i32[(at + positionAccountAt) >> 2]
    const instrument = i32[(at + positionInstrumentAt) >> 2]
    const lots = f64[(at + positionLotsAt) >> 3]
    const costMicros = f64[(at + positionCostMicrosAt) >> 3]
    const cashMicros = this.risk.cashMicros[account]
    const side = lots > 0 ? Side.Buy : Side.Sell
    const premium = Math.abs(costMicros)
    this.risk.applyFill(account, instrument, side, Math.abs(lots), 0, premium, 0, this.#effect)
    this.#setCash(account, cashMicros)
    const exposure = this.risk.exposureFor(account, instrument)
    this.risk.exposures.realizedMicros[exposure] = f64[(at + positionRealizedMicrosAt) >> 3]
    this.#touch(exposure, at)
    this.#market.moveOpenInterest(instrument, 0, lots)
  }

  /** @returns the realized profit of the position so far, the part of this fill included. */
  fill(at: number): number {
    const { i32, f64 } = this.#log
    const account = i32[(at + fillAccountAt) >> 2]
    const instrument = i32[(at + fillInstrumentAt) >> 2]
    const side = i32[(at + fillSideAt) >> 2] as Side
    const sizeLots = f64[(at + fillSizeLotsAt) >> 3]
    const priceMicros = f64[(at + fillPriceMicrosAt) >> 3]
    const premium = premiumMicros(priceMicros, sizeLots)
    const feeMicros = f64[(at + fillFeeMicrosAt) >> 3]
    const { risk } = this
    const before = risk.findExposure(account, instrument)
    const realizedBefore = before < 0 ? 0 : risk.exposures.realizedMicros[before]
    risk.applyFill(
      account,
      instrument,
      side,
      sizeLots,
      priceMicros,
      premium,
      feeMicros,
      this.#effect,
    )
    const afterLots = f64[(at + fillPositionLotsAt) >> 3]
    assert(this.#effect.positionLots === afterLots, 'read model: position follows the core')
    if (verify) {
      const costMicros = f64[(at + fillCostMicrosAt) >> 3]
      assert(this.#effect.costMicros === costMicros, 'read model: cost follows the core')
    }
    this.#setCash(account, f64[(at + fillCashMicrosAt) >> 3])
    const beforeLots = side === Side.Buy ? afterLots - sizeLots : afterLots + sizeLots
    this.#market.moveOpenInterest(instrument, beforeLots, afterLots)
    const exposure = risk.findExposure(account, instrument)
    if (exposure >= 0) this.#touch(exposure, at)
    this.#setFilled(f64[(at + fillOrderIdAt) >> 3], f64[(at + fillCumFilledLotsAt) >> 3])
    return realizedBefore + this.#effect.realizedMicros
  }

  /** @returns the realized profit of the position, the settlement included. */
  payout(at: number): number {
    const { i32, f64 } = this.#log
    const account = i32[(at + payoutAccountAt) >> 2]
    const instrument = i32[(at + payoutInstrumentAt) >> 2]
    const lots = f64[(at + payoutPositionLotsAt) >> 3]
    const side = lots > 0 ? Side.Sell : Side.Buy
    const payoffMicros = f64[(at + payoutPayoffMicrosAt) >> 3]
    const valueMicros = Math.abs(f64[(at + payoutValueMicrosAt) >> 3])
    const feeMicros = f64[(at + payoutFeeMicrosAt) >> 3]
    const { risk } = this
    const exposure = risk.findExposure(account, instrument)
    assert(risk.exposures.positionLots[exposure] === lots, 'read model: position follows the core')
    const realizedBefore = risk.exposures.realizedMicros[exposure]
    const size = Math.abs(lots)
    const effect = this.#effect
    risk.applyFill(account, instrument, side, size, payoffMicros, valueMicros, feeMicros, effect)
    const cashMicros = f64[(at + payoutCashMicrosAt) >> 3]
    assert(effect.cashMicros === cashMicros, 'read model: cash follows the core')
    this.#market.moveOpenInterest(instrument, lots, 0)
    return realizedBefore + effect.realizedMicros
  }

  /**
   * One wallet's side of a position that moved off the book.
   * @returns the realized profit of the position so far, the part of this move included.
   */
  transfer(at: number): number {
    const { i32, f64 } = this.#log
    const { risk } = this
    const account = i32[(at + transferAccountAt) >> 2]
    const instrument = i32[(at + transferInstrumentAt) >> 2]
    const side = i32[(at + transferSideAt) >> 2] as Side
    const sizeLots = f64[(at + transferSizeLotsAt) >> 3]
    const priceMicros = f64[(at + transferPriceMicrosAt) >> 3]
    const premium = f64[(at + transferPremiumMicrosAt) >> 3]
    const before = risk.findExposure(account, instrument)
    const realizedBefore = before < 0 ? 0 : risk.exposures.realizedMicros[before]
    const effect = this.#effect
    risk.applyFill(account, instrument, side, sizeLots, priceMicros, premium, 0, effect)
    const afterLots = f64[(at + transferPositionLotsAt) >> 3]
    assert(effect.positionLots === afterLots, 'read model: a moved position follows the core')
    assert(
      effect.costMicros === f64[(at + transferCostMicrosAt) >> 3],
      'read model: the cost of a moved position follows the core',
    )
    this.#setCash(account, f64[(at + transferCashMicrosAt) >> 3])
    const beforeLots = side === Side.Buy ? afterLots - sizeLots : afterLots + sizeLots
    this.#market.moveOpenInterest(instrument, beforeLots, afterLots)
    const exposure = risk.findExposure(account, instrument)
    if (exposure >= 0) this.#touch(exposure, at)
    return realizedBefore + effect.realizedMicros
  }

  /**
   * An OrderUpdate: a working order is kept with what is open of it, a final one is dropped.
   * @returns the account.
   */
  order(at: number): number {
    const { i32, f64 } = this.#log
    const facts = at + outcomeFactsAt
    const account = i32[(at + outcomeAccountAt) >> 2]
    const orderId = f64[(facts + factsOrderIdAt) >> 3]
    if (orderId === 0) return account
    const known = this.orders.find(orderId)
    if (!isWorking(i32[(facts + factsStatusAt) >> 2])) {
      if (known !== noOrder) this.#drop(known)
      return account
    }
    const sizeLots = f64[(facts + factsSizeLotsAt) >> 3]
    const openLots = sizeLots - f64[(facts + factsFilledLotsAt) >> 3]
    if (known === noOrder) this.#add(orderId, facts, account, openLots)
    else if (openLots > 0) {
      // A reduce-only order may have lost size.
      this.orders.sizeLots[known] = sizeLots
      this.risk.setOpen(known, openLots)
    }
    return account
  }

  #add(orderId: number, facts: number, account: number, openLots: number): void {
    const { i32, f64 } = this.#log
    const slot = this.orders.add(orderId, {
      account,
      instrument: i32[(facts + factsInstrumentAt) >> 2],
      side: i32[(facts + factsSideAt) >> 2],
      flags: i32[(facts + factsFlagsAt) >> 2],
      priceMicros: f64[(facts + factsPriceMicrosAt) >> 3],
      sizeLots: f64[(facts + factsSizeLotsAt) >> 3],
      openLots,
    })
    this.risk.addOrder(slot)
  }

  #setFilled(orderId: number, filledLots: number): void {
    const slot = this.orders.find(orderId)
    if (slot === noOrder) return
    const openLots = this.orders.sizeLots[slot] - filledLots
    if (openLots > 0) this.risk.setOpen(slot, openLots)
    else this.#drop(slot)
  }

  #drop(slot: number): void {
    this.risk.setOpen(slot, 0)
    this.orders.remove(slot)
  }

  #setCash(account: number, cashMicros: number): void {
    const change = cashMicros - this.risk.cashMicros[account]
    if (change !== 0) this.risk.creditCash(account, change)
  }

  #touch(exposure: number, at: number): void {
    this.changedMillis[exposure] = this.#log.f64[(at + eventMillisAt) >> 3]
  }
}

function isWorking(status: number): boolean {
  return (
    status === OrderStatus.Acked ||
    status === OrderStatus.Open ||
    status === OrderStatus.PartiallyFilled
  )
}
