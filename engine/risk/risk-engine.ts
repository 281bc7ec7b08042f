import { assert } from '../../schemas/assert.js'
import { lotsPerContract, underlyingsMax } from '../../schemas/bounds.js'
import { type MarginMode, MarginModelKind, Side, type Tier } from '../../schemas/domain.js'
import { Result } from '../../schemas/results.js'
import { none } from '../memory/rows.js'
import type { StateReader, StateWriter } from '../memory/state-codec.js'
import { staleVersion } from './buckets.js'
import { ComboAdmission } from './combo-admission.js'
import { DefinedRiskModel } from './defined-risk-model.js'
import { ExactLimits } from './exact-limits.js'
import { applyFill } from './fill.js'
import { type Holding, restoreHolding } from './holding.js'
import { isMarked } from './mark-view.js'
import { mulDivHalfEven } from './money.js'
import { OrderAdmission } from './order-admission.js'
import type {
  ComboCheck,
  FillEffect,
  FillTerms,
  MaintenanceMargin,
  MarginInUse,
  MarginSummary,
  MarginVerdict,
  OrderCheck,
  PositionMargin,
} from './order-check.js'
import { PortfolioModel } from './portfolio-model.js'
import { modelKindOf, RiskLedger } from './risk-ledger.js'
import { loadRisk, saveRisk } from './risk-state.js'
import { StandardModel } from './standard-model.js'
import { WalletMargin } from './wallet-margin.js'
import { addWorkingOrder, isReduceOnly, setWorkingOpen } from './working-orders.js'

/**
 * Cash, positions, reserves and margin of all wallets. The core owns and changes one. The read model owns another,
 * updated by events, and shows the same numbers.
 *
 * All sums are of integers below 2^53 and therefore exact: they do not depend on the order of additions, and an
 * incremental sum equals a recomputed one.
 */
export class RiskEngine extends RiskLedger {
  /** Limits that keep every sum in this file exact; checked before `checkOrder`. */
  readonly limits = new ExactLimits(this)
  readonly #margin = new WalletMargin(this)
  readonly #admission = new OrderAdmission(this, this.#margin)
  readonly #packages = new ComboAdmission(this, this.#margin)

  constructor(...of: ConstructorParameters<typeof RiskLedger>) {
    super(...of)
    const standard = new StandardModel(this)
    this.models = [standard, new DefinedRiskModel(this, standard), new PortfolioModel(this)]
  }

  /** Sets the time for the age of the index and for the gamma overlay; once per batch. */
  setTime(nowMillis: number): void {
    assert(nowMillis >= 0, 'risk: the time is not negative')
    this.nowMillis = nowMillis
  }

  setTier(account: number, tier: Tier): void {
    this.#setModes(account, tier, this.marginMode[account])
  }

  setMarginMode(account: number, mode: MarginMode): void {
    this.#setModes(account, this.tier[account], mode)
  }

  /**
   * Returns true if a wallet would meet initial margin in a mode, including open orders. Returns false if a missing
   * mark or index prevents the decision. Changes nothing.
   * @param out receives the amounts in that mode.
   */
  meetsMarginIn(account: number, mode: MarginMode, out: MarginSummary): boolean {
    const before = this.marginMode[account] as MarginMode
    this.setMarginMode(account, mode)
    const meets = this.#margin.meetsInitial(account)
    this.summarize(account, out)
    this.setMarginMode(account, before)
    return meets
  }

  /**
   * Returns true if another tier would leave positions and orders of a wallet short without cover, where its model
   * allows no uncovered shorts.
   */
  wouldUncover(account: number, tier: Tier): boolean {
    const before = this.tier[account] as Tier
    const kind = this.modelKind[account]
    this.setTier(account, tier)
    const isUncovered =
      this.modelKind[account] === MarginModelKind.DefinedRisk &&
      kind !== MarginModelKind.DefinedRisk &&
      this.#margin.uncoveredLots(account) > 0
    this.setTier(account, before)
    return isUncovered
  }

  /** Adds to a wallet's cash: deposits and settlements, or negative amounts for withdrawals and fees. */
  creditCash(account: number, deltaMicros: number): void {
    assert(account >= 0 && account < this.accountCount, 'risk: the account exists')
    assert(Number.isInteger(deltaMicros), 'risk: cash moves by whole micros')
    this.hashRow(account, this.hash, false)
    this.cashMicros[account] += deltaMicros
    this.hashRow(account, this.hash, true)
    this.changed.add(account)
  }

  /** @returns the exposure of an account in an instrument, or -1. */
  findExposure(account: number, instrument: number): number {
    return this.exposures.find(account, instrument)
  }

  /**
   * Registers a new working order. Reads account, instrument, side, flags, priceMicros and openLots of the slot, sets
   * its exposure, links it, and reserves for it.
   */
  addOrder(slot: number): void {
    addWorkingOrder(this, slot)
  }

  /**
   * Writes the open size of a working order after a fill or cancel and moves its reserves. A size of 0 unlinks the
   * order and sets its exposure to -1. Nothing else writes `openLots` of a working order.
   * @param isFilled true if the caller calls `fill` for the same account and instrument next.
   */
  setOpen(slot: number, openLots: number, isFilled = false): void {
    setWorkingOpen(this, slot, openLots, isFilled)
  }

  /** Applies one wallet's side of a fill to position, cost basis and cash. */
  fill(terms: FillTerms, out: FillEffect): void {
    assert(terms.priceMicros >= 0, 'risk: an option has no negative price')
    applyFill(this, terms, out)
  }

  /** Marks the sums of an underlying as stale after a re-mark. They are recomputed when they are next read. */
  newMarks(underlying: number): void {
    // A typed array ignores a write beyond its length, so margin would keep using the old marks.
    assert(underlying >= 0 && underlying < underlyingsMax, 'risk: the underlying index is valid')
    this.markVersion[underlying]++
  }

  /**
   * Checks an order, from funds to margin. The caller provides the liquidation phase. A replaced order is treated as
   * removed. Changes nothing, except that the empty exposure is kept if the request says that the order starts.
   * @param verdict receives the values in the text of a rejection.
   * @returns `Accepted` or the first check that fails: NoFunds, TierLongOnly, NoSpotPrice, OutsidePriceBand,
   * InsufficientCash, NoMarkPrice, NakedShortCalls, NakedShortPuts, InsufficientMargin.
   */
  checkOrder(request: OrderCheck, verdict: MarginVerdict): Result {
    return this.#admission.check(request, verdict)
  }

  /**
   * Checks one wallet's side of a combo, all legs in one step, from exact limits to margin. Changes nothing.
   * @param verdict receives the values in the text of a rejection.
   * @returns `Accepted` or the first check that fails: PriceLimit, ValueLimit, SizeLimit, TierLongOnly,
   * AccountInLiquidation, NoSpotPrice, PositionsLimit, NoFunds, InsufficientCash, NakedShortCalls, NakedShortPuts,
   * NoMarkPrice, InsufficientMargin.
   */
  checkCombo(request: ComboCheck, verdict: MarginVerdict): Result {
    const result = this.limits.checkCombo(request)
    if (result === Result.Accepted) return this.#packages.check(request, verdict)
    verdict.clear()
    this.limits.writeDetails(result, verdict.details, 0)
    return result
  }

  /**
   * Returns true if a reduce-only order must be rejected: together with the wallet's other working reduce-only orders
   * on its side, it could increase the position.
   */
  checkReduceOnly(request: OrderCheck): boolean {
    return this.reducingLots(request) > this.closableLots(request)
  }

  /**
   * Returns the lots of an order and of the wallet's other working reduce-only orders on its side, without the replaced
   * one.
   */
  reducingLots(request: OrderCheck): number {
    const { exposures, orders } = this
    const exposure = exposures.find(request.account, request.instrument)
    let lots = request.sizeLots
    if (exposure < 0) return lots
    const buy = request.side === Side.Buy
    lots += buy ? exposures.reduceOnlyBuyLots[exposure] : exposures.reduceOnlySellLots[exposure]
    const replaced = request.replacedSlot
    if (replaced >= 0 && orders.side[replaced] === request.side && isReduceOnly(orders, replaced)) {
      lots -= orders.openLots[replaced]
    }
    return lots
  }

  /** Returns the lots of the position that an order of this side can close; 0 or negative if none. */
  closableLots(request: OrderCheck): number {
    const { exposures } = this
    const exposure = exposures.find(request.account, request.instrument)
    if (exposure < 0) return 0
    const position = exposures.positionLots[exposure]
    return request.side === Side.Buy ? -position : position
  }

  /** Returns true if this order, if not reduce-only, would add one to `positionsCounted`. */
  wouldOpenPosition(request: OrderCheck): boolean {
    const exposure = this.exposures.find(request.account, request.instrument)
    return exposure < 0 || !this.exposures.isCounted(exposure)
  }

  /** Writes the margin of a wallet as clients see it; sets all fields of `out`. */
  summarize(account: number, out: MarginSummary): void {
    this.#margin.summarize(account, out)
  }

  /** Writes the margin that a wallet uses now, as in `summarize`. */
  marginInUse(account: number, out: MarginInUse): void {
    this.#margin.inUse(account, out)
  }

  /** Writes equity and maintenance margin of a wallet. */
  maintenance(account: number, out: MaintenanceMargin): void {
    this.#margin.maintenance(account, out)
  }

  /** Returns the maintenance margin of a wallet with `moreLots` added to its position of `exposure`. */
  maintenanceWith(exposure: number, moreLots: number): number {
    return this.#margin.maintenanceWith(exposure, moreLots)
  }

  /** Returns true if equity and cash of a wallet cover all its positions and working orders. */
  isCovered(account: number): boolean {
    return this.#margin.meetsInitial(account) && this.#margin.coversPremium(account)
  }

  /**
   * Returns true if a working order reduces its wallet's risk. The request names the order as the one that it replaces.
   */
  isRiskReducing(request: OrderCheck): boolean {
    return this.#admission.isRiskReducing(request)
  }

  /**
   * Returns true if a wallet's margin is unreliable: it is short of an instrument without a mark, holds a perp without
   * one, or holds anything of an underlying whose index is missing. No wallet is liquidated on missing prices.
   */
  lacksMarks(account: number): boolean {
    const { exposures, firstExposure, instruments, marks, nowMillis } = this
    for (let row = firstExposure[account]; row !== none; row = exposures.nextInAccount[row]) {
      const lots = exposures.positionLots[row]
      if (lots === 0) continue
      const instrument = exposures.instrument[row]
      const canOwe = lots < 0 || instruments.isPerp(instrument)
      if (canOwe && !isMarked(marks, instrument)) return true
      if (marks.indexIsMissing(instruments.underlying[instrument], nowMillis)) return true
    }
    return false
  }

  /** Restores a wallet's position in an instrument. */
  restoreHolding(holding: Holding): void {
    this.limits.forget(holding.account)
    restoreHolding(this, holding)
  }

  /** Writes the margin of one position alone. */
  positionMargin(exposure: number, out: PositionMargin): void {
    this.#margin.positionMargin(exposure, out)
  }

  /** Returns the average entry price in micros; 0 without a position. */
  entryPriceMicros(exposure: number): number {
    const { positionLots, costMicros } = this.exposures
    const lots = Math.abs(positionLots[exposure])
    return lots === 0 ? 0 : mulDivHalfEven(Math.abs(costMicros[exposure]), lotsPerContract, lots)
  }

  /** Writes accounts and positions. After `load`, the caller restores working orders with `addOrder`. */
  save(writer: StateWriter): void {
    saveRisk(this, writer)
  }

  /** Reads what `save` wrote into an engine without accounts, and adds the rows to the hash. */
  load(reader: StateReader): void {
    loadRisk(this, reader)
  }

  #setModes(account: number, tier: number, mode: number): void {
    assert(account >= 0 && account < this.accountCount, 'risk: the account exists')
    this.hashRow(account, this.hash, false)
    this.tier[account] = tier
    this.marginMode[account] = mode
    this.hashRow(account, this.hash, true)
    const kind = modelKindOf(tier, mode, this.options)
    if (kind === this.modelKind[account]) return
    this.modelKind[account] = kind
    this.changed.add(account)
    const { buckets } = this
    for (let row = this.firstBucket[account]; row >= 0; row = buckets.nextInAccount[row]) {
      buckets.version[row] = staleVersion
    }
  }
}
