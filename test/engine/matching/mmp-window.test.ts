import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  CountedFill,
  countFill,
  entriesMax,
  entryAt,
  isFrozen,
  MmpTrigger,
  MmpWindow,
  measureCount,
  resetWindow,
  restoreEntry,
  setLimits,
  signedSumMicros,
  sumMicros,
} from '../../../engine/matching/mmp-window.js'
import { readProjectJson } from '../../support/project.js'

interface VectorFill {
  readonly t_ms: number
  readonly side: 'Buy' | 'Sell'
  readonly size: string
  readonly delta: string
  readonly vega: string
  readonly sum_qty: string
  readonly sum_delta: string
  readonly sum_vega: string
  readonly triggered: readonly ('qty' | 'delta' | 'vega')[]
  readonly frozen_until_ms?: number | null
}

interface Vector {
  readonly id: string
  readonly name: string
  readonly config: {
    readonly interval_ms: number
    readonly frozen_time_ms: number
    readonly qty_limit?: string
    readonly delta_limit?: string
    readonly vega_limit?: string
  }
  readonly fills: readonly VectorFill[]
}

const { mmp: vectors } = readProjectJson<{ mmp: readonly Vector[] }>('test/vectors/options.json')
const bits = { qty: MmpTrigger.Qty, delta: MmpTrigger.Delta, vega: MmpTrigger.Vega }
const lots = (contracts: number) => Math.round(contracts * 1e8)
const micros = (text: string) => Math.round(Number(text) * 1e6)

for (const { id, name, config, fills } of vectors) {
  test(`vector ${id}: ${name}`, () => {
    const { interval_ms, frozen_time_ms, qty_limit, delta_limit, vega_limit } = config
    const limits = [qty_limit, delta_limit, vega_limit]
    const window = windowOf(
      interval_ms,
      frozen_time_ms,
      limits.map((limit = '0') => micros(limit)),
    )
    for (const vector of fills) {
      const signed = vector.side === 'Buy' ? 1 : -1
      const fill = fillOf(vector.t_ms, signed * Number(vector.size), {
        delta: Number(vector.delta),
        vega: Number(vector.vega),
      })
      // A trigger empties the window: only a copy without limits has the sums of the vector.
      const open = copyWithoutLimits(window)
      countFill(open, fill)
      const sums = [0, 1, 2].map((measure) => signedSumMicros(open.sums, measure))
      const { sum_qty, sum_delta, sum_vega } = vector
      assert.deepEqual(sums, [sum_qty, sum_delta, sum_vega].map(micros))
      let expected = 0
      for (const limit of vector.triggered) expected |= bits[limit]
      assert.equal(countFill(window, fill), expected)
      assert.equal(fill.triggers, expected)
      if (vector.frozen_until_ms === undefined) continue
      assert.equal(window.frozenUntilMillis, vector.frozen_until_ms ?? Number.POSITIVE_INFINITY)
      assert.equal(window.count, 0)
      assert.deepEqual([...window.sums], [0, 0, 0, 0, 0, 0])
    }
  })
}

test('a window is frozen to the end of its freeze, or without an end until a reset', () => {
  const window = windowOf(1000, 100, [1e6, 0, 0])
  countFill(window, fillOf(50, 1))
  assert.deepEqual(
    [149, 150].map((now) => isFrozen(window, now)),
    [true, false],
  )
  const endless = windowOf(1000, 0, [1e6, 0, 0])
  assert.equal(isFrozen(endless, 1e15), false)
  countFill(endless, fillOf(50, 1))
  assert.equal(isFrozen(endless, 1e15), true)
  resetWindow(endless)
  assert.equal(isFrozen(endless, 51), false)
})

test('sums are exact below a micro: 1e-8 contracts of an odd delta reach the limit together', () => {
  const window = windowOf(1000, 0, [0, 1, 0])
  const fill = fillOf(1, 0)
  fill.sizeLots = 33
  fill.deltaMicros = 1_000_000
  // 33 lots are 0.33 micros of delta: three times that is below a micro, four times is above.
  assert.deepEqual(
    [1, 2, 3].map(() => countFill(window, fill)),
    [0, 0, 0],
  )
  assert.equal(countFill(window, fill), MmpTrigger.Delta)
  fill.sizeLots = -33
  assert.equal(countFill(window, fill), 0)
  assert.equal(sumMicros(window.sums, 1), 0)
  assert.equal(countFill(window, fill) + countFill(window, fill), 0)
  assert.equal(countFill(window, fill), MmpTrigger.Delta, 'the same below zero')
})

test('the largest fills and greeks within a limit are added without a loss', () => {
  const window = windowOf(1000, 0, [0, 0, 2 ** 52])
  const fill = fillOf(1, 100_000, { vega: 0 })
  fill.vegaMicros = Math.floor(2 ** 52 / 100_000)
  assert.equal(countFill(window, fill), 0)
  assert.equal(sumMicros(window.sums, 2), fill.vegaMicros * 100_000)
  // 70,496 micros are left: 156 lots are 70,256 of them, and one more lot 450.
  fill.sizeLots = 156
  assert.equal(countFill(window, fill), 0)
  fill.sizeLots = 1
  assert.equal(countFill(window, fill), MmpTrigger.Vega)
})

test('a random window equals the sum of a list of fills', () => {
  const step = fc.record({
    later: fc.integer({ min: 0, max: 40 }),
    sizeLots: fc.integer({ min: -1e13, max: 1e13 }).filter((size) => size !== 0),
    deltaMicros: fc.integer({ min: -1e6, max: 1e6 }),
    vegaMicros: fc.integer({ min: 0, max: 1e9 }),
  })
  const property = fc.property(
    fc.array(step, { maxLength: 200 }),
    fc.integer({ min: 1, max: 200 }),
    (steps, interval) => {
      const window = windowOf(interval, 0, [0, 0, 0])
      const list: { millis: number; amounts: bigint[] }[] = []
      let nowMillis = 1000
      for (const { later, ...counted } of steps) {
        nowMillis += later
        countFill(window, Object.assign(new CountedFill(), counted, { nowMillis }))
        const size = BigInt(counted.sizeLots)
        const amounts = [
          (size < 0n ? -size : size) * 1_000_000n,
          size * BigInt(counted.deltaMicros),
          size * BigInt(counted.vegaMicros),
        ]
        list.push({ millis: nowMillis, amounts })
        const inside = list.filter(({ millis }) => millis > nowMillis - interval)
        for (let measure = 0; measure < measureCount; measure++) {
          const sum = inside.reduce((total, fill) => total + fill.amounts[measure]!, 0n)
          const found =
            BigInt(window.sums[2 * measure]!) * 100_000_000n + BigInt(window.sums[2 * measure + 1]!)
          assert.equal(found, sum)
          assert.equal(BigInt(signedSumMicros(window.sums, measure)), sum / 100_000_000n)
        }
        assert.ok(window.count <= new Set(inside.map(({ millis }) => millis)).size)
      }
    },
  )
  fc.assert(property)
})

test('entries saved and restored one by one make the same window', () => {
  const window = windowOf(50_000, 0, [0, 0, 0])
  for (let i = 0; i < 3000; i++) countFill(window, fillOf(i * 7, (i % 5) - 2.5, { delta: 0.3 }))
  const other = windowOf(50_000, 0, [0, 0, 0])
  for (let index = 0; index < window.count; index++) {
    const at = entryAt(window, index)
    restoreEntry(other, window.entries[at]!, window.entries, at + 1)
  }
  assert.equal(other.count, window.count)
  assert.deepEqual(other.sums, window.sums)
  const [last, lastOther] = [fillOf(60_000, 1), fillOf(60_000, 1)]
  countFill(window, last)
  countFill(other, lastOther)
  assert.deepEqual(other.sums, window.sums)
})

test('a day of fills fits the largest window, and each leaves within 1/8,192 of the interval', () => {
  const interval = 86_400_000
  const window = windowOf(interval, 0, [0, 0, 0])
  const stepMillis = 700
  let count = 0
  const fills = Math.floor((2 * interval) / stepMillis)
  for (; count < fills; count++) countFill(window, fillOf(count * stepMillis, 1))
  assert.ok(window.count <= entriesMax && window.entries.length <= entriesMax * 8)
  const exact = Math.ceil(interval / stepMillis)
  const tooMany = sumMicros(window.sums, 0) / 1e6 - exact
  const slack = Math.ceil(interval / 8192 / stepMillis) + 1
  assert.ok(tooMany >= 0 && tooMany <= slack, `${tooMany} fills too many, at most ${slack}`)
})

test('changed limits keep the fills of the window, but not those that have left it', () => {
  const window = windowOf(100, 0, [0, 0, 0])
  countFill(window, fillOf(0, 1))
  countFill(window, fillOf(80, 2))
  setLimits(window, 120, 1000, 0, Float64Array.of(5e6, 0, 0))
  assert.equal(sumMicros(window.sums, 0), 2e6)
  assert.equal(countFill(window, fillOf(121, 2.9)), 0)
  assert.equal(countFill(window, fillOf(122, 0.1)), MmpTrigger.Qty)
})

function windowOf(interval: number, frozen: number, limits: readonly number[]): MmpWindow {
  const window = new MmpWindow()
  setLimits(window, 0, interval, frozen, Float64Array.from(limits))
  return window
}

function fillOf(
  nowMillis: number,
  contracts: number,
  greeks: { delta?: number; vega?: number } = {},
): CountedFill {
  const { delta = 0, vega = 0 } = greeks
  return Object.assign(new CountedFill(), {
    nowMillis,
    sizeLots: lots(contracts),
    deltaMicros: Math.round(delta * 1e6),
    vegaMicros: Math.round(vega * 1e6),
  })
}

function copyWithoutLimits(window: MmpWindow): MmpWindow {
  const copy = windowOf(window.intervalMillis, 0, [0, 0, 0])
  for (let index = 0; index < window.count; index++) {
    const at = entryAt(window, index)
    restoreEntry(copy, window.entries[at]!, window.entries, at + 1)
  }
  return copy
}
