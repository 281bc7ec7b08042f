import { detailsCount } from '../../../schemas/bounds.js'

/** Result of an operator command; reused, so read it at once. */
export class MarketOutcome {
  /** True if nothing changed: the instrument was listed already, or the deposit is known. */
  repeat = false
  instrument = -1
  /** Account that an error is about, in place of the command's wallet; -1 for none. */
  account = -1
  /** Competition that SetCompetition added, changed or found; 0 for none. */
  competitionId = 0
  /** Details of an error, in the order of its row's `details` in schemas/results.ts. */
  readonly details = new Float64Array(detailsCount)
}
