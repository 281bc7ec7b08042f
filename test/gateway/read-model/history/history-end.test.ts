import assert from 'node:assert/strict'
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { mock, test } from 'node:test'
import Database from 'libsql'
import { walletOf } from '../../../../bench/event-script.js'
import type { AcceptedLoss } from '../../../../engine/core/core-start.js'
import {
  quarantineUnusable,
  readHistoryEnd,
  recoverHistory,
} from '../../../../gateway/read-model/history/history-end.js'
import { historyPath, openHistory } from '../../../../gateway/read-model/history/history-schema.js'
import { trades } from '../../../../gateway/read-model/history/history-tables.js'
import { putRows, storedRows } from '../../../support/stored-rows.js'

const perps = ['BTC', 'ETH', 'SOL'] as const
const [maker, taker] = [walletOf(1), walletOf(2)]

/** Runs `use` with a store that knows three perps, and a trade of each. */
function withPerps(use: (dataDir: string) => void): void {
  const dataDir = mkdtempSync(join(tmpdir(), 'history-end-'))
  const database = openHistory(dataDir)
  const listed = database.prepare('insert into instruments values (?, ?, ?, ?, 1, 0, 0)')
  for (const [i, name] of perps.entries()) {
    listed.run(i, `${name}-PERP`, name, i)
    putRows(database, trades, [{ tradeId: i + 1, instrument: i, underlyingIndex: i, maker, taker }])
  }
  database.exec('update progress set last_seq = 22')
  database.close()
  try {
    use(dataDir)
  } finally {
    rmSync(dataDir, { recursive: true })
  }
}

/** Returns an accepted loss after which the journal has this number of instruments. */
function lossWith(dataDir: string, instrumentCount: number): AcceptedLoss {
  const border = { ...readHistoryEnd(dataDir), batchNumber: 9 }
  const counts = { orderCount: 0, tradeCount: instrumentCount, payoutCount: 0 }
  return { border, seq: instrumentCount, ...counts, instrumentCount }
}

function tradesIn(path: string): number {
  const database = new Database(path, { readonly: true })
  const count = storedRows(database, trades).length
  database.close()
  return count
}

/** Damages the first page of the trades. @returns a function that repairs it. */
function spoilTrades(dataDir: string): () => void {
  const path = historyPath(dataDir)
  const database = openHistory(dataDir)
  const root = "select rootpage as page from sqlite_schema where name = 'trades'"
  const { page } = database.prepare(root).get() as { page: number }
  const { bytes } = database.prepare('select page_size as bytes from pragma_page_size').get() as {
    bytes: number
  }
  // All of it must be in the file, not only in the log.
  database.exec('pragma wal_checkpoint(TRUNCATE)')
  database.close()
  const at = (page - 1) * bytes
  const good = Buffer.alloc(bytes)
  const file = openSync(path, 'r')
  readSync(file, good, 0, bytes, at)
  closeSync(file)
  const write = (content: Buffer) => {
    const target = openSync(path, 'r+')
    writeSync(target, content, 0, bytes, at)
    closeSync(target)
  }
  write(Buffer.alloc(bytes, 0xff))
  return () => write(good)
}

test('names and ids of lost instruments are known to every later start, also after a crash', () => {
  withPerps((dataDir) => {
    for (const attempt of ['first', 'second']) {
      recoverHistory(dataDir, lossWith(dataDir, 0))
      const { underlyings, instrumentCount } = readHistoryEnd(dataDir)
      assert.deepEqual([underlyings, instrumentCount], [[...perps], 3], `${attempt} time`)
    }
  })
})

test('lost underlyings are listed among those of the journal, in the order of their indexes', () => {
  withPerps((dataDir) => {
    recoverHistory(dataDir, lossWith(dataDir, 1))
    const database = openHistory(dataDir)
    database.exec("insert into instruments values (3, 'SOL-PERP', 'SOL', 2, 1, 0, 0)")
    database.exec("insert into instruments values (4, 'XRP-PERP', 'XRP', 3, 1, 0, 0)")
    database.close()
    assert.deepEqual(readHistoryEnd(dataDir).underlyings, ['BTC', 'ETH', 'SOL', 'XRP'])
  })
})

test('an unfinished copy keeps every row, and the next start does not take it for a copy', () => {
  withPerps((dataDir) => {
    const loss = lossWith(dataDir, 0)
    const mend = spoilTrades(dataDir)
    assert.throws(() => recoverHistory(dataDir, loss), /malformed/)
    mend()
    assert.equal(tradesIn(historyPath(dataDir)), 3, 'nothing was deleted')
    const { copy } = recoverHistory(dataDir, loss)!
    assert.equal(tradesIn(copy), 3, 'the copy is whole')
    assert.equal(tradesIn(historyPath(dataDir)), 0)
  })
})

test('the rest of a copy after a crash is replaced, and the new one is private', () => {
  withPerps((dataDir) => {
    const loss = lossWith(dataDir, 0)
    const part = `${historyPath(dataDir)}.before-loss-${loss.border.seq}.part`
    writeFileSync(part, 'SQLite format 3\0 and no more', { mode: 0o644 })
    const { copy } = recoverHistory(dataDir, loss)!
    assert.equal(tradesIn(copy), 3)
    assert.equal(statSync(copy).mode & 0o777, 0o600)
    assert.equal(existsSync(part), false)
    const others = readdirSync(dataDir).filter((name) => name.startsWith(`${basename(copy)}-`))
    assert.deepEqual(others, [], 'the copy is one file')
  })
})

test('the commit that removes the lost rows is flushed before the journal continues', () => {
  withPerps((dataDir) => {
    type Row = { synchronous: number }
    const synchronousFull = 2
    const loss = lossWith(dataDir, 0)
    const seen: number[] = []
    const exec = Database.prototype.exec
    const spy = mock.method(
      Database.prototype,
      'exec',
      function (this: Database.Database, sql: string) {
        if (sql === 'commit')
          seen.push((this.prepare('pragma synchronous').get() as Row).synchronous)
        return exec.call(this, sql)
      },
    )
    try {
      recoverHistory(dataDir, loss)
    } finally {
      spy.mock.restore()
    }
    assert.deepEqual(seen, [synchronousFull])
  })
})

/** Throws the error of SQLite without room for another page. */
function outOfRoom(dataDir: string): never {
  const database = openHistory(dataDir)
  try {
    database.pragma('max_page_count = 1')
    database.exec('create table more as select randomblob(1000000)')
    assert.fail('there was room')
  } finally {
    database.close()
  }
}

test('a sound store on a full disk is named, and stays in place', () => {
  withPerps((dataDir) => {
    assert.throws(() => quarantineUnusable(dataDir, outOfRoom), /history\.db: .*full$/)
    assert.deepEqual(
      readdirSync(dataDir).filter((name) => name.includes('aside')),
      [],
    )
    assert.equal(tradesIn(historyPath(dataDir)), 3)
  })
})

test('a damaged store is renamed, and the reason is reported', () => {
  withPerps((dataDir) => {
    assert.equal(quarantineUnusable(dataDir), null)
    writeFileSync(historyPath(dataDir), Buffer.alloc(8192, 7))
    for (const end of ['-wal', '-shm']) rmSync(historyPath(dataDir) + end, { force: true })
    assert.match(quarantineUnusable(dataDir)!, /not a database; moved it to .*aside/)
    assert.ok(!existsSync(historyPath(dataDir)))
  })
})
