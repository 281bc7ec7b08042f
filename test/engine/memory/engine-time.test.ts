import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CounterName, Counters } from '../../../engine/memory/counters.js'
import { EngineTime } from '../../../engine/memory/engine-time.js'
import { allocateExchangeMemory, wakeupOf } from '../../../engine/memory/exchange-memory.js'
import { steadyMillis } from '../../../engine/memory/steady-clock.js'

test("until the core has published its time, the machine's time applies", () => {
  const time = new EngineTime(allocateExchangeMemory(0, 0))
  const before = Date.now()
  const millis = time.millis()
  assert.ok(millis >= before && millis <= Date.now())
})

test("from then on steady time plus the core's offset applies, whatever the clock says", () => {
  const memory = allocateExchangeMemory(0, 0)
  const time = new EngineTime(memory)
  const beyondMillis = 5_000_000_000_000
  new Counters(memory.counters, wakeupOf.core).set(CounterName.EngineLessSteadyMillis, beyondMillis)
  const before = Math.floor(steadyMillis() + beyondMillis)
  const millis = time.millis()
  assert.ok(Number.isInteger(millis))
  assert.ok(millis >= before && millis <= steadyMillis() + beyondMillis)
})
