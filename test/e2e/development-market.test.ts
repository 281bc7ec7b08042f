import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { longTest } from '../support/long-test.js'
import { rfqBody } from './support/rfq-body.js'
import { placeBody, WalletKey } from './support/signed-body.js'
import { eventually, Venue, type Wire } from './support/venue.js'

// The venue of `npm start`, with its feed and its market maker, as a newcomer finds it.

const patience = '--set=rpi.auctionMillis=5000' // for a busy machine; earlier answers end the wait
const venue = new Venue({ arguments: ['--feed=simulated', '--maker=on', patience] })
const scripts = join(import.meta.dirname, '../../scripts')
const started: ChildProcess[] = []

before(() => venue.start())
after(async () => {
  for (const child of started) child.kill()
  await venue.dispose()
})

/** Runs an example; returns its output so far and its exit code. */
function example(name: string) {
  const file = join(scripts, 'example.js')
  const tokenFile = join(venue.dataDir, 'operator.token')
  const child = spawn(process.execPath, [file, name, venue.url, venue.operatorUrl, tokenFile])
  started.push(child)
  const run = { said: '', ended: once(child, 'close').then(([code]) => code as number) }
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      run.said += text
    })
  }
  return run
}

test('after the ready line a combo of two legs executes immediately', async () => {
  const taker = new WalletKey()
  await venue.set('/deposits', { wallet: taker.wallet, amount: '1000000' })
  const { result } = await venue.read('/options-summary?currency=ETH')
  const [lower, upper] = result
    .map(({ instrument_name: symbol }: Wire) => symbol)
    .filter((symbol: string) => symbol.endsWith('-C'))
  const legs = [
    { instrument: lower, side: 'Buy', size: '1' },
    { instrument: upper, side: 'Sell', size: '1' },
  ]
  const body = await rfqBody(taker, legs, '5000')
  const { body: answer } = await venue.send('POST', '/rfq/request', body)
  assert.notEqual(answer.status, 'no_quotes', JSON.stringify(answer))
  await eventually('its execution', async () => {
    return (await venue.read(`/rfq/${body['rfq_id']}`)).status === 'executed'
  })
})

test('after the ready line an order that crosses the spread fills better than in the book', async () => {
  const taker = new WalletKey()
  await venue.set('/deposits', { wallet: taker.wallet, amount: '1000000' })
  let row: Wire
  await eventually('an ask in a book', async () => {
    const { result } = await venue.read('/options-summary?currency=ETH')
    row = result.find(
      ({ ask_price: ask, indicative_ask_price: shown }: Wire) => ask > 0 && shown > 0,
    )
    return row !== undefined
  })
  const { instrument_name: symbol, ask_price: ask } = row
  const price = String(Number((ask * 1.1).toPrecision(4)))
  const terms = { route: 'best_execution', size: '0.1', tif: 'ioc' }
  const body = await placeBody(taker, { symbol, price, ...terms })
  const { body: answer } = await venue.send('POST', '/order', body)
  assert.equal(answer.status, 'FILLED', JSON.stringify(answer))
  const { data } = await venue.read(`/fills?wallet=${taker.wallet}`)
  assert.deepEqual(
    data.map(({ fill_source: source }: Wire) => source.type),
    ['rfq'],
  )
  // The market moves during the request, but by less than the book's spread.
  assert.ok(Number(data[0].price) < ask, `${data[0].price} for an ask of ${ask}`)
})

// The client's tests call their methods in every run.
longTest('further examples make a market and list an instrument', async () => {
  const [market, listed] = ['own-market', 'new-instrument'].map(example)
  assert.equal(await market!.ended, 0, market!.said)
  assert.match(market!.said, /-100-C: index 103, mark [\d.]+, delta 0\.\d\d$/m)
  assert.equal(await listed!.ended, 0, listed!.said)
  assert.match(listed!.said, /^bought 0\.1 BTC-\d{8}-\d+-C: FILLED$/m)
})

longTest('the load example exits with the result of its thresholds', async () => {
  const gate = example('load-gate')
  const code = await gate.ended
  assert.ok(code === 0 || code === 99, `${code}: ${gate.said}`)
  assert.match(gate.said, /reconciled/)
})

longTest('a strategy in virtual time ends in the same state twice', async () => {
  const runs = [example('strategy'), example('strategy')]
  const said = []
  for (const run of runs) {
    assert.equal(await run.ended, 0, run.said)
    said.push(run.said)
  }
  assert.match(said[0]!, /^equity [\d.]+ after 7 days, as of sequence \d+, state [0-9a-f]{16}$/m)
  for (const again of said) assert.equal(again, said[0])
})

test('an unknown example name lists the existing ones, in order', async () => {
  const none = example('nothing')
  assert.equal(await none.ended, 2)
  assert.match(none.said, / 1 quick-start: .*\n +2 orders: [\s\S]*12 strategy: /)
})

test('the provider answers the request of another example', async () => {
  const provider = example('provider')
  await eventually('the provider', () => provider.said.includes('connected'))
  const taker = example('quoting')
  assert.equal(await taker.ended, 0, taker.said)
  assert.match(taker.said, /executed at -[\d.]+ USD/)
  assert.match(provider.said, /quoted -[\d.]+ USD for /)
})
