import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readlinkSync, renameSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { segmentName } from '../../engine/journal/segment-format.js'
import { connectStrikebook, createNonceSource } from '../../gateway/client/index.js'
import { startVenue, type TestVenue, type VenueStanding } from '../../gateway/testing.js'
import { StreamPeer } from '../e2e/support/stream-peer.js'
import { isLongRun, longTest } from '../support/long-test.js'

const startMillis = Date.UTC(2026, 0, 1)
const hourMillis = 3_600_000
const keys = [`0x${'1'.repeat(64)}`, `0x${'2'.repeat(64)}`]
const symbol = 'BTC-20260103-100000-C'
const expiryMillis = Date.UTC(2026, 0, 3, 8)
/** Interval of samples of the perp's book. Each sample is a stop of virtual time. */
const sampleSeconds = isLongRun ? 60 : 1200

/** Result of one script: all messages, and the states of the venue at its stops. */
interface Told {
  readonly messages: readonly unknown[]
  readonly stops: readonly VenueStanding[]
  readonly reads: readonly unknown[]
}

async function started(t: TestContext, options?: Parameters<typeof startVenue>[0]) {
  const venue = await startVenue(options)
  t.after(() => venue.stop())
  return venue
}

async function operator(venue: TestVenue, path: string, body: object): Promise<void> {
  const response = await fetch(`${venue.operatorUrl}/operator${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${venue.operatorToken}` },
    body: JSON.stringify(body),
  })
  assert.equal(response.status, 200, await response.text())
}

function price(venue: TestVenue, usd: string): Promise<void> {
  return operator(venue, '/index-prices', { prices: [{ underlying: 'BTC', price: usd }] })
}

/** An option of two days and a perp trade between two wallets; the option expires, the perp is funded. */
async function daysOfTrading(venue: TestVenue): Promise<Told> {
  const expiry = expiryMillis / 1000
  await operator(venue, '/instruments', { symbol, expiry })
  await operator(venue, '/instruments', { symbol: 'BTC-PERP' })
  await price(venue, '100000')
  const points = [{ strike: '100000', iv: '0.6' }]
  await operator(venue, '/vol-surfaces', { underlying: 'BTC', expiry, points })
  const nextNonce = createNonceSource(venue.now)
  const connect = (privateKey: string) =>
    connectStrikebook({ url: venue.url, privateKey, nextNonce })
  const [seller, buyer] = [await connect(keys[0]!), await connect(keys[1]!)]
  for (const { wallet } of [seller, buyer]) {
    await operator(venue, '/deposits', { wallet, amount: '500000', deposit_id: wallet })
  }
  const streamUrl = `${venue.url.replace('http', 'ws')}/ws`
  const peer = await StreamPeer.open({ streamUrl }, `?wallet=${buyer.wallet}`)
  for (const channel of ['fills', 'order_updates']) {
    peer.send({ type: 'Subscribe', channel })
    await peer.next('Subscribed')
  }
  await seller.placeOrder({ symbol, side: 'Sell', size: '2', price: '3000' })
  const bought = await buyer.placeOrder({ symbol, side: 'Buy', size: '2', price: '3000' })
  assert.equal(bought.status, 'FILLED', JSON.stringify(bought))
  const [perp] = await buyer.perps()
  const terms = { asset: perp!.asset, size: '1', price: '100500' } as const
  await seller.placePerpOrder({ ...terms, side: 'Sell' })
  const boughtPerp = await buyer.placePerpOrder({ ...terms, side: 'Buy' })
  assert.equal(boughtPerp.status, 'FILLED', JSON.stringify(boughtPerp))
  await seller.placePerpOrder({ ...terms, size: '3', side: 'Sell', price: '100600' })
  await buyer.placePerpOrder({ ...terms, size: '3', side: 'Buy', price: '100400' })
  const stops = [await venue.advance(0), await venue.advance('2d')]
  await price(venue, '104000')
  stops.push(await venue.advance('12h'))
  peer.send({ type: 'ClockSync', nonce: 'all' })
  const { server_at } = await peer.next('ClockSynced')
  assert.equal(server_at, venue.now(), 'the connection lives by its own time')
  peer.close()
  const reads = [
    await buyer.settlementPayouts(),
    await buyer.profile.realizedPnl(),
    await seller.portfolio(),
    await buyer.portfolio(),
  ]
  return { messages: peer.messages, stops, reads }
}

test('days pass on request, due events happen at their own time, and a second run is the same', async (t) => {
  const runs: Told[] = []
  for (let run = 0; run < 2; run++) {
    const funding = { 'perp.funding.enabled': true, 'perp.funding.sampleSeconds': sampleSeconds }
    const venue = await started(t, { config: funding, stepMillis: sampleSeconds * 1000 })
    assert.equal(venue.now(), startMillis)
    runs.push(await daysOfTrading(venue))
    assert.equal(venue.now(), startMillis + 60 * hourMillis)
  }
  const [first, second] = runs
  // biome-ignore lint/suspicious/noExplicitAny: the wire has no types
  const [payouts, profits] = first!.reads as any[]
  assert.deepEqual(
    payouts.map((each: { created_at: number }) => each.created_at),
    [expiryMillis],
  )
  assert.equal(payouts[0].settlement_value, '8000')
  assert.ok(profits.some((each: { symbol: string }) => each.symbol === 'funding'))
  assert.deepEqual(second, first)
})

longTest(
  'the simulated market moves with virtual time, and the same again in another run',
  async (t) => {
    const stops: VenueStanding[] = []
    for (let run = 0; run < 2; run++) {
      const venue = await started(t, { config: { feed: 'simulated' }, startMillis: 1e12 })
      const [before, after] = [await venue.advance(0), await venue.advance('4m')]
      assert.ok(after.seq > before.seq + 4, 'a step of the market each minute')
      stops.push(after)
    }
    assert.deepEqual(stops[1], stops[0])
    const venue = await started(t, { config: { feed: 'simulated' } })
    const client = await connectStrikebook({ url: venue.url, privateKey: keys[0]! })
    const expiries = async () => {
      const options = await client.market.instruments({ currency: 'BTC', expired: true })
      return new Set(options.map(({ expiration_timestamp }) => expiration_timestamp)).size
    }
    await venue.advance('3d')
    assert.ok((await expiries()) > 0, 'options expire on the way')
  },
)

longTest(
  'a venue with its own folder continues where it was, and keeps the folder; an invalid duration fails',
  async (t) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'strikebook-kept-'))
    t.after(() => rmSync(dataDir, { recursive: true }))
    const first = await startVenue({ dataDir })
    await price(first, '100000')
    const before = await first.advance('1d')
    await first.stop()
    assert.ok(existsSync(join(dataDir, 'journal')))
    const second = await started(t, { dataDir })
    const { timeMillis, stateHash } = await second.advance(0)
    assert.ok(timeMillis >= before.timeMillis, 'time does not go back')
    assert.notEqual(stateHash, '')
    const now = second.now()
    for (const wrong of ['7', '7 days', '-1d', '1.5h', '', -1, 0.5, Number.NaN, 2 ** 53]) {
      await assert.rejects(second.advance(wrong), RangeError, `${wrong}`)
    }
    assert.equal(second.now(), now)
  },
)

test('reads of an idle venue need no time, and its end fails pending calls', async () => {
  const venue = await startVenue({ config: { feed: 'simulated' }, stepMillis: 60_000 })
  const paths = ['/portfolio?wallet=', '/leaderboard?wallet='].map(
    (path) => `${venue.url}${path}${`0x${'1'.repeat(40)}`}&min_seq=${2 ** 50}`,
  )
  const answers = await Promise.all(paths.map((path) => fetch(path)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [503, 503],
  )
  const underWay = venue.advance('7d')
  const refused = assert.rejects(underWay, /the venue has stopped/)
  const [first, second] = [venue.stop(), venue.stop()]
  await refused
  await assert.rejects(venue.advance('1m'), /the venue has stopped/)
  await Promise.all([first, second])
})

test('an invalid configuration fails, and a failed start leaves nothing', async () => {
  for (const wrong of [{ stepMillis: 0 }, { stepMillis: Number.NaN }, { startMillis: -1 }]) {
    await assert.rejects(startVenue(wrong), RangeError)
  }
  await assert.rejects(startVenue({ config: { fed: 'none' } }), /fed/)
  await assert.rejects(startVenue({ config: { maker: 'on' } }), /maker/)
})

test('a failed start ends everything that it has begun, and the folder can be started again', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'strikebook-venue-'))
  const blocker = createServer().listen(0, '127.0.0.1')
  await once(blocker, 'listening')
  const { port } = blocker.address() as AddressInfo
  try {
    const taken = { 'operator.port': port }
    await assert.rejects(startVenue({ dataDir, config: taken }), /EADDRINUSE/)
    assert.deepEqual(openedIn(dataDir), [])
    await (await startVenue({ dataDir })).stop()
    // Its own threads refuse this one, while the rail is open.
    const [first, second] = [0, 1].map((number) => join(dataDir, 'journal', segmentName(number)))
    renameSync(first!, second!)
    await assert.rejects(startVenue({ dataDir }), /under another name/)
    renameSync(second!, first!)
    assert.deepEqual(openedIn(dataDir), [])
    const venue = await startVenue({ dataDir })
    assert.notDeepEqual(openedIn(dataDir), [])
    await venue.stop()
    assert.deepEqual(openedIn(dataDir), [])
  } finally {
    blocker.close()
    rmSync(dataDir, { recursive: true })
  }
})

/** Files below a folder that this process has open, but the store: SQLite keeps it until its statements are collected. */
function openedIn(folder: string): readonly string[] {
  const targets = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`)
    } catch {
      return '' // closed since, as the one that lists them
    }
  })
  return targets.filter((target) => target.startsWith(folder) && !target.includes('history.db'))
}

test('with the clock of the machine time passes by itself, and nobody can advance it', async (t) => {
  const venue = await started(t, { clock: 'machine' })
  assert.ok(Math.abs(venue.now() - Date.now()) < 60_000)
  await assert.rejects(venue.advance('1d'), /machine/)
})
