import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OptionSummary } from '../../../gateway/client/generated/interface.js'
import {
  type PerpMarket,
  perpLevels,
  perpMarkets,
  planPerp,
} from '../../../gateway/maker/perp-plan.js'
import { clientIdOf } from '../../../gateway/maker/quote-plan.js'
import { parsePriceMicros, parseSizeLots } from '../../../schemas/decimal.js'

const btc = { asset: 52, underlying: 'BTC', symbol: 'BTC-PERP' }

function market(indexPrice: number): PerpMarket {
  return { ...btc, indexPrice }
}

test('every level is valid and around the index, each wider than the one before', () => {
  for (const index of [100_000, 99_999.99, 98_765.43, 3501.27, 5999.13, 149.82, 1.0001]) {
    const quotes = planPerp(market(index), 0)
    assert.equal(quotes.length, perpLevels)
    let [bidMicros, askMicros] = [index * 1e6, index * 1e6]
    for (const { bid, ask, size } of quotes) {
      const bidBehind = parsePriceMicros(bid)
      const askBehind = parsePriceMicros(ask)
      assert.ok(bidBehind > 0 && bidBehind < bidMicros, `${index}: ${bid}`)
      assert.ok(askBehind > askMicros, `${index}: ${ask}`)
      assert.ok(parseSizeLots(size) > 0)
      bidMicros = bidBehind
      askMicros = askBehind
    }
  }
})

test('levels are 5, 10 and 20 basis points from the index', () => {
  const shown = planPerp(market(100_000), 0).map(({ bid, ask, size }) => [bid, ask, size])
  assert.deepEqual(shown, [
    ['99950', '100050', '0.2'],
    ['99900', '100100', '0.2'],
    ['99800', '100200', '0.2'],
  ])
})

test('a long maker asks and bids lower, a short one higher, by 4 basis points for 100,000 USD', () => {
  const [long] = planPerp(market(100_000), 1)
  assert.deepEqual([long!.bid, long!.ask], ['99910', '100010'])
  const [short] = planPerp(market(100_000), -1)
  assert.deepEqual([short!.bid, short!.ask], ['99990', '100090'])
})

test("the index of a perp is that of its underlying's options; without one there is no market", () => {
  const rows = [{ base_currency: 'BTC', underlying_price: 101_000 }] as OptionSummary[]
  const eth = { asset: 53, underlying: 'ETH', symbol: 'ETH-PERP' }
  assert.deepEqual(perpMarkets([btc, eth], rows), [market(101_000)])
  const unpriced = rows.map((row) => ({ ...row, underlying_price: 0 }))
  assert.deepEqual(perpMarkets([btc], unpriced), [])
})

test('client ids of perps have 32 hexadecimal digits, each for one asset, side and level', () => {
  const assets = [1, 2, 12, 21, 212]
  const quotes = assets.flatMap((asset) => planPerp({ ...market(100_000), asset }, 0))
  const ids = quotes.flatMap((quote) => [clientIdOf(quote, 'Buy'), clientIdOf(quote, 'Sell')])
  for (const id of ids) assert.match(id, /^0x[0-9a-f]{32}$/)
  assert.equal(new Set(ids).size, assets.length * perpLevels * 2)
})
