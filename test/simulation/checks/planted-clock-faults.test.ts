import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EngineClock } from '../../../engine/core/engine-clock.js'
import { CoreState } from '../../../engine/state/core-state.js'
import { ClockState } from '../../../engine/state/market/clock-state.js'
import { LiquidationTable } from '../../../engine/state/market/liquidation-table.js'
import { firstFailing, tradingAlone } from '../../support/planted-fault.js'

// Each test lets clock steps have an effect that they must not have, in every engine of a run.

test('the simulator finds an engine that follows its clock wherever it goes', () => {
  const { prototype } = EngineClock
  const { read } = prototype
  prototype.read = function () {
    const millis = read.call(this)
    return millis + Math.max(0, this.aheadMillis)
  }
  const what = firstFailure(() => {
    prototype.read = read
  })
  assert.match(what, /engine time is stepped by \d+ ms/)
})

test('the simulator finds a clock step that raises no alarm', () => {
  const { prototype } = ClockState
  const { set } = prototype
  prototype.set = function (_alarm, stepMillis) {
    set.call(this, 0, stepMillis, 0)
  }
  const what = firstFailure(() => {
    prototype.set = set
  })
  assert.match(what, /the clock is -?\d+ ms ahead, and nobody doubts it/)
})

test('the simulator finds a clock alarm that halts nothing', () => {
  const { prototype } = CoreState
  const alarm = Object.getOwnPropertyDescriptor(prototype, 'clockAlarm')!
  Object.defineProperty(prototype, 'clockAlarm', { get: () => false, configurable: true })
  const what = firstFailure(() => Object.defineProperty(prototype, 'clockAlarm', alarm), 200, 4)
  assert.match(what, /while the clock is doubted/)
})

test('the simulator finds a clock step that uses up a grace period', () => {
  const { prototype } = LiquidationTable
  const { amend } = prototype
  prototype.amend = function (row, change) {
    amend.call(this, row, (changed) => {
      change(changed)
      changed.standingMillis = 0
      changed.stoodMillis = 0
    })
  }
  const what = firstFailure(
    () => {
      prototype.amend = amend
    },
    400,
    18,
  )
  assert.match(what, /had \d+ ms of its grace|timers of account \d (went on by|run against)/)
})

test('the simulator finds a snapshot that omits the clock alarm', () => {
  const { prototype } = ClockState
  const { save } = prototype
  prototype.save = (sink) => {
    sink.i32(0)
    sink.f64(0)
    sink.f64(0)
  }
  const restore = () => {
    prototype.save = save
  }
  const what = firstFailure(restore, 200, 7)
  assert.match(what, /hash differs|diverged|closed when it was journaled/)
})

/**
 * Returns the failure of the first seed that finds the fault, then removes the fault.
 * @param first of `Planted`
 */
function firstFailure(restore: () => void, steps = 200, first = 1): string {
  try {
    return firstFailing({ steps, without: tradingAlone, first }).what
  } finally {
    restore()
  }
}
