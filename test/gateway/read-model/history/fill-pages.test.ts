import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { EventScript, smallMemory, walletOf } from '../../../../bench/event-script.js'
import { engineConfigDefault } from '../../../../engine/state/market/engine-config.js'
import { openHistory } from '../../../../gateway/read-model/history/history-schema.js'
import { HistoryWriter } from '../../../../gateway/read-model/history/history-writer.js'
import { Side } from '../../../../schemas/domain.js'
import { queryStore } from '../../../support/profit-rig.js'

const start = Date.UTC(2026, 5, 1)
const expiry = Date.UTC(2026, 8, 25, 8)
const alice = walletOf(1)
const bob = walletOf(2)
const symbols = ['BTC-20260925-110000-C', 'BTC-20260925-90000-P', 'ETH-20260925-4000-C']
/** Difference between the ids of two trades. */
const step = 819
const count = 200

let dataDir = ''

/** Each trade is a second after the one before it; alice buys of bob, in one instrument after the other. */
function trades(script: EventScript, first: number, last: number, apart = step): void {
  for (let i = first; i < last; i++) {
    script.timeMillis = start + i * 1000
    const tradeId = 1 + i * apart
    const instrument = i % symbols.length
    script.trade(tradeId, instrument, bob, alice)
    for (const [place, wallet] of [alice, bob].entries()) {
      script.fill({
        ...{
          fillId: 2 * tradeId + place,
          tradeId,
          orderId: 1024,
          account: place,
          wallet,
          instrument,
        },
        side: place === 0 ? Side.Buy : Side.Sell,
      })
    }
  }
}

function feed(
  seq: number,
  first: number,
  last: number,
  isListed: boolean,
  { folder = dataDir, apart = step } = {},
): void {
  const memory = smallMemory(1, 1 << 24)
  const script = new EventScript(memory, start)
  script.seq = seq
  const writer = new HistoryWriter(memory, folder, engineConfigDefault, () => 0)
  writer.onStart()
  // Older pending rows are absorbed at once, and later ones are not.
  while (writer.doWork() > 0);
  if (seq === 0) {
    for (const [id, symbol] of symbols.entries()) {
      script.instrument(id, symbol, id < 2 ? 0 : 1, expiry)
    }
  }
  trades(script, first, last, apart)
  script.commit()
  while (writer.doWork() > 0);
  if (isListed) writer.onClose()
}

before(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'pages-'))
  feed(0, 0, 150, true)
  feed(1000, 150, count, false)
})
after(() => rmSync(dataDir, { recursive: true }))

interface Row {
  readonly fill_id: number
  readonly symbol: string
  readonly timestamp: number
}

const ask = (query: string) => queryStore(dataDir, '/profile/trades', `wallet=${alice}&${query}`)
const all = (matches: (row: number) => boolean) =>
  Array.from({ length: count }, (_, i) => count - 1 - i).filter(matches)

test('the test has listed and unlisted rows', () => {
  const database = openHistory(dataDir)
  const { listed } = database.prepare('select count(*) as listed from fill_ids').get() as {
    listed: number
  }
  database.close()
  assert.equal(listed, 300)
})

test('pages of a symbol follow each other without a gap, down to the oldest', () => {
  for (const [instrument, symbol] of symbols.entries()) {
    const wanted = all((i) => i % symbols.length === instrument).map((i) => 2 * (1 + i * step))
    for (const limit of [1, 7, 50]) {
      const seen: number[] = []
      for (let offset = 0; offset <= wanted.length; offset += limit) {
        const { data, pagination } = ask(`symbol=${symbol}&limit=${limit}&offset=${offset}`)
        assert.deepEqual(pagination, { limit, offset, count: data.length })
        seen.push(...data.map(({ fill_id }: Row) => fill_id))
      }
      assert.deepEqual(seen, wanted)
    }
  }
})

test('a time range includes its first millisecond, and excludes its end', () => {
  const from = start + 20_000
  const to = start + 170_000
  for (const symbol of ['', symbols[1]!]) {
    const wanted = all((i) => i >= 20 && i < 170 && (symbol === '' || i % symbols.length === 1))
    const query = `from_ts_ms=${from}&to_ts_ms=${to}&limit=100${symbol && `&symbol=${symbol}`}`
    const pages = [0, 100].flatMap((offset) => ask(`${query}&offset=${offset}`).data)
    assert.deepEqual(
      pages.map(({ timestamp }: Row) => timestamp),
      wanted.map((i) => start + i * 1000),
    )
  }
  assert.deepEqual(ask(`from_ts_ms=${to}&to_ts_ms=${from}`).data, [])
  assert.deepEqual(ask(`from_ts_ms=${start + count * 1000}`).data, [])
})

test('an unknown symbol has no rows, and an invalid one fails', () => {
  assert.deepEqual(ask('symbol=BTC-20260925-1-C').data, [])
  assert.equal(ask('symbol=nothing').code, 'invalid_parameter')
  for (const wrong of ['from_ts_ms=-1', 'to_ts_ms=x', 'limit=101', 'limit=0', 'offset=100001']) {
    assert.equal(ask(wrong).code, 'invalid_parameter', wrong)
  }
})

test('trades of an account in an option, or in an underlying, are found by its fills', () => {
  const tradesOf = (query: string) =>
    queryStore(dataDir, '/trades', `account=${alice}&limit=500&${query}`).data.map(
      ({ trade_id }: { trade_id: number }) => trade_id,
    )
  const wanted = (matches: (i: number) => boolean) => all(matches).map((i) => 1 + i * step)
  assert.deepEqual(
    tradesOf(`option_id=${symbols[2]}`),
    wanted((i) => i % 3 === 2),
  )
  assert.deepEqual(
    tradesOf('underlying=BTC'),
    wanted((i) => i % 3 < 2),
  )
  assert.deepEqual(tradesOf('underlying=BTC&offset=120'), wanted((i) => i % 3 < 2).slice(120))
})

test('a page is complete even if the ids of its fills are far apart', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'runs-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const wanted = 510
  feed(0, 0, wanted * symbols.length, true, { folder, apart: 16_384 })
  const query = `account=${alice}&option_id=${symbols[0]}&limit=500`
  assert.equal(queryStore(folder, '/trades', query).data.length, 500)
  assert.equal(queryStore(folder, '/trades', `${query}&offset=500`).data.length, wanted - 500)
})
