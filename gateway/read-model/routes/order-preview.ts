import { premiumMicros } from '../../../engine/risk/money.js'
import {
  FillEffect,
  fillTerms,
  LiquidationGate,
  MarginSummary,
  MarginVerdict,
  OrderCheck,
} from '../../../engine/risk/order-check.js'
import { RiskEngine } from '../../../engine/risk/risk-engine.js'
import type { TierLimits } from '../../../engine/state/market/engine-config.js'
import { exactBound } from '../../../schemas/bounds.js'
import { type MarginMode, OrderFlag, type Side, type Tier } from '../../../schemas/domain.js'
import { LiquidationState } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import type { RouteContext } from '../texts/route-context.js'
import { OrderTable } from '../views/order-table.js'

/** Order of a preview. */
export interface PreviewOrder {
  /** -1: not listed; it only counts as an order. */
  readonly instrument: number
  readonly side: Side
  readonly sizeLots: number
  readonly priceMicros: number
}

/** Margin of a wallet after the preview, micros. */
export interface Preview {
  /** Rejection of the first rejected order because of a halt or its instrument; otherwise null. */
  readonly listing: string | null
  /** Its rejection because of caps or the wallet's margin; otherwise `Accepted`. */
  readonly result: Result
  /** Values for the text of `result`. */
  readonly details: Float64Array
  readonly required: number
  readonly equity: number
  readonly consumedIm: number
  readonly consumedMm: number
  /** Maintenance margin with all orders completely filled, minus `consumedMm`. */
  readonly incrementalMm: number
}

const account = 0

/**
 * Checks orders in sequence, each with those before it working, on a copy of one wallet: caps, halt and instrument,
 * range of the sums, then the core's own admission. Changes nothing. An order outside the range of the sums counts in
 * no amount.
 * @param source Account in the views; -1 for an unknown wallet.
 * @param listingOf Returns why a halt or the instrument rejects an order; never null for an instrument of -1.
 */
export function previewOrders<Order extends PreviewOrder>(
  context: RouteContext,
  source: number,
  orders: readonly Order[],
  listingOf: (order: Order) => string | null,
): Preview {
  const store = new OrderTable(64)
  const risk = copyOf(context, source, store)
  const before = summaryOf(risk)
  const verdict = new MarginVerdict()
  const gate = gateOf(context.views.liquidations.of(source)?.state)
  // A wallet without an account fails first with that reason.
  let result: Result = source < 0 ? Result.NoFunds : Result.Accepted
  let listing: string | null = null
  const limits = source < 0 ? null : context.config.engine.tiers[risk.tier[account]]!
  const counted: Order[] = []
  const books = new PreviewBooks(context)
  let workingCount = store.count
  for (const order of orders) {
    const request = Object.assign(new OrderCheck(), { ...order, account, liquidation: gate })
    const isChecked = result === Result.Accepted && listing === null
    if (isChecked) {
      if (limits !== null) result = checkCaps(risk, request, limits, workingCount++)
      if (result === Result.Accepted) listing = listingOf(order)
    }
    if (order.instrument < 0) continue
    const exact = checkExact(risk, books, request)
    if (isChecked && result === Result.Accepted && listing === null) {
      result = exact
      if (exact === Result.Accepted) result = risk.checkOrder(request, verdict)
      else risk.limits.writeDetails(exact, verdict.details, 0)
    }
    if (exact !== Result.Accepted) continue
    const reducesRisk = result === Result.Accepted && listing === null && verdict.reducesRisk
    addOrder(risk, store, { ...order, flags: reducesRisk ? OrderFlag.Exempt : 0 })
    counted.push(order)
  }
  const working = summaryOf(risk)
  const effect = new FillEffect()
  for (const { instrument, side, sizeLots, priceMicros } of counted) {
    const premium = premiumMicros(priceMicros, sizeLots)
    risk.fill(
      fillTerms({ account, instrument, side, sizeLots, priceMicros, premiumMicros: premium }),
      effect,
    )
  }
  return {
    listing,
    result,
    details: verdict.details,
    // Requirement in the worst case of the risk-reducing orders, as the admission computes it.
    required: before.equity - working.worstSlack,
    equity: before.equity,
    consumedIm: before.equity - before.worstSlack,
    consumedMm: before.positionMm,
    incrementalMm: summaryOf(risk).positionMm - before.positionMm,
  }
}

/** Checks caps like the core, which does it first: open orders, and instruments with a position. */
function checkCaps(
  risk: RiskEngine,
  order: OrderCheck,
  { openOrdersMax, positionsMax }: TierLimits,
  workingCount: number,
): Result {
  if (openOrdersMax >= 0 && workingCount >= openOrdersMax) return Result.LimitExceeded
  if (order.instrument < 0 || positionsMax < 0) return Result.Accepted
  const isFull = risk.wouldOpenPosition(order) && risk.positionsCounted[account] >= positionsMax
  return isFull ? Result.LimitExceeded : Result.Accepted
}

/** Lots that work in books, including those of previewed orders. */
class PreviewBooks {
  readonly #context: RouteContext
  readonly #lots = new Map<number, number>()

  constructor(context: RouteContext) {
    this.#context = context
  }

  /** Adds an order's lots to its book, if the sum stays exact. */
  takes({ instrument, sizeLots }: OrderCheck): boolean {
    const { books } = this.#context.views.market
    const lots = (this.#lots.get(instrument) ?? books.of(instrument).totalLots) + sizeLots
    if (lots >= exactBound) return false
    this.#lots.set(instrument, lots)
    return true
  }
}

/** Checks that sums over the wallet and the book stay exact whatever happens to the order. */
function checkExact(risk: RiskEngine, books: PreviewBooks, order: OrderCheck): Result {
  const result = risk.limits.check(order)
  if (result !== Result.Accepted) return result
  return books.takes(order) ? Result.Accepted : Result.BookLimit
}

/** Returns the new orders that a liquidation state allows, as in the core. */
function gateOf(state: number | undefined): number {
  if (state === LiquidationState.PreLiquidation) return LiquidationGate.ReducingOnly
  return state === LiquidationState.InLiquidation ? LiquidationGate.Closed : LiquidationGate.Open
}

function summaryOf(risk: RiskEngine): MarginSummary {
  const summary = new MarginSummary()
  risk.summarize(account, summary)
  return summary
}

/** Copies one wallet with its cash, positions and working orders, over the same instruments and marks. */
function copyOf({ views, config }: RouteContext, source: number, store: OrderTable): RiskEngine {
  const { market, accounts, timeMillis } = views
  const { standardIsDefinedRisk, portfolioModeAllowed, bands, risk: parameters } = config.engine
  const { fees } = accounts.risk
  const options = { standardIsDefinedRisk, portfolioModeAllowed, bands, fees }
  const { instruments, marks } = market
  const copy = new RiskEngine(instruments, store, marks, parameters, options)
  copy.openAccount(account)
  copy.setTime(timeMillis)
  if (source < 0) return copy
  const { risk, orders } = accounts
  copy.setTier(account, risk.tier[source] as Tier)
  copy.setMarginMode(account, risk.marginMode[source] as MarginMode)
  const { exposures } = risk
  const effect = new FillEffect()
  for (let row = risk.firstExposure[source]; row >= 0; row = exposures.nextInAccount[row]) {
    const instrument = exposures.instrument[row]
    const lots = exposures.positionLots[row]
    const premium = Math.abs(exposures.costMicros[row])
    if (lots !== 0) {
      copy.fill(
        fillTerms({
          account,
          instrument,
          side: lots > 0 ? 0 : 1,
          sizeLots: Math.abs(lots),
          premiumMicros: premium,
        }),
        effect,
      )
      const copied = copy.findExposure(account, instrument)
      copy.exposures.realizedMicros[copied] = exposures.realizedMicros[row]
    }
    for (let slot = exposures.firstOrder[row]; slot >= 0; slot = orders.nextInExposure[slot]) {
      addOrder(copy, store, {
        instrument,
        side: orders.side[slot] as Side,
        sizeLots: orders.openLots[slot],
        priceMicros: orders.priceMicros[slot],
        flags: orders.flags[slot],
      })
    }
  }
  copy.creditCash(account, risk.cashMicros[source] - copy.cashMicros[account])
  return copy
}

function addOrder(
  risk: RiskEngine,
  store: OrderTable,
  order: PreviewOrder & { readonly flags: number },
): void {
  const orderId = store.count + 1
  risk.addOrder(store.add(account, { ...order, orderId, filledLots: 0 }))
}
