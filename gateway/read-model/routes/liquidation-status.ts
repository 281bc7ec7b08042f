import { OrderFlag } from '../../../schemas/domain.js'
import type { LiquidationEvent } from '../../../schemas/generated/events.js'
import type { DataOf } from '../../../schemas/interface/answer.js'
import { viewReads } from '../../../schemas/interface/reads.js'
import {
  LiquidationMode,
  LiquidationState,
  liquidationStateNames,
} from '../../../schemas/record-values.js'
import {
  type AuctionView,
  auctionPositionText,
  fullText,
  liquidationSummary,
  partialText,
} from '../texts/liquidation-text.js'
import { marginOf, positionRows } from '../texts/portfolio-text.js'
import { type RouteContext, walletRoute } from '../texts/route-context.js'
import type { EventViews } from '../views/event-views.js'

/** Deciding values of the wallet at present. */
type MarginNow = Pick<AuctionView, 'equityMicros' | 'mmMicros'>

/**
 * Answers GET /liquidation/status: the state of a wallet, by its current margin. The terms of its auction are those of
 * the latest valuation.
 */
export const liquidationStatusRoute = walletRoute(viewReads['GET /liquidation/status'], statusOf)
type LiquidationStatus = DataOf<(typeof viewReads)['GET /liquidation/status']>

function statusOf(wallet: string, { views }: RouteContext): LiquidationStatus {
  const account = views.accounts.find(wallet)
  const { equity, positionMm, mode } = marginOf(views, account)
  const latest = views.liquidations.of(account)
  const facts = latest?.state === LiquidationState.Healthy ? undefined : latest
  const judged = facts ?? { mode: LiquidationMode.None, marginMode: mode }
  const now = { equityMicros: equity, mmMicros: positionMm }
  return {
    wallet,
    state: liquidationStateNames[facts?.state ?? LiquidationState.Healthy],
    // Grace, partial liquidation and auction wait while a market of the wallet's positions is closed.
    timers_stand: facts?.isStanding === 1,
    ...liquidationSummary(judged, equity, positionMm),
    partial_liquidation: facts === undefined ? null : partialOf(facts, views, now),
    full_liquidation:
      facts === undefined ? null : fullText(facts, auctionView(views, facts.account, now)),
  }
}

function partialOf(facts: LiquidationEvent, views: EventViews, now: MarginNow) {
  const deadlineMillis = facts.deadlineMillis + pausedMillis(facts, views)
  return partialText(facts, { ...now, deadlineMillis }, ownOrders(views, facts.account))
}

/** Returns the time by which a deadline has moved since it was published, because the timers are paused. */
function pausedMillis(facts: LiquidationEvent, { timeMillis }: EventViews): number {
  return facts.isStanding === 1 ? timeMillis - facts.timeMillis : 0
}

function auctionView(views: EventViews, account: number, now: MarginNow): AuctionView | null {
  const auction = views.liquidations.auctionOf(account)
  if (auction === undefined) return null
  const { risk } = views.accounts
  const positions = positionRows(views, account).map((row) => {
    const symbol = views.market.symbols[risk.exposures.instrument[row]!]!
    return auctionPositionText(
      symbol,
      risk.exposures.positionLots[row]!,
      risk.entryPriceMicros(row),
    )
  })
  const { requiredMicros, version, timeMillis: valuationMillis } = auction
  return { ...now, requiredMicros, version, valuationMillis, positions }
}

/** Returns the ids of the engine's working orders for the account, oldest first. */
function ownOrders({ accounts }: EventViews, account: number): number[] {
  const { orders, risk } = accounts
  const { exposures, firstExposure } = risk
  const ids: number[] = []
  for (let row = firstExposure[account]!; row >= 0; row = exposures.nextInAccount[row]!) {
    let slot = exposures.firstOrder[row]!
    for (; slot >= 0; slot = orders.nextInExposure[slot]!) {
      if ((orders.flags[slot]! & OrderFlag.Liquidation) !== 0) ids.push(orders.orderId[slot]!)
    }
  }
  return ids.sort((one, other) => one - other)
}
