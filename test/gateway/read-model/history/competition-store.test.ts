import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  dropStandingsAfter,
  gapSeqOf,
} from '../../../../gateway/read-model/history/competition-store.js'
import {
  type HistoryDatabase,
  openHistory,
} from '../../../../gateway/read-model/history/history-schema.js'
import { CompetitionState } from '../../../../schemas/domain.js'

/** Sequences of a competition's first event and of its end; 0: it runs. */
type Span = readonly [sinceSeq: number, endSeq: number]

/** Runs `use` with a store that knows competitions from number 1 on, each with one participant. */
function withSpans(spans: readonly Span[], use: (database: HistoryDatabase) => void): void {
  const dataDir = mkdtempSync(join(tmpdir(), 'competition-store-'))
  const database = openHistory(dataDir)
  try {
    const ledger = database.prepare('insert into competition_ledgers values (?, ?, ?, ?)')
    const row = database.prepare('insert into competition_rows values (?, ?, 1, 0, 0, 0, 1)')
    for (const [index, [sinceSeq, endSeq]] of spans.entries()) {
      const state = endSeq === 0 ? CompetitionState.Active : CompetitionState.Post
      ledger.run(index + 1, state, sinceSeq, endSeq)
      row.run(index + 1, '0xaa')
    }
    use(database)
  } finally {
    database.close()
    rmSync(dataDir, { recursive: true })
  }
}

/** Competitions that the store still has, by ledger and by row. */
function left(database: HistoryDatabase): number[][] {
  return ['competition_ledgers', 'competition_rows'].map((table) => {
    const rows = database.prepare(`select competition_id as id from ${table} order by 1`).all()
    return (rows as { id: number }[]).map(({ id }) => id)
  })
}

test('competitions that ended before a loss stay, and later ones follow without a gap', () => {
  const spans: Span[] = [
    [10, 20],
    [30, 0],
    [31, 40],
  ]
  withSpans(spans, (database) => {
    dropStandingsAfter(database, 25)
    assert.deepEqual([left(database), gapSeqOf(database)], [[[1], [1]], null])
  })
})

test('competitions that ran at a loss are published again from their start, with overlapping ones', () => {
  const spans: Span[] = [
    [1, 9],
    [10, 20],
    [15, 35],
    [30, 0],
    [50, 60],
  ]
  withSpans(spans, (database) => {
    dropStandingsAfter(database, 40)
    assert.deepEqual([left(database), gapSeqOf(database)], [[[1], [1]], 9])
    dropStandingsAfter(database, 9)
    assert.deepEqual([left(database), gapSeqOf(database)], [[[1], [1]], 9], 'the same again')
  })
})

test('a second loss while a gap is being closed does not shrink it', () => {
  withSpans([[1, 9]], (database) => {
    database.exec('insert into competition_gaps values (12)')
    const again = database.prepare('insert into competition_ledgers values (2, ?, 13, 0)')
    again.run(CompetitionState.Active)
    dropStandingsAfter(database, 40)
    assert.deepEqual([left(database)[0], gapSeqOf(database)], [[1], 12])
    dropStandingsAfter(database, 5)
    assert.deepEqual([left(database)[0], gapSeqOf(database)], [[], 0])
  })
})
