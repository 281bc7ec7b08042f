import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { BareExchange } from '../support/bare-exchange.js'

const directory = mkdtempSync(join(tmpdir(), 'strikebook-exchange-'))
after(() => rmSync(directory, { recursive: true, force: true }))

/** No command, and none that a signer would be looked for: the core refuses to go on. */
const impossible = { type: 63, bytes: 96 }

test('stopping ends even when the core fails on what it still has to take', async () => {
  const exchange = await BareExchange.start({ directory, matchers: 1, segmentBytes: 1 << 20 })
  exchange.drain()
  assert.ok(exchange.commands.tryClaim(impossible.bytes, impossible.type) >= 0)
  exchange.send()
  await exchange.stop()
  assert.equal(exchange.failures.length, 1)
  assert.match(exchange.failures[0]!, /^core: /)
})

test('and what it had journaled before is there at the next start', async () => {
  const exchange = await BareExchange.start({ directory, matchers: 0, segmentBytes: 1 << 20 })
  assert.ok(exchange.batchNumber() >= 1)
  assert.deepEqual(exchange.notes, [])
  exchange.drain()
  await exchange.stop()
  assert.deepEqual(exchange.failures, [])
})

test('a journal that ends before what the history store was told is reported', async () => {
  const historySeq = 1_000_000
  const options = { directory, matchers: 0, segmentBytes: 1 << 20, historySeq }
  const exchange = await BareExchange.start(options)
  exchange.drain()
  await exchange.stop()
  assert.equal(exchange.notes.length, 1)
  assert.match(exchange.notes[0]!, /ends with sequence \d+, the history store has 1000000/)
})
