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
 * One run from empty books to empty books: load, wait, compare, cancel what is left.
 * @param onNote hears, in sentences, what may make the figures those of something else.
 * @param interrupt ends the load early; the rest of the run follows, and the report says so.
 * @throws Error when the venue cannot be reached; what the venue does wrong is in the report.
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
