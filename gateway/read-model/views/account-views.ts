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
 * Cash, positions, working orders and agents of all wallets, computed with the core's own margin code. Accounts have
 * the core's indexes; wallets are lower-case address text.
 */
export class AccountViews {
  readonly orders = new OrderTable()
  readonly risk: RiskEngine
  /** Time of the last change per exposure row of `risk`. */
  readonly changedMillis: number[] = []
  /** Accounts whose trading the engine has stopped, each with the time of the stop. */
  readonly stopped = new Map<number, number>()

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

  /** Returns the `SelfTradeMode` of an account; an unknown wallet has the default. */
  selfTradeModeOf(account: number): SelfTradeMode {
    return this.#selfTradeModes[account] ?? SelfTradeMode.CancelTaker
  }

  /**
   * @returns The account's index, or -1 for an unknown wallet.
   */
  find(wallet: string): number {
    return this.#accounts.get(wallet) ?? unknownAccount
  }

  /** Returns every wallet with its account. */
  wallets(): Iterable<readonly [wallet: string, account: number]> {
    return this.#accounts
  }

  /** Returns the approved agents in order of approval. */
  agentsOf(wallet: string): ReadonlySet<string> {
    return this.#agents.get(wallet) ?? noAgents
  }

  /** Returns the addresses of keys that may sign trading directives, by their names as hexadecimal text. */
  apiWalletsOf(wallet: string): ReadonlyMap<string, string> {
    return this.#apiWallets.get(wallet) ?? noApiWallets
  }

  /**
   * @returns The account.
   */
  account(event: AccountEvent): number {
    const { account } = event
    this.risk.openAccount(account)
    // An account's wallet never changes, so its text is formatted once.
    const isNew = this.#selfTradeModes[account] === undefined
    if (isNew) this.#accounts.set(formatAddress(event.u8, event.walletAt), account)
    this.#setCash(account, event.cashMicros)
    this.risk.setTier(account, event.tier)
    this.risk.setMarginMode(account, event.marginMode)
    this.#selfTradeModes[account] = event.selfTrade
    if (event.stopped === 0) this.stopped.delete(account)
    else if (!this.stopped.has(account)) this.stopped.set(account, event.timeMillis)
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

  /** Applies a bootstrap position. Its cost has already left the cash, so the cash does not change. */
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

  /**
   * @returns The realized profit of the position so far, including this fill.
   */
  fill(fill: FillEvent): number {
    const { account, instrument, side, sizeLots, priceMicros, feeMicros } = fill
    const premiumMicros = premiumOf(priceMicros, sizeLots)
    const terms = { account, instrument, side, sizeLots, priceMicros, premiumMicros, feeMicros }
    const effect = this.#fill(terms)
    assert(effect.positionLots === fill.positionLots, 'read model: position follows the core')
    if (verify) assert(effect.costMicros === fill.costMicros, 'read model: cost follows the core')
    this.#afterMove(fill)
    this.#setFilled(fill.orderId, fill.cumFilledLots)
    return fill.positionRealizedMicros
  }

  /**
   * @returns The realized profit of the position, including the settlement.
   */
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
   * Applies one wallet's side of a position that moved off the book.
   * @returns The realized profit of the position so far, including this move.
   */
  transfer(transfer: TransferEvent): number {
    const { account, instrument, side, sizeLots, priceMicros, premiumMicros } = transfer
    const terms = { account, instrument, side, sizeLots, priceMicros, premiumMicros }
    const { positionLots, costMicros } = this.#fill(terms)
    assert(positionLots === transfer.positionLots, 'read model: a moved position follows the core')
    const isCost = costMicros === transfer.costMicros
    assert(isCost, 'read model: the cost of a moved position follows the core')
    this.#afterMove(transfer)
    return transfer.positionRealizedMicros
  }

  /**
   * Applies an OrderUpdate: stores a working order with its open size, and drops a final one.
   * @returns The account.
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
      // A reduce-only order may have been reduced.
      this.orders.sizeLots[known] = sizeLots
      this.risk.setOpen(known, openLots)
    }
    return account
  }

  /**
   * @returns The effect, valid until the next call.
   */
  #fill(terms: Partial<FillTerms> & Pick<FillTerms, 'account' | 'instrument'>): FillEffect {
    this.risk.fill(fillTerms(terms), this.#effect)
    return this.#effect
  }

  /**
   * Updates cash, open interest and realized profit after a fill or transfer. The realized profit comes from the core:
   * a closed position keeps it there for a working order that no event has reported yet, such as an incoming order with
   * more fills.
   */
  #afterMove(event: FillEvent | TransferEvent): void {
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
