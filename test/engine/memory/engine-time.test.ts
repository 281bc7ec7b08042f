import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CounterName, Counters } from '../../../engine/memory/counters.js'
import { EngineTime } from '../../../engine/memory/engine-time.js'
import { allocateExchangeMemory, doorbellOf } from '../../../engine/memory/exchange-memory.js'
import { steadyMillis } from '../../../engine/memory/steady-clock.js'

test('until the core has told its time, that of the machine is taken', () => {
  const time = new EngineTime(allocateExchangeMemory(0, 0))
  const before = Date.now()
  const millis = time.millis()
  assert.ok(millis >= before && millis <= Date.now())
})

test('from then on it is steady time and what the core says is beyond it, whatever the clock says', () => {
  const memory = allocateExchangeMemory(0, 0)
  const time = new EngineTime(memory)
  const beyondMillis = 5_000_000_000_000
  new Counters(memory.counters, doorbellOf.core).set(
    CounterName.EngineLessSteadyMillis,
    beyondMillis,
  )
  const before = Math.floor(steadyMillis() + beyondMillis)
  const millis = time.millis()
  assert.ok(Number.isInteger(millis))
  assert.ok(millis >= before && millis <= steadyMillis() + beyondMillis)
})
