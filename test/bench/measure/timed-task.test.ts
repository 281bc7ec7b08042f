import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timeByTurns, timeRuns } from '../../../bench/measure/timed-task.js'

/** A task that writes down what is called; it takes longer each time. */
function published(name: string, calls: string[], runsPerTurn?: number) {
  return {
    prepare: () => void calls.push(`prepare ${name}`),
    run: () => {
      calls.push(`run ${name}`)
      const end = process.hrtime.bigint() + BigInt(calls.length) * 20_000n
      while (process.hrtime.bigint() < end);
    },
    finish: () => void calls.push(`finish ${name}`),
    ...(runsPerTurn === undefined ? {} : { runsPerTurn }),
  }
}

const once = (name: string) => [`prepare ${name}`, `run ${name}`, `finish ${name}`]

test('a task runs exactly as often as requested, between the untimed parts', () => {
  const calls: string[] = []
  const nanos = timeRuns(published('a', calls), 3)
  assert.deepEqual(calls, [...once('a'), ...once('a'), ...once('a')])
  assert.equal(nanos.length, 3)
  assert.ok(nanos[0]! >= 40_000 && nanos[1]! >= 100_000 && nanos[2]! >= 160_000, nanos.join())
})

test('tasks take turns, and warm-up turns do not count', () => {
  const calls: string[] = []
  const tasks = [published('a', calls), published('b', calls, 2)]
  const nanos = timeByTurns(tasks, { warmUps: 1, turns: 2 })
  const turn = [...once('a'), ...once('b'), ...once('b')]
  assert.deepEqual(calls, [...turn, ...turn, ...turn])
  assert.deepEqual(
    nanos.map((turns) => turns.length),
    [2, 2],
  )
  // The warm-up of `a` was its shortest turn; of `b` a turn is the mean of two runs.
  const [[a], [b]] = nanos as [[number], [number]]
  assert.ok(a >= 11 * 20_000, `${a}`)
  assert.ok(b >= 15.5 * 20_000, `${b}`)
})

test('turns continue until the time has passed', () => {
  const [turns] = timeByTurns([{ run: () => {} }], { warmUps: 0, turns: 1, millis: 300 })
  assert.ok(turns!.length > 1)
})

test('an exception of a task propagates', () => {
  const fail = () => {
    throw new Error('refused')
  }
  assert.throws(() => timeRuns({ run: fail }, 1), /refused/)
  assert.throws(() => timeRuns({ run: () => {}, finish: fail }, 1), /refused/)
})
