import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findKnee, type KneePoint } from '../../../bench/load/knee.js'

/** A server with a queue: latency grows as 1 / (capacity - rate), beyond it goodput collapses. */
function server(capacity: number, collapse = 1) {
  const rates: number[] = []
  const measure = async (ratePerSecond: number): Promise<KneePoint> => {
    rates.push(ratePerSecond)
    const isOver = ratePerSecond >= capacity
    const goodputPerSecond = isOver ? capacity * collapse : ratePerSecond
    const p99Millis = isOver ? 10_000 : (2000 / (capacity - ratePerSecond)) * 4.6
    return { ratePerSecond, goodputPerSecond, p99Millis, lateMillisP99: 0 }
  }
  return { rates, measure }
}

for (const [capacity, firstRate, collapse] of [
  [5000, 1000, 1],
  [5000, 4800, 0.1],
  [700, 20_000, 1],
  [12, 4000, 0.5],
] as const) {
  test(`the knee of ${capacity} is found from ${firstRate}`, async () => {
    const { rates, measure } = server(capacity, collapse)
    const knee = await findKnee({ firstRate, p99MillisMax: 1e6, measure })
    assert.ok(
      knee.ratePerSecond < capacity / 0.95 && knee.ratePerSecond > capacity * 0.9,
      `${knee.ratePerSecond}`,
    )
    assert.equal(knee.points.length, rates.length)
    assert.ok(rates.length < 40)
  })
}

test('a latency limit has a knee of its own', async () => {
  const { measure } = server(10_000)
  const knee = await findKnee({ firstRate: 500, p99MillisMax: 4, measure })
  assert.ok(knee.ratePerSecond < 7700 && knee.ratePerSecond > 6500, `${knee.ratePerSecond}`)
})

test('one bad moment is not a knee: each rate has a second attempt', async () => {
  const { measure } = server(5000)
  let calls = 0
  const knee = await findKnee({
    firstRate: 1000,
    p99MillisMax: 1e6,
    measure: async (rate) => {
      const point = await measure(rate)
      return ++calls === 2 ? { ...point, goodputPerSecond: 1 } : point
    },
  })
  assert.ok(knee.ratePerSecond > 4500, `${knee.ratePerSecond}`)
})

test('an interrupted search keeps its points', async () => {
  const { measure } = server(5000)
  let calls = 0
  const knee = await findKnee({
    firstRate: 1000,
    p99MillisMax: 1e6,
    measure: async (rate) => (++calls > 2 ? null : measure(rate)),
  })
  assert.deepEqual([calls, knee.points.length, knee.ratePerSecond], [3, 2, 1500])
})

test('a server that does nothing has no knee', async () => {
  const measure = async (ratePerSecond: number) => ({
    ratePerSecond,
    goodputPerSecond: 0,
    p99Millis: 0,
    lateMillisP99: 0,
  })
  assert.equal((await findKnee({ firstRate: 1000, p99MillisMax: 1, measure })).ratePerSecond, 0)
})
