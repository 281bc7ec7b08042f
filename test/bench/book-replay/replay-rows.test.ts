import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runBookReplayBench } from '../../../bench/book-replay/replay-rows.js'

test('without files of the yardstick a sample is replayed, in threads, with and without stored orders', async () => {
  const options = { files: '/nowhere', messages: 3_000, repeats: 2, warmUps: 1 }
  const rows = await runBookReplayBench(options)
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['sample.second-thread', 'sample.kept', 'sample.bare-loop', 'sample.kept-of-bare-loop'],
  )
  for (const row of rows) assert.ok(row.value > 0, row.name)
})
