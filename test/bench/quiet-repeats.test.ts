import assert from 'node:assert/strict'
import { test } from 'node:test'
import { repeatQuietly } from '../../bench/quiet-repeats.js'

/** Others keep so many cores busy during the repeats, the last for ever. */
function meterOf(...loads: number[]) {
  let repeat = -1
  return {
    begin: () => {
      repeat++
    },
    cores: () => loads[Math.min(repeat, loads.length - 1)],
  }
}

const measure = (repeat: number) => Promise.resolve(`repeat ${repeat}`)

test('on a quiet machine every repetition counts', async () => {
  const { figures, quiet } = await repeatQuietly(3, measure, meterOf(0, 0.05, 0.1))
  assert.deepEqual(figures, ['repeat 0', 'repeat 1', 'repeat 2'])
  assert.deepEqual(quiet, { othersCoresMax: 0.1, measuredAgain: 0 })
})

test('a repetition that other processes disturbed is measured again', async () => {
  const { figures, quiet } = await repeatQuietly(2, measure, meterOf(0, 0.8, 1.5, 0.02))
  assert.deepEqual(figures, ['repeat 0', 'repeat 3'])
  assert.deepEqual(quiet, { othersCoresMax: 0.02, measuredAgain: 2 })
})

test('on a machine that is never quiet the measurement ends with a note', async () => {
  const { figures, quiet } = await repeatQuietly(2, measure, meterOf(1.25))
  assert.deepEqual(figures, ['repeat 4', 'repeat 5'])
  assert.deepEqual(quiet, { othersCoresMax: 1.25, measuredAgain: 4 })
})

test('a single repetition counts whatever other processes did', async () => {
  const { figures, quiet } = await repeatQuietly(1, measure, meterOf(1.25))
  assert.deepEqual(figures, ['repeat 0'])
  assert.deepEqual(quiet, { othersCoresMax: 1.25, measuredAgain: 0 })
})
