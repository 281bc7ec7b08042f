import type { CompetitionTable } from '../../../engine/state/market/competition-table.js'
import { CompetitionState } from '../../../schemas/domain.js'
import { mustHold } from '../run/simulation-errors.js'

interface CompetitionInvariantsState {
  readonly clockAlarm: boolean
  readonly competitions: CompetitionTable
  readonly nowMillis: number
}

/**
 * Checks that a competition's state agrees with its span and engine time, unless the clock alarm is set, and that the
 * count of active ones is right.
 */
export function checkCompetitions({
  clockAlarm,
  competitions,
  nowMillis,
}: CompetitionInvariantsState): void {
  let activeCount = 0
  for (const [place, { id, state, terms }] of competitions.rows.entries()) {
    mustHold(id === place + 1, () => `competition ${id} stands at ${place}`)
    const { endMillis, startMillis } = terms
    mustHold(startMillis < endMillis, () => `competition ${id} ends before it begins`)
    if (state === CompetitionState.Active) activeCount++
    if (clockAlarm) continue
    const byTime =
      nowMillis < startMillis
        ? CompetitionState.Pre
        : nowMillis < endMillis
          ? CompetitionState.Active
          : CompetitionState.Post
    mustHold(state === byTime, () => `competition ${id} is ${state} at ${nowMillis}`)
  }
  mustHold(competitions.activeCount === activeCount, () => `${activeCount} competitions run`)
}
