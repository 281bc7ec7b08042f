import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  checkpoint,
  type HistoryDatabase,
  historyPath,
  openHistory,
  openHistoryReadOnly,
  progressOf,
} from '../../../../gateway/read-model/history/history-schema.js'

const checkpoints = 4000
// A statement that stays is six kilobytes: they would be three times as much.
const grownBytesMax = 8 * 1024 * 1024

test('a checkpoint moves what is committed into the file of the store', () => {
  withStore((database, directory) => {
    checkpoint(database)
    database.exec('update progress set last_seq = 5')
    assert.equal(lastSeqOfFile(directory), 0)
    checkpoint(database)
    assert.equal(lastSeqOfFile(directory), 5)
  })
})

test('a checkpoint a second retains no memory, also in a thread without an event loop', () => {
  withStore((database) => {
    for (let i = 0; i < 100; i++) checkpoint(database)
    const before = process.memoryUsage.rss()
    for (let i = 0; i < checkpoints; i++) checkpoint(database)
    const grownBytes = process.memoryUsage.rss() - before
    assert.ok(grownBytes < grownBytesMax, `resident memory grew by ${grownBytes} bytes`)
  })
})

test('a store of this version opens unchanged', () => {
  withStore((database, directory) => {
    database.exec('update progress set last_seq = 5')
    const opened = openHistory(directory)
    assert.equal(progressOf(opened).seq, 5)
    opened.close()
  })
})

test('a file with another application id is not opened', () => {
  withStore((database, directory) => {
    database.exec('pragma application_id = 0')
    assert.throws(() => openHistory(directory), /not a history store of this release/)
  })
})

test('a store of an earlier or later version is not opened, not even for reading', () => {
  withStore((database, directory) => {
    for (const version of [9, 1000]) {
      database.exec(`pragma user_version = ${version}`)
      const message = new RegExp(`^Error: the store has table version ${version}`)
      assert.throws(() => openHistory(directory), message)
      assert.throws(() => openHistoryReadOnly(directory), message)
    }
  })
})

/** Returns the last sequence in the file alone, without its log. */
function lastSeqOfFile(directory: string): number {
  const copied = join(directory, 'copied')
  mkdirSync(copied, { recursive: true })
  copyFileSync(historyPath(directory), historyPath(copied))
  const database = openHistory(copied)
  try {
    return progressOf(database).seq
  } finally {
    database.close()
    rmSync(copied, { recursive: true })
  }
}

function withStore(use: (database: HistoryDatabase, directory: string) => void): void {
  const directory = mkdtempSync(join(tmpdir(), 'strikebook-'))
  const database = openHistory(directory)
  try {
    use(database, directory)
  } finally {
    database.close()
    rmSync(directory, { recursive: true, force: true })
  }
}
