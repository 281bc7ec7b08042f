import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { LoadSeries } from '../../../bench/load/load-series.js'

test('seconds end by the clock, however late their ends are noticed', () => {
  let nowMillis = 5000
  mock.timers.enable({ apis: ['setTimeout'] })
  mock.method(performance, 'now', () => nowMillis)
  const series = new LoadSeries()
  const pass = (timerMillis: number, lateMillis: number) => {
    nowMillis += timerMillis + lateMillis
    mock.timers.tick(timerMillis)
  }
  series.start()
  series.sent()
  pass(1000, 300)
  series.sent()
  series.executed(2)
  // The rest of the next second is shorter by what the first was late.
  pass(699, 0)
  assert.equal(series.seconds.length, 1)
  pass(1, 0)
  series.refused()
  series.stop()
  mock.timers.tick(10_000)
  mock.reset()
  mock.timers.reset()
  assert.deepEqual(
    series.seconds.map((row) => [row.second, row.sent, row.executed, row.refused, row.outstanding]),
    [
      [1, 1, 0, 0, 1],
      [2, 1, 1, 0, 1],
      [3, 0, 0, 1, 0],
    ],
  )
  assert.match(series.csvText(), /^second,sent,executed,.*\n1,1,0,0,1,.*\n2,1,1,0,1,2,2,2,/)
})
