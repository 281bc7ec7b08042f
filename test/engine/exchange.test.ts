import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { BareExchange } from '../support/bare-exchange.js'

const directory = mkdtempSync(join(tmpdir(), 'strikebook-exchange-'))
after(() => rmSync(directory, { recursive: true, force: true }))

/** Unknown command without a signer, which stops the core. */
const impossible = { type: 63, bytes: 96 }

test('stopping ends even if the core fails on its remaining commands', async () => {
  const exchange = await BareExchange.start({ directory, matchers: 1, segmentBytes: 1 << 20 })
  exchange.drain()
  assert.ok(exchange.commands.tryClaim(impossible.bytes, impossible.type) >= 0)
  exchange.send()
  await exchange.stop()
  assert.equal(exchange.failures.length, 1)
  assert.match(exchange.failures[0]!, /^core: /)
})

test('the next start has all batches that were journaled before the failure', async () => {
  const exchange = await BareExchange.start({ directory, matchers: 0, segmentBytes: 1 << 20 })
  assert.ok(exchange.batchNumber() >= 1)
  assert.deepEqual(exchange.notes, [])
  exchange.drain()
  await exchange.stop()
  assert.deepEqual(exchange.failures, [])
})

test('a start fails if the journal ends before the end of the history store', async () => {
  const historySeq = 1_000_000
  const options = { directory, matchers: 0, segmentBytes: 1 << 20, historySeq }
  await assert.rejects(
    BareExchange.start(options),
    /it ends with batch \d+, sequence \d+ .* the history store has seen sequence 1000000.*--accept-loss/,
  )
})

test('the operator can accept a loss: numbers continue after it, and later starts do not report it', async () => {
  const options = { directory, matchers: 0, segmentBytes: 1 << 20, historySeq: 1_000_000 }
  const exchange = await BareExchange.start({ ...options, acceptsLoss: true })
  assert.match(exchange.notes.join(), /loss is accepted: sequences \d+ to 1000000 are gone/)
  exchange.drain()
  await exchange.stop()
  const again = await BareExchange.start(options)
  assert.deepEqual(again.notes, [])
  assert.ok(again.batchNumber() > 1_000_000 - 100)
  again.drain()
  await again.stop()
  assert.deepEqual([...exchange.failures, ...again.failures], [])
})

test('the journal of another venue fails by name', async () => {
  const options = { directory: join(directory, 'named'), matchers: 0, segmentBytes: 1 << 20 }
  const first = await BareExchange.start({ ...options, identity: 'preset testnet, chain 998' })
  first.drain()
  await first.stop()
  await assert.rejects(
    BareExchange.start({ ...options, identity: 'preset testnet, chain 999' }),
    /belongs to preset testnet, chain 998; this is preset testnet, chain 999/,
  )
})
