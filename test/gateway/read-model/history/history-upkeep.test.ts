import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { BenchEngine, beginCompetition } from '../../../../bench/core-engine.js'
import { CoreFlow } from '../../../../bench/core-flow.js'
import { smallMemory } from '../../../../bench/event-script.js'
import { NodeFiles } from '../../../../engine/journal/node-files.js'
import { CounterName, Counters } from '../../../../engine/memory/counters.js'
import { allocateEventLog } from '../../../../engine/memory/event-log.js'
import { flagWords, wakeupOf } from '../../../../engine/memory/exchange-memory.js'
import { engineConfigDefault } from '../../../../engine/state/market/engine-config.js'
import { dropStandingsAfter } from '../../../../gateway/read-model/history/competition-store.js'
import { HistoryRebuild } from '../../../../gateway/read-model/history/history-rebuild.js'
import { openHistory, progressOf } from '../../../../gateway/read-model/history/history-schema.js'
import { HistoryUpkeep } from '../../../../gateway/read-model/history/history-upkeep.js'
import { listMistakes } from '../../../../gateway/read-model/history/list-check.js'
import { longTest } from '../../../support/long-test.js'

const shape = { seed: 5, wallets: 20, underlyings: 1 }
const commands = 500
const logBytes = 1 << 22
const tables = [
  ...['orders', 'fills', 'trades', 'nonces', 'instruments'],
  ...['competition_ledgers', 'competition_rows', 'competition_holdings', 'competition_marks'],
]

/** Core and journal of a venue with a competition, and a history that the test runs. */
class KeptVenue {
  readonly notes: string[] = []
  readonly #root = mkdtempSync(join(tmpdir(), 'history-'))
  readonly #memory = { ...smallMemory(), eventLog: allocateEventLog(logBytes) }
  readonly #engine = new BenchEngine(
    new NodeFiles(join(this.#root, 'journal')),
    engineConfigDefault,
    this.#memory.eventLog,
  )
  readonly #flow = new CoreFlow(this.#engine, shape)
  #millis = 0
  #upkeep = this.#newUpkeep()

  constructor() {
    this.#upkeep.onStart()
    this.#setReady(1)
    this.#flow.open()
    beginCompetition(this.#engine, this.#flow.nowMillis)
  }

  get isDown(): boolean {
    return this.#counter(CounterName.HistoryDown) === 1
  }

  get rebuilds(): number {
    return this.#counter(CounterName.HistoryRebuilds)
  }

  /** Trades, independent of the history. */
  trade(): void {
    this.#flow.fill(commands)
    this.#flow.run()
    const core = new Counters(this.#memory.counters, wakeupOf.core)
    core.set(CounterName.Sequence, this.#engine.state.sink.seq)
  }

  /** Until half of the event log is what the history has not taken in. */
  tradeAhead(): void {
    for (let i = 0; i < 8; i++) this.trade()
  }

  /** Overwrites the whole event log right after a history has checked that it has not lagged. */
  tradeRound(): void {
    for (let i = 0; i < 30; i++) this.trade()
    this.#setReady(0)
    this.turn()
    this.#setReady(1)
  }

  /** Leaves the store as a killed process does, for another process. */
  kill(): void {
    new Counters(this.#memory.counters, wakeupOf.history).set(CounterName.HistoryDown, 0)
    this.#upkeep = this.#newUpkeep()
    this.#upkeep.onStart()
  }

  turn(): number {
    if (this.#upkeep.lacksRebuild) this.#upkeep.provideRebuild(HistoryRebuild)
    return this.#upkeep.doWork()
  }

  settle(): void {
    for (let turns = 0; this.turn() > 0 || this.isDown; turns++) {
      assert.ok(turns < 10_000)
      this.#millis += 100
    }
  }

  #setReady(value: number): void {
    Atomics.store(new Int32Array(this.#memory.flags), flagWords.ready, value)
  }

  end(): void {
    this.#upkeep.onClose()
    this.#engine.journal.onClose()
  }

  /** Every row of the store, whose lists are what its tables say. */
  rows(): readonly unknown[] {
    const database = openHistory(this.#root)
    try {
      assert.deepEqual([...listMistakes(database)].filter(Boolean), [])
      assert.equal(progressOf(database).seq, this.#engine.state.sink.seq)
      return tables.map((table) => database.prepare(`select * from ${table}`).raw().all())
    } finally {
      database.close()
    }
  }

  /** Removes the standings, like a loss during the competition. */
  loseStandings(): void {
    const database = openHistory(this.#root)
    dropStandingsAfter(database, progressOf(database).seq)
    database.close()
  }

  remove(): void {
    rmSync(this.#root, { recursive: true })
  }

  #newUpkeep(): HistoryUpkeep {
    return new HistoryUpkeep({
      memory: this.#memory,
      dataDir: this.#root,
      engine: engineConfigDefault,
      journalDirectory: join(this.#root, 'journal'),
      identity: '',
      keepDays: 0,
      clock: () => this.#millis,
      onNote: (text) => this.notes.push(text),
    })
  }

  #counter(name: CounterName): number {
    return new Counters(this.#memory.counters, wakeupOf.history).read(wakeupOf.history, name)
  }
}

/** The same trading, with a history that always keeps up. */
function promptRows(rounds: number): readonly unknown[] {
  const venue = new KeptVenue()
  try {
    venue.settle()
    for (let i = 0; i < rounds; i++) {
      venue.trade()
      venue.settle()
    }
    venue.end()
    return venue.rows()
  } finally {
    venue.remove()
  }
}

function withVenue(use: (venue: KeptVenue) => void): void {
  const venue = new KeptVenue()
  try {
    use(venue)
  } finally {
    venue.remove()
  }
}

test('a history that lags far releases the event log, and reads the missing events from the journal', () => {
  withVenue((venue) => {
    venue.settle()
    venue.tradeAhead()
    venue.turn()
    assert.ok(venue.isDown)
    venue.tradeAhead()
    venue.settle()
    venue.trade()
    venue.settle()
    assert.equal(venue.rebuilds, 0)
    venue.end()
    assert.deepEqual(venue.rows(), promptRows(17))
  })
})

test('the core does not stop for a lapped history, which reads the missing events from the journal', () => {
  withVenue((venue) => {
    venue.settle()
    venue.trade()
    venue.settle()
    venue.tradeRound()
    assert.ok(venue.isDown)
    venue.settle()
    assert.equal(venue.rebuilds, 0)
    venue.end()
    assert.deepEqual(venue.rows(), promptRows(31))
  })
})

longTest('a store that is lapped repeatedly while it is filled is complete in the end', () => {
  withVenue((venue) => {
    venue.settle()
    venue.tradeRound()
    for (let i = 0; i < 3; i++) {
      for (let turns = 0; turns < 5; turns++) venue.turn()
      for (let rounds = 0; rounds < 30; rounds++) venue.trade()
    }
    venue.settle()
    venue.trade()
    venue.settle()
    venue.end()
    assert.deepEqual(venue.rows(), promptRows(121))
  })
})

longTest('a store killed while it is filled continues where it was', () => {
  withVenue((venue) => {
    venue.settle()
    venue.tradeRound()
    for (let turns = 0; turns < 5; turns++) venue.turn()
    assert.ok(venue.isDown)
    venue.kill()
    venue.tradeRound()
    venue.settle()
    assert.equal(venue.rebuilds, 0)
    venue.end()
    assert.deepEqual(venue.rows(), promptRows(60))
  })
})

test('the journal publishes standings of a loss again, also after a kill in between', () => {
  withVenue((venue) => {
    venue.settle()
    venue.trade()
    venue.settle()
    venue.loseStandings()
    venue.kill()
    venue.trade()
    for (let turns = 0; turns < 3; turns++) venue.turn()
    assert.ok(venue.isDown)
    venue.kill()
    venue.trade()
    venue.settle()
    assert.equal(venue.rebuilds, 0)
    venue.end()
    assert.deepEqual(venue.rows(), promptRows(3))
  })
})
