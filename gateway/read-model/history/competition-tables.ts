import { given, givenText, table } from './table.js'

// Results of wallets in competitions that have begun. A running competition also stores holdings, and the marks at
// which earlier positions count. An ended one keeps only its rows.
export const competitionLedgers = table(
  'competition_ledgers',
  null,
  {
    competitionId: given(0),
    /** `CompetitionState`; `Pre`: it is about to begin. */
    state: given(1),
    /** Sequence of its first event. */
    sinceSeq: given(2),
    /** Sequence of the event that ended it; 0: it has not ended. */
    endSeq: given(3),
  },
  { key: ['competitionId'] },
)
/** Sequence after which the ledgers need a replay of the journal, because of data loss; no row: they are complete. */
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
