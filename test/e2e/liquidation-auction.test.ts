import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shortVenue } from './support/short-venue.js'
import { bidBody, type WalletKey } from './support/signed-body.js'
import { assertError, assertKeys, eventually, type Wire } from './support/venue.js'

// A short is auctioned: the earlier phases take no time, and terms stay valid for a minute.

const { venue, symbol, maker, short, fundedWallet, open, sink, statusOf } = shortVenue({
  graceSeconds: 0,
  partialSeconds: 0,
  valuationSeconds: 60,
})

test("the first signed bid on current terms wins a wallet's auction, and the wallet recovers", async () => {
  const peer = await open(`?wallet=${short.wallet}`)
  await peer.ask({ type: 'Subscribe', channel: 'liquidation' }, 'Subscribed')
  await sink()
  const change = await peer.next((message) => message.liquidation_mode === 'full')
  assert.equal(change.type, 'LiquidationStateChange')
  assert.deepEqual(
    change.full_liquidation.current_positions.map((held: Wire) => [held.symbol, held.quantity]),
    [[symbol, '-1']],
  )
  assert.equal(change.full_liquidation.current_auction_version, 1)
  const { auction_id: auctionId, started_at: startedAt } = change.full_liquidation
  // After a crash the auction continues where it was.
  await venue.end('SIGKILL')
  await venue.start()
  const again = await open(`?wallet=${short.wallet}`)
  await again.ask({ type: 'Subscribe', channel: 'liquidation' }, 'Subscribed')
  let status: Wire
  await eventually('the auction has terms', async () => {
    status = await statusOf(short)
    return typeof status.full_liquidation?.current_required_bid_usdc === 'string'
  })
  assert.deepEqual(
    [status.full_liquidation.auction_id, status.full_liquidation.started_at],
    [auctionId, startedAt],
  )
  const auction = status.full_liquidation
  assertKeys(auction, 'auction_id request_id started_at margin_needed current_portfolio_hash')
  assert.equal(status.state, 'in_liquidation')
  assert.ok(Number(auction.current_required_bid_usdc) > 0)

  const [bidder, poor] = [await fundedWallet(), await fundedWallet('10')]
  const send = async (by: WalletKey, patch = {}, change = {}) =>
    venue.send('POST', '/liquidation/standard-margin', {
      ...(await bidBody(by, status, patch)),
      ...change,
    })
  assertError(await send(poor), 422, 'insufficient_balance')
  assertError(
    await send(bidder, { auction_version: auction.current_auction_version + 7 }),
    409,
    'conflict',
  )
  assertError(await send(bidder, { portfolio_hash: `sha256:${'0'.repeat(64)}` }), 409, 'conflict')
  const positions = [{ ...auction.current_positions[0], quantity: '-2' }]
  assertError(await send(bidder, { positions }), 409, 'conflict')
  assertError(await send(short), 409, 'conflict')
  const forged = await send(bidder, {}, { bid_intent_hash: 'another' })
  assert.ok([400, 401].includes(forged.status), forged.text)
  assertError(await send(bidder, {}, { positions: [] }), 400, 'invalid_parameter')

  const bid = await bidBody(bidder, status)
  const won = await venue.send('POST', '/liquidation/standard-margin', bid)
  assert.equal(won.status, 200, won.text)
  assert.deepEqual(won.body.data, {
    request_id: auction.request_id,
    auction_id: auction.auction_id,
    liquidated_wallet: short.wallet,
    liquidator_wallet: bidder.wallet,
  })
  const repeated = await venue.send('POST', '/liquidation/standard-margin', bid)
  assert.deepEqual([repeated.status, repeated.body.data], [200, won.body.data])
  assertError(await send(maker), 409, 'conflict')
  const over = await again.next((message) => message.new_state === 'healthy')
  assert.equal(over.previous_state, 'in_liquidation')
  await assertShared(bidder)
})

/** Asserts that the winner has gained the loser's positions, at mark, and that the record names the winner. */
async function assertShared(bidder: WalletKey): Promise<void> {
  const [lost, gained] = await Promise.all([short, bidder].map((by) => portfolioOf(by)))
  const amounts = [lost, gained].map((found: Wire) => Number(found.positions[0].amount))
  assert.ok(amounts[0]! < 0 && amounts[1]! < 0)
  assert.equal(Math.round((amounts[0]! + amounts[1]!) * 1e8), -1e8)
  assert.ok(Number(gained.equity) > 1_000_000, 'the bonus')
  const path = `/liquidation/history?wallet=${short.wallet}`
  await eventually('the history has all', async () => (await venue.read(path)).data.length === 4)
  const [record] = (await venue.read(path)).data
  assert.equal(record.new_state, 'healthy')
  assert.equal(record.winner_address, bidder.wallet)
  assert.ok(Number(record.bonus) > 0)
  assert.match(record.auction_id, /^auction-\d+$/)
}

async function portfolioOf({ wallet }: WalletKey): Promise<Wire> {
  return (await venue.read(`/portfolio?wallet=${wallet}`)).data
}
