import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { generatePrivateKey } from 'viem/accounts'
import {
  connectStrikebook,
  type StrikebookClient,
} from '../../../gateway/client/strikebook-client.js'
import { MakerWallet } from '../../../gateway/maker/maker-wallet.js'
import { type PerpMarket, perpLevels } from '../../../gateway/maker/perp-plan.js'
import { TakerWallet } from '../../../gateway/maker/taker-wallet.js'
import { listMarket } from '../../e2e/support/listed-market.js'
import { symbolOf } from '../../e2e/support/signed-body.js'
import { eventually, Venue } from '../../e2e/support/venue.js'

// One maker and one taker on the perp of a market without a feed; each test continues the previous one.

const venue = new Venue()
const symbol = 'BTC-PERP'
const failures: string[] = []
const makers: MakerWallet[] = []
const alwaysPerps = { next: () => 0, normal: () => 0 }
let market: PerpMarket
let makerClient: StrikebookClient
let takerClient: StrikebookClient

before(async () => {
  await venue.start()
  await listMarket(venue, [symbolOf('BTC', 110_000), symbol])
  // Listings reach each gateway at a different time; a restarted gateway knows all of them.
  await venue.end('SIGTERM')
  await venue.start()
  makerClient = await fundedClient()
  takerClient = await fundedClient()
  const [perp] = await makerClient.perps()
  market = { ...perp!, indexPrice: 100_000 }
  startMaker()
})
after(async () => {
  for (const maker of makers) maker.close()
  await venue.dispose()
})

async function fundedClient(): Promise<StrikebookClient> {
  const client = await connectStrikebook({ url: venue.url, privateKey: generatePrivateKey() })
  await venue.set('/deposits', { wallet: client.wallet, amount: '1000000' })
  return client
}

/** A maker of the one wallet, as each start makes one. */
function startMaker(): void {
  makers.push(new MakerWallet(makerClient, (message) => failures.push(message)))
}

async function refresh(indexPrice = market.indexPrice): Promise<void> {
  market = { ...market, indexPrice }
  await makers.at(-1)!.refresh([], [market])
}

async function prices(): Promise<{ bids: readonly number[]; asks: readonly number[] }> {
  const { bids, asks } = (await makerClient.orderbook(symbol))!
  const priceOf = ([price]: readonly [number, number]) => price
  return { bids: bids.map(priceOf), asks: asks.map(priceOf) }
}

async function isBook(bids: readonly number[], asks: readonly number[]): Promise<void> {
  assert.deepEqual(await prices(), { bids, asks })
  assert.deepEqual(failures, [])
}

/** Refreshes until the best prices are these: a fill arrives with a delay. */
async function leansTo(bid: number, ask: number): Promise<void> {
  await eventually(`${bid} | ${ask}`, async () => {
    await refresh()
    const { bids, asks } = await prices()
    return bids[0] === bid && asks[0] === ask
  })
  assert.deepEqual(failures, [])
}

async function isBest(bid: number, ask: number): Promise<void> {
  const { bids, asks } = await prices()
  assert.deepEqual([bids[0], asks[0]], [bid, ask])
}

async function latestTrade(): Promise<readonly string[]> {
  const [trade] = await takerClient.trades({ symbol, limit: 1 })
  return [trade!.taker_side, trade!.price, trade!.size]
}

test('a refresh shows all levels on both sides', async () => {
  await refresh()
  assert.equal(makers[0]!.quotesShown, perpLevels)
  await isBook([99_950, 99_900, 99_800], [100_050, 100_100, 100_200])
})

test('a small move of the index renews only the levels that it has left', async () => {
  await refresh(100_020)
  await isBook([99_950, 99_900, 99_800], [100_050, 100_100, 100_200])
  await refresh(100_030)
  await isBook([99_979, 99_900, 99_800], [100_090, 100_100, 100_200])
})

test('a jump over the whole spread renews all, and the maker never trades with itself', async () => {
  for (const index of [101_000, 100_000]) {
    await refresh(index)
    await refresh() // the levels that its own other side had blocked
    assert.equal(makers[0]!.quotesShown, perpLevels)
  }
  await isBook([99_950, 99_900, 99_800], [100_050, 100_100, 100_200])
  assert.deepEqual(await makerClient.fills(), [])
})

test('a filled level is quoted again, and the quotes lean against the position', async () => {
  const buy = async (size: string, price: string) => {
    const terms = { asset: market.asset, side: 'Buy', size, price, tif: 'ioc' } as const
    assert.equal((await takerClient.placePerpOrder(terms)).status, 'FILLED')
  }
  await buy('0.6', '100200')
  await leansTo(99_950, 100_080) // the bids are not yet far enough from where they should be
  assert.equal(makers[0]!.quotesShown, perpLevels)
  await buy('0.2', '100080')
  await leansTo(99_982, 100_090)
})

test('a taker takes the side that is nearer to the index, which reduces the position', async () => {
  await new TakerWallet(takerClient, alwaysPerps).trade([], [market])
  assert.deepEqual(await latestTrade(), ['Sell', '99982', '0.01'])
})

test('a taker with a large perp position reduces it at either price', async () => {
  const taker = new TakerWallet(takerClient, alwaysPerps)
  await taker.load()
  await refresh(99_950)
  await isBest(99_931, 100_040)
  await taker.trade([], [market])
  assert.deepEqual(await latestTrade(), ['Sell', '99931', '0.01'])
})

test('a restarted maker replaces its old orders', async () => {
  makers[0]!.close()
  startMaker()
  await refresh(100_000)
  assert.equal(makers[1]!.quotesShown, 0)
  await refresh()
  assert.equal(makers[1]!.quotesShown, perpLevels)
  const working = await makerClient.orders({ status: 'OPEN' })
  assert.equal(working.length, 2 * perpLevels)
  assert.deepEqual(failures, [])
})
