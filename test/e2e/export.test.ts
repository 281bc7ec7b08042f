import assert from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { strikebook } from '../support/strikebook.js'
import { listMarket } from './support/listed-market.js'
import { orderActions } from './support/order-actions.js'
import { sharedVenue } from './support/shared-venue.js'
import { symbolOf } from './support/signed-body.js'
import { eventually } from './support/venue.js'

const venue = sharedVenue()
let symbol = ''
const formulas = ['=HYPERLINK("x")', '+1+1', '-1', '@SUM(1)']
let wallets: readonly string[] = []

before(async () => {
  symbol = symbolOf('BTC', 110_000)
  await listMarket(venue, [symbol])
  const { fundedWallet, place } = orderActions(venue, symbol)
  const [seller, buyer] = [await fundedWallet(), await fundedWallet()]
  await venue.set('/tiers', { wallet: seller.wallet, tier: 'market_maker' })
  wallets = [seller.wallet.toLowerCase(), buyer.wallet.toLowerCase()]
  await place(seller, { side: 'Sell', price: '3300', size: '2', client_id: 'a, "quoted" one' })
  await place(buyer, { price: '3300', size: '0.5', tif: 'ioc' })
  for (const client_id of formulas) await place(seller, { side: 'Sell', price: '3400', client_id })
  await eventually('the store has it', async () => rowsOf('trades').length > 0)
})

/** Returns the rows of a wallet as JSON lines. */
function rowsOf(kind: string, wallet = wallets[1]!, ...more: string[]) {
  const words = [kind, `--data-dir=${venue.dataDir}`, '--wallet', wallet, '--json', ...more]
  const { code, out, error } = strikebook('export', ...words)
  assert.equal(code, 0, error)
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

test("export writes a wallet's fills and trades with decimals, names and times", () => {
  const [fill, ...others] = rowsOf('fills')
  assert.equal(others.length, 0)
  const { symbol: traded, side, price, size, wallet, time } = fill
  assert.deepEqual([traded, side, price, size, wallet], [symbol, 'Buy', '3300', '0.5', wallets[1]])
  assert.match(time, /^\d{4}-.*Z$/)
  const [trade] = rowsOf('trades')
  assert.equal(trade.trade_id, fill.trade_id)
  assert.deepEqual([trade.maker, trade.taker], wallets)
})

test('export writes the same rows as CSV, whose texts may contain commas and quotes', () => {
  const words = ['orders', `--data-dir=${venue.dataDir}`, '--wallet', wallets[0]!]
  const [head, row] = strikebook('export', ...words).out.split('\n')
  const [order] = rowsOf('orders', wallets[0])
  assert.deepEqual(head!.split(','), Object.keys(order))
  assert.equal(order.client_id, 'a, "quoted" one')
  assert.ok(row!.includes('"a, ""quoted"" one"'))
  assert.equal(order.status, 'PARTIALLY_FILLED')
})

test("export writes an order's sizes as the venue reports them, and its cost", async () => {
  const { data } = await venue.read(`/orders?wallet=${wallets[0]}`)
  const exported = new Map(rowsOf('orders', wallets[0]).map((row) => [row.order_id, row]))
  assert.equal(data.length, exported.size)
  for (const order of data) {
    const { size, filled, price, symbol: traded, status } = exported.get(order.order_id)
    assert.deepEqual(
      [Number(size), Number(filled), Number(price), traded, status.toLowerCase()],
      [
        Number(order.size),
        Number(order.filled_size),
        Number(order.price),
        order.symbol,
        order.status,
      ],
    )
  }
  const [row] = rowsOf('orders', wallets[0])
  assert.deepEqual([row.size, row.filled, row.filled_cost], ['2', '0.5', '1650'])
})

test("a client's text is not a formula in CSV and is unchanged in JSON; numbers stay numbers", async () => {
  const orders = () => rowsOf('orders', wallets[0])
  await eventually('the store has them', async () => orders().length === formulas.length + 1)
  const ids = orders()
    .slice(1)
    .map(({ client_id }) => client_id)
  assert.deepEqual(ids, formulas)
  const words = ['orders', `--data-dir=${venue.dataDir}`, '--wallet', wallets[0]!]
  const { out } = strikebook('export', ...words)
  for (const cell of [`"'=HYPERLINK(""x"")"`, `'+1+1`, `'-1`, `'@SUM(1)`]) {
    assert.ok(out.includes(`,${cell},`), cell)
  }
  const fees = strikebook('export', 'trades', `--data-dir=${venue.dataDir}`).out
  assert.doesNotMatch(fees, /'/)
})

test('export selects rows by time and writes only to a new file', () => {
  const [{ time }] = rowsOf('fills')
  assert.equal(rowsOf('fills', wallets[1], '--from', time).length, 1)
  assert.equal(rowsOf('fills', wallets[1], '--to', time).length, 0)
  const file = join(venue.dataDir, 'fills.csv')
  const words = ['export', 'fills', `--data-dir=${venue.dataDir}`, `--out=${file}`]
  assert.equal(strikebook(...words, '--wallet', wallets[1]!).code, 0)
  assert.match(readFileSync(file, 'utf8'), /^fill_id,.*\n\d+,.*\n$/)
  assert.equal(strikebook(...words).code, 1)
  rmSync(file)
})

test('an impossible export is a command-line error', () => {
  for (const words of [
    ['dust'],
    [],
    ['fills', '--wallet', '0x1'],
    ['fills', '--from', '2026-02-30'],
  ]) {
    assert.equal(
      strikebook('export', ...words, `--data-dir=${venue.dataDir}`).code,
      2,
      words.join(),
    )
  }
  assert.equal(strikebook('export', 'fills', '--data-dir=/nowhere').code, 2)
})
