import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OpenLoop } from '../../../bench/load/open-loop.js'
import { planSends } from '../../../bench/load/send-plan.js'

/** Keeps the thread busy, as a garbage collection does. */
function stall(millis: number): void {
  const endMillis = performance.now() + millis
  while (performance.now() < endMillis);
}

for (const [spinMillis, parkMillis] of [
  [0, 0],
  [2, 0],
  [2, 0.05],
] as const) {
  const how = `spin ${spinMillis} ms, park ${parkMillis} ms`
  test(`every planned command is sent once, in order, never early; ${how}`, async () => {
    const plannedMillis = planSends({ ratePerSecond: 2000, count: 400, seed: 5 })
    const sent: number[] = []
    const loop = new OpenLoop({
      plannedMillis,
      spinMillis,
      parkMillis,
      send: (index) => {
        assert.ok(performance.now() - loop.beginMillis >= plannedMillis[index])
        sent.push(index)
      },
    })
    await loop.run()
    assert.deepEqual(
      sent,
      Array.from({ length: 400 }, (_, i) => i),
    )
    assert.equal(loop.lateness.count, 400)
  })
}

test('a stalled sender skips nothing, and late commands count from their planned time', async () => {
  const plannedMillis = planSends({ ratePerSecond: 1000, count: 100, gaps: 'constant' })
  const loop = new OpenLoop({
    plannedMillis,
    send: (index) => {
      if (index === 10) stall(40)
      loop.answered(index) // a venue that answers at once
    },
  })
  await loop.run()
  assert.equal(loop.sent, 100)
  assert.equal(loop.latencies.count, 100)
  // Order 10 itself is answered 40 ms late, those planned in the stall wait for what is left of it.
  assert.ok(loop.latencies.percentileMillis(1) >= 39, `${loop.latencies.percentileMillis(1)}`)
  assert.ok(loop.lateness.percentileMillis(0.99) >= 35, `${loop.lateness.percentileMillis(0.99)}`)
  assert.ok(loop.latencies.percentileMillis(0.75) >= 1, 'the stall reaches more than one order')
})

test('slow answers do not slow the sending', async () => {
  const plannedMillis = planSends({ ratePerSecond: 1000, count: 200, gaps: 'constant' })
  const loop = new OpenLoop({ plannedMillis, send: () => {} })
  await loop.run()
  assert.deepEqual([loop.sent, loop.latencies.count], [200, 0], 'all sent, none answered')
  for (let index = 0; index < 200; index++) loop.answered(index)
  // The first was planned 199 ms before the last was sent.
  assert.ok(loop.latencies.percentileMillis(1) >= 197)
})

test('stop ends the plan at its current place, and a send that throws ends the run', async () => {
  const plannedMillis = planSends({ ratePerSecond: 10_000, count: 1000, gaps: 'constant' })
  const stopped = new OpenLoop({
    plannedMillis,
    send: (index) => {
      if (index === 99) stopped.stop()
    },
  })
  await stopped.run()
  assert.ok(stopped.sent >= 100 && stopped.sent < 1000, `${stopped.sent}`)
  const broken = new OpenLoop({
    plannedMillis,
    send: () => {
      throw new Error('no socket')
    },
  })
  await assert.rejects(broken.run(), /no socket/)
})
