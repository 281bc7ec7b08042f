import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type ComparedRow,
  compareByTurns,
  compareWithFile,
  looksOf,
} from '../../bench/baseline-turns.js'
import { randomFrom } from '../../bench/book-replay/book-flow.js'
import { type CommonRow, commonRow } from '../../bench/common-row.js'
import { readProjectJson } from '../support/project.js'

interface NoisyRow {
  readonly name: string
  readonly unit: string
  readonly values: readonly number[]
}

/**
 * Rows of `--quick` runs of one build, in the order of measurement. Each two neighbours are a pair of the same code. Other
 * processes kept both cores of the machine busy.
 */
const recorded: readonly NoisyRow[] = readProjectJson('test/vectors/bench-noise.json')
/** The same rows as on a calmer machine: their logarithms are a fifth as far from the median. */
const calm = recorded.map((row) => {
  const middle = [...row.values].sort((a, b) => a - b)[row.values.length >> 1]!
  return { ...row, values: row.values.map((value) => middle * (value / middle) ** 0.2) }
})

const tolerance = 0.15

type Side = 'current' | 'baseline'

/** Compares two builds that one function measures. */
function compared(measure: (side: Side) => Promise<readonly CommonRow[]>, pairsMax: number) {
  const sides = { current: () => measure('current'), baseline: () => measure('baseline') }
  return compareByTurns({ ...sides, tolerance, pairsMax, families: 1 })
}

function rowOf(name: string, unit: string, value: number): CommonRow {
  return commonRow({ name, unit, value, range: null, extra: {} }, 'simulated', true)
}

/**
 * Compares simulated builds.
 * @param slowdowns factors by which rows of the current build are slower; 1 for all others.
 */
async function simulated(
  random: () => number,
  noise: readonly NoisyRow[],
  slowdowns: Readonly<Record<string, number>> = {},
): Promise<{ readonly rows: readonly ComparedRow[]; readonly order: readonly Side[] }> {
  const order: Side[] = []
  // Both sides of a pair are neighbours in the recording, because they share a minute of the machine.
  let minute: readonly number[] = []
  const measure = async (side: Side) => {
    const isSecond = order.length % 2 === 1
    order.push(side)
    if (!isSecond) minute = noise.map(({ values }) => place(values, random))
    return noise.map(({ name, unit, values }, index) => {
      const value = values[minute[index]! + (isSecond ? 1 : 0)]!
      const times = side === 'current' ? (slowdowns[name] ?? 1) : 1
      return rowOf(name, unit, unit.endsWith('/s') ? value / times : value * times)
    })
  }
  const rows = await compared(measure, 20)
  return { rows, order }
}

function place(values: readonly number[], random: () => number): number {
  return 2 * Math.floor((random() * values.length) / 2)
}

const isMissed = ({ comparison }: ComparedRow) => comparison?.verdict === 'missed'

for (const [machine, noise] of Object.entries({ busy: recorded, calm })) {
  test(`a comparison of the same code passes at least 19 of 20 times on a ${machine} machine`, async () => {
    const random = randomFrom(1)
    const gates = 100
    let missed = 0
    for (let gate = 0; gate < gates; gate++) {
      if ((await simulated(random, noise)).rows.some(isMissed)) missed++
    }
    assert.ok(missed <= gates / 20, `${missed} of ${gates} fail`)
  })
}

test('single runs of the same code would miss the same tolerance more often than not', () => {
  const random = randomFrom(2)
  const gates = 200
  let missed = 0
  for (let gate = 0; gate < gates; gate++) {
    const isWorse = calm.some(({ unit, values }) => {
      const [now, before] = [values[place(values, random)]!, values[place(values, random)]!]
      return unit.endsWith('/s') ? now < before * (1 - tolerance) : now > before * (1 + tolerance)
    })
    if (isWorse) missed++
  }
  assert.ok(missed > gates / 2, `${missed} of ${gates} fail`)
})

test('a build that is twice as slow in one row misses that row alone', async () => {
  const random = randomFrom(3)
  const name = 'load.p50'
  for (let gate = 0; gate < 20; gate++) {
    const { rows } = await simulated(random, calm, { [name]: 2 })
    assert.deepEqual(
      rows.filter(isMissed).map(({ row }) => row.name),
      [name],
    )
  }
})

test('the order within a pair alternates, and the measurement ends when all rows are decided', async () => {
  const order: Side[] = []
  const measure = async (side: Side) => {
    order.push(side)
    return [rowOf('ring', 'ops/s', side === 'current' ? 80 : 100), rowOf('ack', 'ms', 1)]
  }
  const rows = await compared(measure, 20)
  assert.equal(order.length, 12)
  assert.deepEqual(order.slice(0, 4), ['baseline', 'current', 'current', 'baseline'])
  assert.deepEqual(
    rows.map(({ row, comparison }) => [
      row.value,
      comparison!.ratio.toFixed(3),
      comparison!.verdict,
    ]),
    [
      [80, '0.800', 'missed'],
      [1, '1.000', 'kept'],
    ],
  )
})

test('an undecided row is not missed, and the measurement ends after the maximum number of pairs', async () => {
  let runs = 0
  const measure = async () => [rowOf('ack', 'ms', runs++ % 3 === 0 ? 3 : 1)]
  const [ack] = await compared(measure, 8)
  assert.equal(runs, 16)
  assert.equal(ack!.comparison!.verdict, 'undecided')
})

test('a row that the baseline lacks is not compared', async () => {
  const measure = async (side: Side) => [
    rowOf('old', 'ms', 1),
    ...(side === 'current' ? [rowOf('new', 'ms', 1)] : []),
  ]
  const rows = await compared(measure, 6)
  assert.deepEqual(
    rows.map(({ comparison }) => comparison?.verdict ?? null),
    ['kept', null],
  )
})

test('intervals are checked only a few times, because each check uses part of the error', () => {
  assert.deepEqual(looksOf(20), [6, 9, 14, 20])
  assert.deepEqual(looksOf(4), [4])
  assert.deepEqual(looksOf(6), [6])
})

test('a row beyond the tolerance of a file is undecided: a value from another time proves nothing', () => {
  const verdictOf = (row: CommonRow, baseline: number) =>
    compareWithFile(row, baseline, tolerance).verdict
  assert.equal(verdictOf(rowOf('ack', 'ms', 11.4), 10), 'kept')
  assert.equal(verdictOf(rowOf('ack', 'ms', 30), 10), 'undecided')
  assert.equal(verdictOf(rowOf('ring', 'ops/s', 86), 100), 'kept')
  assert.equal(verdictOf(rowOf('ring', 'ops/s', 50), 100), 'undecided')
  assert.equal(verdictOf(rowOf('ring', 'ops/s', 1000), 100), 'kept')
})
