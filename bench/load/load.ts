import type { LoadOptions } from './load-options.js'
import { type LoadReport, reportRun } from './load-report.js'
import { LoadRun } from './load-run.js'
import type { LoadSession } from './load-session.js'
import { limitProblem } from './load-wallets.js'
import { cancelAll, readVenueState, reconcile } from './reconcile.js'

export interface LoadResult {
  readonly run: LoadRun
  readonly report: LoadReport
}

const secondsPerMinute = 60

/**
 * Runs one load from empty books to empty books: sends, waits, reconciles, and cancels the remaining orders.
 * @param onNote receives warnings about effects that may distort the figures.
 * @param interrupt ends the load early. The rest of the run follows, and the report notes the interruption.
 * @throws Error if the venue cannot be reached. Faults of the venue are in the report.
 */
export async function runLoad(
  session: LoadSession,
  options: LoadOptions,
  onNote: (note: string) => void = () => {},
  interrupt?: AbortSignal,
): Promise<LoadResult> {
  const { rest, contexts, nextNonce, reconcileParts } = session
  const rates = options.phases.map(({ ratePerSecond }) => ratePerSecond)
  const ordersPerMinute = Math.max(...rates) * secondsPerMinute
  const plan = { ordersPerMinute, openOrders: options.openOrders }
  const problem = await limitProblem(rest, reconcileParts.wallets, plan)
  if (problem !== null) onNote(problem)
  const before = await readVenueState(reconcileParts)
  const run = new LoadRun(session, options)
  await run.run(interrupt)
  const differences = await reconcile(reconcileParts, run.ledger, before)
  await cancelAll(rest, contexts, nextNonce)
  return { run, report: reportRun(run, differences) }
}
