import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { orderActions } from './support/order-actions.js'
import { startRoundShort } from './support/round-short.js'
import { bidBody, type WalletKey } from './support/signed-body.js'
import { streamPeers } from './support/stream-peer.js'
import { eventually, Venue, type Wire } from './support/venue.js'

// The worked examples of auction and losses, run by an outside client: the required bid, and who bears a loss.

const insolventSeconds = 20
const venue = new Venue({
  arguments: [
    '--set=liquidation.graceSeconds=0',
    '--set=liquidation.partialSeconds=0',
    '--set=liquidation.valuationSeconds=60',
    `--set=liquidation.auction.insolventSeconds=${insolventSeconds}`,
  ],
})
const { fundedWallet, place } = orderActions(venue, '')
const open = streamPeers(venue)
const startExample = (underlying: string) => startRoundShort(venue, underlying)

before(() => venue.start())
after(() => venue.dispose())

async function statusOf({ wallet }: WalletKey): Promise<Wire> {
  return (await venue.read(`/liquidation/status?wallet=${wallet}`)).data
}

async function holdings({ wallet }: WalletKey): Promise<[string, string[]]> {
  const { equity, positions } = (await venue.read(`/portfolio?wallet=${wallet}`)).data
  return [equity, positions.map(({ amount }: Wire) => amount)]
}

/** Returns the latest record of a wallet once it has reached a state. */
async function recordOf({ wallet }: WalletKey, state: string): Promise<Wire> {
  const latest = async () => (await venue.read(`/liquidation/history?wallet=${wallet}`)).data[0]
  await eventually(`a record of ${state}`, async () => (await latest())?.new_state === state)
  return latest()
}

function sha256(bytes: Buffer | string): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

function wordOf(value: number): Buffer {
  const word = Buffer.alloc(8)
  word.writeBigUInt64LE(BigInt(value))
  return word
}

function lengthAndText(text: string): Buffer {
  return Buffer.concat([wordOf(Buffer.byteLength(text)), Buffer.from(text)])
}

/** Asserts both hashes of a bid over the values in a status. */
function assertHashes(wallet: string, auction: Wire): void {
  const rows = auction.current_positions.map(
    ({ symbol, quantity, entry_price }: Wire) => `${symbol}|${quantity}|${entry_price}`,
  )
  assert.equal(auction.current_portfolio_hash, sha256(rows.sort().join(';')))
  const terms = [
    lengthAndText('standard-margin-liquidation-auction-terms-v5'),
    lengthAndText(auction.auction_id),
    lengthAndText(wallet),
    wordOf(auction.current_auction_version),
    lengthAndText(auction.current_portfolio_hash),
    lengthAndText(auction.current_required_bid_usdc),
    wordOf(auction.current_valuation_timestamp_ms),
  ]
  assert.equal(auction.current_auction_terms_hash, sha256(Buffer.concat(terms)))
}

function near(text: string, wanted: number): void {
  assert.ok(Math.abs(Number(text) - wanted) < 2e-6, `${text} is not ${wanted}`)
}

test('the opposite side shares the rest of a deficit, by rank, at the bankruptcy price', async () => {
  const { symbol, short, longA, longB, mark } = await startExample('RANK')
  const peer = await open(`?wallet=${longA.wallet}`)
  await peer.subscribe('portfolio')
  await mark(12_000)
  const record = await recordOf(short, 'liquidated')
  const { insurance_paid, deleveraged, uncovered } = record.details
  assert.deepEqual([insurance_paid, deleveraged, uncovered], ['0', '600', '0'])
  // Rank 1.8 before 0.36: A closes its one, B one of three, at 12,000 - 600 / 2.
  assert.deepEqual(await holdings(short), ['0', []])
  assert.deepEqual(await holdings(longA), ['19700', []])
  assert.deepEqual(await holdings(longB), ['99700', ['2']])
  const update = await peer.next(
    ({ kind, position }) => kind === 'PositionUpdate' && position.amount === '0',
  )
  assert.deepEqual([update.position.symbol, update.position.realized_pnl], [symbol, '8700'])
  const balance = await peer.next(({ kind }) => kind === 'BalanceUpdate')
  assert.equal(balance.cash, '19700')
  const { state, liquidation_mode, full_liquidation: auction } = await statusOf(short)
  assert.deepEqual([state, liquidation_mode, auction.winner], ['liquidated', null, null])
  assert.deepEqual([auction.current_positions, auction.current_equity], [[], null])
})

test('the insurance fund pays first, up to its balance', async () => {
  await venue.set('/insurance-fund', { amount: '200' })
  const { short, longA, longB, mark } = await startExample('FUND')
  await mark(12_000)
  const { insurance_paid, deleveraged } = (await recordOf(short, 'liquidated')).details
  assert.deepEqual([insurance_paid, deleveraged], ['200', '400'])
  assert.deepEqual(await holdings(short), ['0', []])
  assert.deepEqual(await holdings(longA), ['19800', []])
  assert.deepEqual(await holdings(longB), ['99800', ['2']])
})

test('with equity left, the required bid is the share that restores it, times a falling price', async () => {
  const { short, mark } = await startExample('FALLS')
  await mark(9000)
  await eventually('an auction', async () => (await statusOf(short)).liquidation_mode === 'full')
  const { equity, mm_required, shortfall, full_liquidation: auction } = await statusOf(short)
  assert.deepEqual([equity, mm_required, shortfall], ['5400', '9920', '4520'])
  assertHashes(short.wallet, auction)
  const seconds = (auction.current_valuation_timestamp_ms - auction.started_at) / 1000
  const falling = 0.95 - (0.25 * seconds) / 900
  const missing = 1.15 * 9920 - 5400
  const share = missing / (missing + falling * 5400)
  near(auction.current_required_bid_usdc, share * falling * 5400)
  near(auction.margin_needed, missing)
  await venue.set('/deposits', { wallet: short.wallet, amount: '6008' })
  const record = await recordOf(short, 'healthy')
  assert.deepEqual(
    [record.equity, record.mm_required, record.shortfall, record.winner_address, record.bonus],
    ['11408', '9920', '0', null, null],
  )
})

test('without equity the auction offers the whole account, and the fund pays the bidder more every second', async () => {
  await venue.set('/insurance-fund', { amount: '50000' })
  const { symbol, short, longA, mark } = await startExample('OWES')
  await mark(12_000)
  await eventually('an offer', async () => {
    const { full_liquidation: auction } = await statusOf(short)
    return Number(auction?.current_required_bid_usdc ?? 0) < 0
  })
  const status = await statusOf(short)
  const { equity, mm_required, full_liquidation: auction } = status
  assert.deepEqual([equity, mm_required], ['-600', '10880'])
  assertHashes(short.wallet, auction)
  const seconds = (auction.current_valuation_timestamp_ms - auction.started_at) / 1000
  near(auction.current_required_bid_usdc, -Math.min(1, seconds / insolventSeconds) * (10_880 + 600))

  const bidder = await fundedWallet('100000')
  const bid = await venue.send(
    'POST',
    '/liquidation/standard-margin',
    await bidBody(bidder, status),
  )
  assert.equal(bid.status, 200, bid.text)
  const record = await recordOf(short, 'liquidated')
  const paid = Number(record.details.insurance_paid)
  assert.ok(paid >= -Number(auction.current_required_bid_usdc), 'the payment grows with time')
  assert.deepEqual([record.winner_address, record.details.deleveraged], [bidder.wallet, '0'])
  assert.deepEqual(await holdings(short), ['0', []])
  const [gained, amounts] = await holdings(bidder)
  assert.deepEqual(amounts, ['-2'])
  near(gained, 100_000 - 600 + paid)
  assert.deepEqual(await holdings(longA), ['20000', ['1']], 'no other wallet has lost')

  const refused = await place(short, { symbol, price: '1' })
  assert.equal(refused.reason_code, 'no_funds')
  assert.equal((await statusOf(short)).state, 'liquidated')
  await venue.set('/deposits', { wallet: short.wallet, amount: '10' })
  assert.equal((await recordOf(short, 'healthy')).previous_state, 'liquidated')
  assert.equal((await place(short, { symbol, price: '1' })).status, 'ACKED')
})
