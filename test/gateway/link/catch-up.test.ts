import assert from 'node:assert/strict'
import { test } from 'node:test'
import { smallMemory } from '../../../bench/event-script.js'
import { EventLogReader } from '../../../engine/memory/event-log.js'
import { logReaders } from '../../../engine/memory/exchange-memory.js'
import { requestTables } from '../../../gateway/link/catch-up.js'
import { ReadClient } from '../../../gateway/link/reads.js'

test('tables are requested with the time by which reads expire, even if it is far from the clock', async () => {
  const memory = smallMemory()
  const reads = new ReadClient(
    memory,
    0,
    new EventLogReader(memory.eventLog, logReaders.gateway(0)),
  )
  const engineMillis = Date.now() + 3_600_000
  let isOver = false
  const asked = requestTables(reads, engineMillis, () => isOver)
  reads.expire(engineMillis + 9000)
  assert.equal(reads.waiting, 1)
  reads.expire(engineMillis + 11_000)
  assert.equal(reads.waiting, 0)
  isOver = true
  assert.equal(await asked, null)
})
