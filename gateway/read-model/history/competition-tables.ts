import { given, givenText, table } from './table.js'

// What wallets have achieved in competitions that have begun, and in those that run what they hold and what positions from
// before count at. Ended ones keep their rows alone.
export const competitionLedgers = table(
  'competition_ledgers',
  null,
  {
    competitionId: given(0),
    /** `CompetitionState`; `Pre`: it is about to begin. */
    state: given(1),
    /** Of the first event that is about it, and of the one that ended it; 0: none has. */
    sinceSeq: given(2),
    endSeq: given(3),
  },
  { key: ['competitionId'] },
)
/** Behind which sequence the journal has to tell again what a loss has taken from the ledgers; no row: nothing. */
export const competitionGaps = table('competition_gaps', null, { seq: given(0) }, { key: ['seq'] })
export const competitionRows = table(
  'competition_rows',
  null,
  {
    competitionId: given(0),
    wallet: givenText,
    pnlMicros: given(1),
    volumeUsd: given(2),
    volumeMicros: given(3),
    marginMicros: given(4),
    trades: given(5),
  },
  { key: ['competitionId', 'wallet'] },
)
export const competitionHoldings = table(
  'competition_holdings',
  null,
  {
    competitionId: given(0),
    wallet: givenText,
    instrument: given(1),
    lots: given(2),
    costMicros: given(3),
    paidMicros: given(4),
  },
  { key: ['competitionId', 'wallet', 'instrument'] },
)
export const competitionMarks = table(
  'competition_marks',
  null,
  { competitionId: given(0), instrument: given(1), markMicros: given(2) },
  { key: ['competitionId', 'instrument'] },
)
