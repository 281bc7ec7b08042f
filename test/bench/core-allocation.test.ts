import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { runCoreAllocationBench } from '../../bench/core-allocation.js'

test('an order leaves hardly any garbage in core and matcher', () => {
  const options = { warmUp: 60_000, commands: 40_000, directory: tmpdir() }
  const [row] = runCoreAllocationBench(options)
  // Twice the threshold of a full run: the compiler may not be through yet. It was 700 once.
  assert.ok(row!.value <= 128, `${row!.value} bytes a command`)
})
