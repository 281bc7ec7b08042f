import { assert } from '../../schemas/assert.js'
import { lotsPerContract, underlyingsMax } from '../../schemas/bounds.js'
import { type MarginMode, MarginModelKind, Side, type Tier } from '../../schemas/domain.js'
import { Result } from '../../schemas/results.js'
import { none } from '../memory/rows.js'
import type { StateReader, StateWriter } from '../memory/state-codec.js'
import { staleVersion } from './buckets.js'
import { DefinedRiskModel } from './defined-risk-model.js'
import { ExactLimits } from './exact-limits.js'
import { applyFill } from './fill.js'
import { type Holding, restoreHolding } from './holding.js'
import { isMarked } from './mark-view.js'
import { mulDivHalfEven } from './money.js'
import { OrderAdmission } from './order-admission.js'
import type {
  FillEffect,
  FillTerms,
  MaintenanceMargin,
  MarginInUse,
  MarginSummary,
  MarginVerdict,
  OrderCheck,
  PackageCheck,
  PositionMargin,
} from './order-check.js'
import { PackageAdmission } from './package-admission.js'
import { PortfolioModel } from './portfolio-model.js'
import { modelKindOf, RiskLedger } from './risk-ledger.js'
import { loadRisk, saveRisk } from './risk-state.js'
import { StandardModel } from './standard-model.js'
import { WalletMargin } from './wallet-margin.js'
import { addWorkingOrder, isReduceOnly, setWorkingOpen } from './working-orders.js'

/**
 * Cash, positions, reserves and margin of all wallets. The core owns one and changes it; the read
 * model owns another, fed by events, to show the same numbers.
 *
 * All sums are of integers below 2^53, hence exact: they do not depend on the order in which they
 * were built, and a sum kept incrementally equals one computed anew.
 */
export class RiskEngine extends RiskLedger {
  /** What keeps every sum of this file exact; asked before `checkOrder`. */
  readonly limits = new ExactLimits(this)
  readonly #margin = new WalletMargin(this)
  readonly #admission = new OrderAdmission(this, this.#margin)
  readonly #packages = new PackageAdmission(this, this.#margin)

  constructor(...of: ConstructorParameters<typeof RiskLedger>) {
    super(...of)
    const standard = new StandardModel(this)
    this.models = [standard, new DefinedRiskModel(this, standard), new PortfolioModel(this)]
  }

  /** Sets the time that the index's age and the gamma overlay are measured by; once per batch. */
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
   * Whether a wallet would meet initial margin in a mode, open orders included; where that cannot be
   * told for want of a mark or an index, it would not. Changes nothing.
   * @param out takes the amounts that it would have there.
   */
  meetsMarginIn(account: number, mode: MarginMode, out: MarginSummary): boolean {
    const before = this.marginMode[account] as MarginMode
    this.setMarginMode(account, mode)
    const meets = this.#margin.meetsInitial(account)
    this.summarize(account, out)
    this.setMarginMode(account, before)
    return meets
  }

  /** Whether another tier would leave a wallet short without cover, positions and orders, where its model allows none. */
  wouldUncover(account: number, tier: Tier): boolean {
    const before = this.tier[account] as Tier
    const kind = this.modelKind[account]
    this.setTier(account, tier)
    const isRefused =
      this.modelKind[account] === MarginModelKind.DefinedRisk &&
      kind !== MarginModelKind.DefinedRisk &&
      this.#margin.uncoveredLots(account) > 0
    this.setTier(account, before)
    return isRefused
  }

  /** Adds to a wallet's cash: deposits, settlements; negative: withdrawals, fees. */
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
   * An order became working: reads account, instrument, side, flags, priceMicros and openLots of
   * the slot, sets its exposure, links it, and reserves for it.
   */
  addOrder(slot: number): void {
    addWorkingOrder(this, slot)
  }

  /**
   * Writes the open size of a working order after a fill or cancel and moves its reserves; 0
   * unlinks it and sets its exposure to -1. Nobody else writes `openLots` of a working order.
   * @param isFilled whether `fill` of the same account and instrument is called next.
   */
  setOpen(slot: number, openLots: number, isFilled = false): void {
    setWorkingOpen(this, slot, openLots, isFilled)
  }

  /**
   * Applies one wallet's side of a fill to position, cost basis and cash.
   */
  fill(terms: FillTerms, out: FillEffect): void {
    assert(terms.priceMicros >= 0, 'risk: an option has no negative price')
    applyFill(this, terms, out)
  }

  /** Marks of an underlying changed: its sums are computed anew where they are next needed. */
  newMarks(underlying: number): void {
    // A typed array drops a write outside its length, so margin would keep using the old marks.
    assert(underlying >= 0 && underlying < underlyingsMax, 'risk: the underlying index is valid')
    this.markVersion[underlying]++
  }

  /**
   * Checks of an order from funds to margin; liquidation state is the caller's.
   * A replaced order is judged as if it were gone. Changes nothing, but for the empty exposure that
   * stays when the request says that the order starts.
   * @param verdict receives the values of the refusal's text.
   * @returns `Accepted` or the first check that fails: NoFunds, TierLongOnly, NoSpotPrice,
   *   OutsidePriceBand, InsufficientCash, NoMarkPrice, NakedShortCalls, NakedShortPuts, InsufficientMargin.
   */
  checkOrder(request: OrderCheck, verdict: MarginVerdict): Result {
    return this.#admission.check(request, verdict)
  }

  /**
   * Whether a wallet may trade the legs of a package, all in one step, from exact limits to margin. Changes nothing.
   * @param verdict receives the values of the refusal's text.
   * @returns `Accepted` or the first check that fails: PriceLimit, ValueLimit, SizeLimit, TierLongOnly,
   *   AccountInLiquidation, NoSpotPrice, PositionsLimit, NoFunds, InsufficientCash, NakedShortCalls, NakedShortPuts,
   *   NoMarkPrice, InsufficientMargin.
   */
  checkPackage(request: PackageCheck, verdict: MarginVerdict): Result {
    const result = this.limits.checkPackage(request)
    if (result === Result.Accepted) return this.#packages.check(request, verdict)
    verdict.clear()
    this.limits.tell(result, verdict.details, 0)
    return result
  }

  /**
   * Whether a reduce-only order could increase the position, counting the wallet's other working
   * reduce-only orders on its side: true means refuse.
   */
  checkReduceOnly(request: OrderCheck): boolean {
    return this.reducingLots(request) > this.closableLots(request)
  }

  /** Lots of an order and the wallet's other working reduce-only orders on its side, without one that gives way. */
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

  /** Lots of the position that an order of its side can close; below 0 or 0: none. */
  closableLots(request: OrderCheck): number {
    const { exposures } = this
    const exposure = exposures.find(request.account, request.instrument)
    if (exposure < 0) return 0
    const position = exposures.positionLots[exposure]
    return request.side === Side.Buy ? -position : position
  }

  /** Whether this order, not being reduce-only, would add one to `positionsCounted`. */
  wouldOpenPosition(request: OrderCheck): boolean {
    const exposure = this.exposures.find(request.account, request.instrument)
    return exposure < 0 || !this.exposures.isCounted(exposure)
  }

  /** Margin of a wallet as clients read it; all fields of `out` are set. */
  summarize(account: number, out: MarginSummary): void {
    this.#margin.summarize(account, out)
  }

  /** What of a wallet's equity is bound now, as `summarize` shows it. */
  marginInUse(account: number, out: MarginInUse): void {
    this.#margin.inUse(account, out)
  }

  /** Equity and maintenance margin of a wallet. */
  maintenance(account: number, out: MaintenanceMargin): void {
    this.#margin.maintenance(account, out)
  }

  /** Maintenance margin of a wallet with `moreLots` added to its position of `exposure`. */
  maintenanceWith(exposure: number, moreLots: number): number {
    return this.#margin.maintenanceWith(exposure, moreLots)
  }

  /** Whether equity and cash of a wallet cover everything that it holds and has working. */
  isCovered(account: number): boolean {
    return this.#margin.meetsInitial(account) && this.#margin.coversPremium(account)
  }

  /** Whether a working order, named as the one that it replaces, reduces its wallet's risk. */
  isRiskReducing(request: OrderCheck): boolean {
    return this.#admission.isRiskReducing(request)
  }

  /**
   * Whether a wallet's margin cannot be trusted: it is short of something without a mark, holds a perp without one, or
   * holds anything of an underlying whose index is missing. Nobody is liquidated by prices that are not there.
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

  /** Puts a wallet's place in an instrument back to what it was. */
  restoreHolding(holding: Holding): void {
    this.limits.forget(holding.account)
    restoreHolding(this, holding)
  }

  /** Margin of one position alone. */
  positionMargin(exposure: number, out: PositionMargin): void {
    this.#margin.positionMargin(exposure, out)
  }

  /** Average entry price in micros, 0 without a position. */
  entryPriceMicros(exposure: number): number {
    const { positionLots, costMicros } = this.exposures
    const lots = Math.abs(positionLots[exposure])
    return lots === 0 ? 0 : mulDivHalfEven(Math.abs(costMicros[exposure]), lotsPerContract, lots)
  }

  /** Writes accounts and positions; working orders come back through `addOrder` after `load`. */
  save(writer: StateWriter): void {
    saveRisk(this, writer)
  }

  /** Reads what `save` wrote into an engine without accounts, and adds its elements to the hash. */
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
