import { detailsCount } from '../../../schemas/bounds.js'

/** What an operator command did: reused, read at once. */
export class MarketOutcome {
  /** Nothing changed: listed already, or the deposit is known. */
  repeat = false
  instrument = -1
  /** Account that a refusal is about, in place of the command's wallet; -1: none. */
  account = -1
  /** That a SetCompetition has made, changed or found; 0: none. */
  competitionId = 0
  /** Values of a refusal, in the order of its row's `details` in schemas/results.ts. */
  readonly details = new Float64Array(detailsCount)
}
