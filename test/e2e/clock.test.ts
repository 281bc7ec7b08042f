import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { longTest } from '../support/long-test.js'
import { listMarket } from './support/listed-market.js'
import { assertRejected, orderActions } from './support/order-actions.js'
import { marginModeBody, placeBody, symbolOf } from './support/signed-body.js'
import { SteppedVenue } from './support/stepped-venue.js'
import { eventually, type Wire } from './support/venue.js'

const hour = 3_600_000
const day = 24 * hour
const reason = 'Trading is halted for BTC'
const venue = new SteppedVenue()
const symbol = symbolOf('BTC', 110_000)
const { fundedWallet, place, cancel } = orderActions(venue, symbol)
let wallet: Wire

before(async () => {
  await venue.start()
  await listMarket(venue, [symbol])
  wallet = await fundedWallet()
})
after(() => venue.dispose())

async function health(): Promise<Wire> {
  const response = await fetch(`${venue.operatorUrl}/livez`)
  return { ...((await response.json()) as object), status: response.status }
}

const alarmIs = (isRaised: boolean) =>
  eventually(
    `clock alarm ${isRaised}`,
    async () => (await health()).status === (isRaised ? 503 : 200),
  )

async function alarmGauge(): Promise<number> {
  return Number(/^strikebook_clock_alarm (\S+)$/m.exec(await venue.metrics())![1])
}

const haltIs = (mode: string) =>
  eventually(`halt gauge ${mode}`, async () =>
    (await venue.metrics()).includes(`strikebook_halt{underlying="BTC",kind="${mode}"} 1`),
  )

async function isListed(): Promise<boolean> {
  const { result } = await venue.read('/instruments')
  return result.some((row: Wire) => row.instrument_name === symbol)
}

async function index(price: string): Promise<void> {
  await venue.set('/index-prices', { prices: [{ underlying: 'BTC', price }] })
}

test('a clock briefly a year ahead halts trading and expires nothing', async () => {
  const resting = await place(wallet, { price: '10' })
  venue.stepTo(400 * day)
  await alarmIs(true)
  const { status, failing } = await health()
  assert.deepEqual([status, failing[0].alarm, failing[0].state], [503, 'clock', 'stepped'])
  assert.ok(Math.abs(failing[0].aheadMillis - 400 * day) < 5000, JSON.stringify(failing))
  assert.equal(await alarmGauge(), 1)
  assertRejected(await place(wallet, { price: '11' }), 'trading_halted', reason)
  await haltIs('halted')
  const { data } = await venue.read(`/portfolio?wallet=${wallet.wallet}`)
  assert.deepEqual([data.withdrawable_usdc, data.equity !== '0'], ['0', true])
  const moded = await venue.send('POST', '/margin-mode', await marginModeBody(wallet, 'portfolio'))
  assert.deepEqual([moded.status, moded.body.code], [503, 'trading_halted'])
  const bulk = await venue.send('POST', '/bulk_order', [
    await placeBody(wallet, { symbol, price: '12' }),
  ])
  assertRejected(bulk.body[0].data, 'trading_halted', reason)
  assert.equal((await cancel(wallet, { order_id: resting.order_id })).status, 'CANCELED')
  venue.stepTo(0)
  await alarmIs(false)
  assert.equal(await isListed(), true)
  assert.equal((await place(wallet, { price: '13' })).status, 'ACKED')
  assert.equal(await alarmGauge(), 0)
  await haltIs('open')
})

test('after the clock steps back an hour and the operator keeps engine time, prices are fresh and can become stale again', async () => {
  venue.stepTo(-hour)
  await alarmIs(true)
  const accepted = await venue.set('/clock', { accept: 'engine' })
  assert.deepEqual([accepted.changed, accepted.accept, accepted.waits_ms], [true, 'engine', 0])
  await alarmIs(false)
  await index('100000')
  const update = await place(wallet, { price: '14' })
  assert.equal(update.status, 'ACKED', JSON.stringify(update))
  assert.ok(
    Math.abs(update.timestamp - Date.now()) < 10_000,
    'the update has engine time, not the time of the clock',
  )
})

longTest(
  'the accepted offset survives a crash, and a clock set right again needs no operator',
  async () => {
    await venue.end('SIGKILL')
    await venue.start()
    await alarmIs(false)
    await index('100000')
    assert.equal((await place(wallet, { price: '15' })).status, 'ACKED')
    venue.stepTo(0)
    await sleep(100)
    await alarmIs(false)
    assert.match(await venue.metrics(), /^strikebook_clock_offset_seconds 0$/m)
    assert.equal((await place(wallet, { price: '16' })).status, 'ACKED')
  },
)

test("a venue that starts before its journal's time stays halted until the clock is right", async () => {
  await venue.end('SIGKILL')
  venue.stepTo(-10 * day)
  await venue.start()
  await alarmIs(true)
  await index('100000')
  assertRejected(await place(wallet, { price: '17' }), 'trading_halted', reason)
  venue.stepTo(0)
  await alarmIs(false)
  assert.equal((await place(wallet, { price: '18' })).status, 'ACKED')
})

longTest(
  'a venue that starts days ahead waits for the operator, and expires due options once the clock is accepted',
  async () => {
    await venue.end()
    venue.stepTo(400 * day)
    await venue.start()
    await alarmIs(true)
    assert.equal(await isListed(), true)
    const refused = await venue.operator('POST', '/clock', { accept: 'mine' })
    assert.equal(refused.status, 400)
    const accepted = await venue.set('/clock', { accept: 'wall' })
    assert.deepEqual([accepted.changed, accepted.waits_ms], [true, 0])
    await alarmIs(false)
    await eventually('the option has expired', async () => !(await isListed()))
    const again = await venue.set('/clock', { accept: 'wall' })
    assert.deepEqual([again.changed, again.result], [false, 'CLOCK_NOT_IN_ALARM'])
  },
)

test('metrics show the time of answers and flushes by kind, and the method of signer recovery', async () => {
  const text = await venue.metrics()
  const count = (name: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(name))!
        .split(' ')[1],
    )
  await place(wallet, { price: '19' })
  assert.ok(count('strikebook_journal_flush_seconds_count') > 0)
  assert.ok(count('strikebook_journal_flush_seconds_sum') > 0)
  assert.match(text, /^strikebook_signature_recovery\{kind="(native|noble)"\} 1$/m)
  const counted = /^strikebook_acknowledgement_seconds_count\{kind="place"\} [1-9]\d*$/m
  // The gateway counts an answer after sending it, so the client may read it earlier.
  await eventually('the answer is counted', async () => counted.test(await venue.metrics()))
})
