import { premiumMicros as premiumOf } from '../../../engine/risk/money.js'
import { FillEffect, type FillTerms, fillTerms } from '../../../engine/risk/order-check.js'
import { RiskEngine } from '../../../engine/risk/risk-engine.js'
import { FeeSchedule } from '../../../engine/risk/trading-fees.js'
import type { EngineConfig } from '../../../engine/state/market/engine-config.js'
import { assert, verify } from '../../../schemas/assert.js'
import { apiWalletNameBytes } from '../../../schemas/bounds.js'
import { OrderStatus, SelfTradeMode, Side } from '../../../schemas/domain.js'
import type {
  AccountEvent,
  AgentEvent,
  ApiWalletEvent,
  FillEvent,
  OutcomeEvent,
  PayoutEvent,
  PositionEvent,
  TransferEvent,
} from '../../../schemas/generated/events.js'
import { formatHex } from '../../../schemas/hex.js'
import { AgentChange } from '../../../schemas/record-values.js'
import { formatAddress } from '../../../schemas/wallet.js'
import type { MarketViews } from './market-views.js'
import { noOrder, OrderTable } from './order-table.js'

const unknownAccount = -1
const noAgents: ReadonlySet<string> = new Set()
const noApiWallets: ReadonlyMap<string, string> = new Map()

/**
 * Cash, positions, working orders and agents of all wallets, in the same margin code that the core
 * runs. Accounts have the core's indexes; wallets are lower-case address text.
 */
export class AccountViews {
  readonly orders = new OrderTable()
  readonly risk: RiskEngine
  /** Time of the last change per exposure row of `risk`. */
  readonly changedMillis: number[] = []
  /** Accounts whose trading the engine has stopped. */
  readonly stopped = new Set<number>()

  readonly #market: MarketViews
  readonly #accounts = new Map<string, number>()
  readonly #agents = new Map<string, Set<string>>()
  readonly #apiWallets = new Map<string, Map<string, string>>()
  readonly #selfTradeModes: SelfTradeMode[] = []
  readonly #effect = new FillEffect()

  constructor(config: EngineConfig, market: MarketViews) {
    const { standardIsDefinedRisk, portfolioModeAllowed } = config
    const fees = new FeeSchedule(config.fees)
    const options = { standardIsDefinedRisk, portfolioModeAllowed, fees }
    const { instruments, marks } = market
    this.risk = new RiskEngine(instruments, this.orders, marks, config.risk, options)
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

  /** Addresses of the keys that may sign directives for trading, by their names as hexadecimal text. */
  apiWalletsOf(wallet: string): ReadonlyMap<string, string> {
    return this.#apiWallets.get(wallet) ?? noApiWallets
  }

  /** @returns the account. */
  account(event: AccountEvent): number {
    const { account } = event
    this.risk.openAccount(account)
    // An account's wallet never changes: its text is made once.
    const isNew = this.#selfTradeModes[account] === undefined
    if (isNew) this.#accounts.set(formatAddress(event.u8, event.walletAt), account)
    this.#setCash(account, event.cashMicros)
    this.risk.setTier(account, event.tier)
    this.risk.setMarginMode(account, event.marginMode)
    this.#selfTradeModes[account] = event.selfTrade
    if (event.stopped === 1) this.stopped.add(account)
    else this.stopped.delete(account)
    this.risk.realizedTotalMicros[account] = event.realizedMicros
    return account
  }

  agent({ change, u8, walletAt, agentAt }: AgentEvent): void {
    const wallet = formatAddress(u8, walletAt)
    const agent = formatAddress(u8, agentAt)
    const agents = this.#agents.get(wallet) ?? new Set<string>()
    if (change === AgentChange.Approved) agents.add(agent)
    else agents.delete(agent)
    this.#agents.set(wallet, agents)
  }

  apiWallet({ change, u8, walletAt, apiWalletAt, nameAt }: ApiWalletEvent): void {
    const wallet = formatAddress(u8, walletAt)
    const name = formatHex(u8, nameAt, apiWalletNameBytes)
    const named = this.#apiWallets.get(wallet) ?? new Map<string, string>()
    if (change === AgentChange.Approved) named.set(name, formatAddress(u8, apiWalletAt))
    else named.delete(name)
    this.#apiWallets.set(wallet, named)
  }

  /** A bootstrap position. What it cost has left the cash already, so the cash stays. */
  position(event: PositionEvent): void {
    const { account, instrument, lots } = event
    const cashMicros = this.risk.cashMicros[account]
    const side = lots > 0 ? Side.Buy : Side.Sell
    const [sizeLots, premiumMicros] = [Math.abs(lots), Math.abs(event.costMicros)]
    this.#fill({ account, instrument, side, sizeLots, premiumMicros })
    this.#setCash(account, cashMicros)
    const exposure = this.risk.exposureFor(account, instrument)
    this.risk.exposures.realizedMicros[exposure] = event.realizedMicros
    this.changedMillis[exposure] = event.timeMillis
    this.#market.moveOpenInterest(instrument, 0, lots)
  }

  /** @returns the realized profit of the position so far, the part of this fill included. */
  fill(fill: FillEvent): number {
    const { account, instrument, side, sizeLots, priceMicros, feeMicros } = fill
    const premiumMicros = premiumOf(priceMicros, sizeLots)
    const terms = { account, instrument, side, sizeLots, priceMicros, premiumMicros, feeMicros }
    const effect = this.#fill(terms)
    assert(effect.positionLots === fill.positionLots, 'read model: position follows the core')
    if (verify) assert(effect.costMicros === fill.costMicros, 'read model: cost follows the core')
    this.#moved(fill)
    this.#setFilled(fill.orderId, fill.cumFilledLots)
    return fill.positionRealizedMicros
  }

  /** @returns the realized profit of the position, the settlement included. */
  payout(payout: PayoutEvent): number {
    const { account, instrument, positionLots, payoffMicros: priceMicros, feeMicros } = payout
    const { exposures } = this.risk
    const isHeld =
      exposures.positionLots[this.risk.findExposure(account, instrument)] === positionLots
    assert(isHeld, 'read model: position follows the core')
    const side = positionLots > 0 ? Side.Sell : Side.Buy
    const [sizeLots, premiumMicros] = [Math.abs(positionLots), Math.abs(payout.valueMicros)]
    const terms = { account, instrument, side, sizeLots, priceMicros, premiumMicros, feeMicros }
    const { cashMicros, positionRealizedMicros } = this.#fill(terms)
    assert(cashMicros === payout.cashMicros, 'read model: cash follows the core')
    this.#market.moveOpenInterest(instrument, positionLots, 0)
    return positionRealizedMicros
  }

  /**
   * One wallet's side of a position that moved off the book.
   * @returns the realized profit of the position so far, the part of this move included.
   */
  transfer(transfer: TransferEvent): number {
    const { account, instrument, side, sizeLots, priceMicros, premiumMicros } = transfer
    const terms = { account, instrument, side, sizeLots, priceMicros, premiumMicros }
    const { positionLots, costMicros } = this.#fill(terms)
    assert(positionLots === transfer.positionLots, 'read model: a moved position follows the core')
    const isCost = costMicros === transfer.costMicros
    assert(isCost, 'read model: the cost of a moved position follows the core')
    this.#moved(transfer)
    return transfer.positionRealizedMicros
  }

  /**
   * An OrderUpdate: a working order is kept with what is open of it, a final one is dropped.
   * @returns the account.
   */
  order(update: OutcomeEvent): number {
    const { account, facts } = update
    const { orderId } = facts
    if (orderId === 0) return account
    const known = this.orders.find(orderId)
    if (!isWorking(facts.status)) {
      if (known !== noOrder) this.#drop(known)
      return account
    }
    const { sizeLots } = facts
    const openLots = sizeLots - facts.filledLots
    if (known === noOrder) this.risk.addOrder(this.orders.add(account, facts))
    else if (openLots > 0) {
      // A reduce-only order may have lost size.
      this.orders.sizeLots[known] = sizeLots
      this.risk.setOpen(known, openLots)
    }
    return account
  }

  /** @returns what it did, good until the next one. */
  #fill(terms: Partial<FillTerms> & Pick<FillTerms, 'account' | 'instrument'>): FillEffect {
    this.risk.fill(fillTerms(terms), this.#effect)
    return this.#effect
  }

  /**
   * What a fill or transfer that was taken in leaves behind. What a position has realized is the core's to say: a closed
   * one keeps it there for a working order that no event has told yet, as an incoming one that has more fills to come.
   */
  #moved(event: FillEvent | TransferEvent): void {
    const { account, instrument, positionLots, sizeLots } = event
    this.#setCash(account, event.cashMicros)
    const beforeLots = positionLots + (event.side === Side.Buy ? -sizeLots : sizeLots)
    this.#market.moveOpenInterest(instrument, beforeLots, positionLots)
    const exposure = this.risk.findExposure(account, instrument)
    if (exposure < 0) return
    this.risk.exposures.realizedMicros[exposure] = event.positionRealizedMicros
    this.changedMillis[exposure] = event.timeMillis
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
}

function isWorking(status: number): boolean {
  return (
    status === OrderStatus.Acked ||
    status === OrderStatus.Open ||
    status === OrderStatus.PartiallyFilled
  )
}
