import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listMarket } from './support/listed-market.js'
import { orderActions } from './support/order-actions.js'
import { perpOrderBody } from './support/perp-body.js'
import { symbolOf, type WalletKey } from './support/signed-body.js'
import { streamPeers } from './support/stream-peer.js'
import { eventually, Venue, type Wire } from './support/venue.js'

// Funding as a long and a short of a perp see it; minutes and hours here are a second or two.

const settings = { enabled: 'true', sampleSeconds: '1', periodSeconds: '2' }
const venue = new Venue({
  arguments: Object.entries(settings).map(([name, value]) => `--set=perp.funding.${name}=${value}`),
})
const perp = 'BTC-PERP'
const { fundedWallet } = orderActions(venue, symbolOf('BTC', 110_000))
const open = streamPeers(venue)
let asset = -1

before(async () => {
  await venue.start()
  await listMarket(venue, [symbolOf('BTC', 110_000), perp])
  await eventually('the asset is known', async () => {
    const { perps } = await venue.read('/exchange-info')
    asset = perps[0]?.asset ?? -1
    return asset >= 0
  })
})
after(() => venue.dispose())

async function order(by: WalletKey, isBuy: boolean, price: string, size: string): Promise<Wire> {
  const body = await perpOrderBody(by, { a: asset, b: isBuy, p: price, s: size })
  const answer = await venue.send('POST', '/perp-order', body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/** Cash equals equity: every position was entered at the index, which does not move. */
const cashOf = async ({ wallet }: WalletKey): Promise<number> =>
  Number((await venue.read(`/portfolio?wallet=${wallet}`)).data.equity)

test('each period a long pays the short, the stream reports the balance, and a crash takes nothing back', async () => {
  const [short, long, quoter] = [await fundedWallet(), await fundedWallet(), await fundedWallet()]
  await order(short, false, '100000', '2')
  assert.equal((await order(long, true, '100000', '2')).status, 'FILLED')
  const [begin, credit] = [await cashOf(long), await cashOf(short)]
  const peer = await open(`?wallet=${long.wallet}`)
  await peer.subscribe('portfolio')
  await order(quoter, true, '100000', '0.1')
  await order(short, false, '100200', '0.1')
  const update = await peer.next((message) => message.kind === 'BalanceUpdate')
  assert.ok(Number(update.cash) < begin && (begin - Number(update.cash)) % 100 === 0, update.cash)
  await eventually('the short is paid', async () => (await cashOf(short)) > credit)
  assert.equal(((await cashOf(short)) - credit) % 100, 0)
  const { result: book } = await venue.read(`/orderbook?symbol=${perp}`)
  assert.equal(book.funding_rate, 0.0005)
  assert.ok(book.funding_timestamp > 0 && book.funding_timestamp % 2000 === 0)
  const { result: other } = await venue.read(`/orderbook?symbol=${symbolOf('BTC', 110_000)}`)
  assert.equal(other.funding_rate, undefined)
  const before = await cashOf(long)
  await venue.end('SIGKILL')
  await venue.start()
  const again = await cashOf(long)
  assert.ok(again <= before && (before - again) % 100 === 0, `${before}, then ${again}`)
  const { result: known } = await venue.read(`/orderbook?symbol=${perp}`)
  assert.equal(known.funding_rate, 0.0005)
})
