import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { HistoryQueries } from '../../../../gateway/read-model/history/history-query.js'
import { openHistory } from '../../../../gateway/read-model/history/history-schema.js'

const hour = 3_600_000
const start = Date.UTC(2026, 5, 1)
const call = 'BTC-20260925-110000-C'
const put = 'BTC-20260925-90000-P'
const single = '/historical-theos'
const batch = '/historical-theos/batch'
const dataDir = mkdtempSync(join(tmpdir(), 'theos-'))
let queries: HistoryQueries

before(() => {
  const database = openHistory(dataDir)
  const listing = database.prepare("insert into instruments values (?, ?, 'BTC', 0, 1, 0, 0)")
  for (const [id, symbol] of [call, put, put].entries()) listing.run(id, symbol)
  const row = database.prepare('insert into theos values (?, ?, ?, ?)')
  const bucket = database.prepare('insert or ignore into theo_buckets values (?, ?)')
  const point = (interval: number, index: number, instrument: number, micros: number) => {
    bucket.run(interval, start + index * interval)
    row.run(interval, start + index * interval, instrument, micros)
  }
  for (let index = 0; index < 120; index++) {
    if (index !== 60) point(hour, index, 0, 1_000_000 + index)
  }
  point(24 * hour, 0, 0, 2_500_000)
  // Deleted in hour 60, and listed again in the same.
  point(hour, 59, 1, 3_000_000)
  point(hour, 60, 1, 4_000_000)
  point(hour, 60, 2, 5_000_000)
  point(hour, 61, 2, 6_000_000)
  database.prepare('update progress set last_seq = 9').run()
  database.close()
  queries = new HistoryQueries(dataDir)
})

after(() => {
  queries.close()
  rmSync(dataDir, { recursive: true })
})

function ask(path: string, query: string) {
  const reply = queries.answer({ path, query })
  return { status: reply.status, body: JSON.parse(reply.body) }
}

const hoursOf = (points: readonly { timestamp: number }[]) =>
  points.map(({ timestamp }) => (timestamp - start) / hour)

test('points ascend, and are the last ones up to the limit', () => {
  const { body } = ask(single, `instrument_name=${call}&interval=1h&limit=2`)
  assert.deepEqual(body, {
    success: true,
    data: {
      instrument_name: call,
      interval: '1h',
      points: [
        { timestamp: start + 118 * hour, theoretical_price: 1.000118 },
        { timestamp: start + 119 * hour, theoretical_price: 1.000119 },
      ],
    },
    error: null,
    as_of_seq: 9,
  })
})

test('the default is a hundred hours, and a gap does not shorten them', () => {
  const { data } = ask(single, `instrument_name=${call}`).body
  assert.equal(data.interval, '1h')
  const hours = hoursOf(data.points)
  assert.equal(hours.length, 100)
  assert.deepEqual([hours[0], hours.includes(60), hours.at(-1)], [19, false, 119])
})

test('each interval has points of its own', () => {
  const days = ask(single, `instrument_name=${call}&interval=1d`).body.data.points
  assert.deepEqual(days, [{ timestamp: start, theoretical_price: 2.5 }])
  assert.deepEqual(ask(single, `instrument_name=${call}&interval=5m`).body.data.points, [])
})

test('a symbol listed twice is one series, the later listing first', () => {
  const { points } = ask(single, `instrument_name=${put}`).body.data
  assert.deepEqual(hoursOf(points), [59, 60, 61])
  const prices = points.map((point: Record<string, number>) => point['theoretical_price'])
  assert.deepEqual(prices, [3, 5, 6])
})

test('a name in short form is answered as its symbol', () => {
  const { data } = ask(single, 'instrument_name=BTC-25SEP26-110000-C&limit=1').body
  assert.deepEqual([data.instrument_name, data.points.length], [call, 1])
})

test('an unknown instrument has no points', () => {
  for (const name of ['BTC-20260925-1-C', 'BTC-PERP', 'nonsense', '0', '__proto__']) {
    const none = { instrument_name: name, interval: '1h', points: [] }
    const { status, body } = ask(single, `instrument_name=${name}`)
    assert.deepEqual([status, body.data], [200, none])
    const { data } = ask(batch, `instrument_names=${name}`).body
    assert.deepEqual(Object.entries(data), [[name, none]])
  }
})

test('a batch is a map by symbol, with a repeated name once', () => {
  const names = [put, 'BTC-25SEP26-110000-C', call, put, 'BTC-1JAN27-1-C'].join(',')
  const { status, body } = ask(batch, `instrument_names=${names}&limit=1`)
  assert.deepEqual([status, body.success, body.error, body.as_of_seq], [200, true, null, 9])
  assert.equal(Object.keys(body.data).length, 3)
  assert.deepEqual(body.data[call], ask(single, `instrument_name=${call}&limit=1`).body.data)
  assert.deepEqual(body.data[put], ask(single, `instrument_name=${put}&limit=1`).body.data)
})

test('a batch names 1 to 50 instruments, repeated ones counted', () => {
  const names = (count: number) => `instrument_names=${Array(count).fill(call).join(',')}`
  assert.equal(ask(batch, names(50)).status, 200)
  const { status, body } = ask(batch, names(51))
  assert.deepEqual([status, body.code, body.data], [400, 'invalid_parameter', null])
})

test('a wrong query fails in the envelope of the endpoint', () => {
  const one = `instrument_name=${call}`
  const cases = [
    [single, '', 'missing_field'],
    [single, 'instrument_name=', 'invalid_parameter'],
    [single, `${one}&${one}`, 'invalid_parameter'],
    [single, `${one}&interval=1m`, 'invalid_parameter'],
    [single, `${one}&interval=`, 'invalid_parameter'],
    [single, `${one}&interval=constructor`, 'invalid_parameter'],
    [single, `${one}&limit=0`, 'invalid_parameter'],
    [single, `${one}&limit=101`, 'invalid_parameter'],
    [single, `${one}&min_seq=x`, 'invalid_parameter'],
    [batch, '', 'missing_field'],
    [batch, one, 'missing_field'],
    [batch, 'instrument_names=', 'invalid_parameter'],
    [batch, `instrument_names=${call},`, 'invalid_parameter'],
    [batch, `instrument_names=${call}&interval=2h`, 'invalid_parameter'],
    [batch, `instrument_names=${call}&limit=-1`, 'invalid_parameter'],
  ] as const
  for (const [path, query, code] of cases) {
    const { status, body } = ask(path, query)
    const { success, data, error, message } = body
    assert.deepEqual(
      [status, body.code, success, data, error],
      [400, code, false, null, code],
      query,
    )
    assert.equal(typeof message, 'string')
  }
})
