import assert from 'node:assert/strict'
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { mutate } from '../mutations/mutant.js'
import { projectRoot } from '../support/project.js'
import { listMarket } from './support/listed-market.js'
import { assertRejected, orderActions } from './support/order-actions.js'
import { symbolOf } from './support/signed-body.js'
import { eventually, Venue, type Wire } from './support/venue.js'

// A copy of the build with a fault in all its engines: the venue books each fee a micro too low. Recovery, replay and
// state hash agree, and only a sum over all wallets shows the fault.

const fault = {
  fault: 'a micro of each fee is lost',
  original: '+= feeMicros - builderFeeMicros',
  replacement: '+= feeMicros - builderFeeMicros - 1',
}
/**
 * Fault of the checker alone, which counts a micro too much for a bid at 777: one wallet breaks an invariant although
 * no money is wrong.
 */
const falseAlarm = {
  fault: 'a micro too much is reserved for one price',
  original: 'premiumReserveMicros(priceMicros, lots) : 0',
  replacement: 'premiumReserveMicros(priceMicros, lots) + (priceMicros === 777e6 ? 1 : 0) : 0',
}
/**
 * Fault of the replica alone, which counts a micro too much for the first trade of a wallet with 778 USD: its state
 * differs from the core's.
 */
const divergence = {
  fault: 'a replay of one trade has another state',
  original: 'ledger.realizedTotalMicros[account] += out.realizedMicros',
  replacement:
    'ledger.realizedTotalMicros[account] += out.realizedMicros + (cashMicros[account] === 778e6 ? 1 : 0)',
}
const copy = mkdtempSync(join(tmpdir(), 'strikebook-fault-'))
const watching = ['--set=invariants.checkMillis=50', '--set=fees.takerRate=0.0003']
const sound = new Venue({ arguments: watching })
const faulty = new Venue({
  arguments: [...watching, '--matchers=1'],
  program: join(copy, 'dist/gateway/main.js'),
})
const wary = new Venue({
  arguments: ['--set=invariants.checkMillis=50'],
  program: join(copy, 'dist/gateway/main.js'),
})
const symbol = symbolOf('BTC', 110_000)

before(async () => {
  cpSync(join(projectRoot, 'dist'), join(copy, 'dist'), { recursive: true })
  for (const name of ['node_modules', 'package.json', 'schemas']) {
    symlinkSync(join(projectRoot, name), join(copy, name))
  }
  for (const planted of [fault, falseAlarm, divergence]) {
    for (const file of bundlesWith(planted.original)) {
      if (planted === divergence && file.endsWith('core-thread.js')) continue
      const path = join(copy, file)
      writeFileSync(path, mutate({ ...planted, file }, readFileSync(path, 'utf8')))
    }
  }
  await Promise.all([sound, faulty, wary].map((venue) => venue.start()))
  for (const venue of [sound, faulty, wary]) await listMarket(venue, [symbol])
})
after(() => {
  for (const venue of [sound, faulty, wary]) venue.dispose()
  rmSync(copy, { recursive: true, force: true })
})

/** Returns the bundles of core, replica and checker that contain a text. */
function bundlesWith(original: string): readonly string[] {
  const folder = 'dist/engine/threads'
  const names = readdirSync(join(copy, folder)).filter((name) => name.endsWith('.js'))
  const files = names.map((name) => `${folder}/${name}`)
  const held = files.filter((file) => readFileSync(join(copy, file), 'utf8').includes(original))
  assert.ok(held.length >= 1, `no bundle has ${original}`)
  return held
}

const gauge = async (venue: Venue, name: string): Promise<number> =>
  Number(new RegExp(`^strikebook_${name} (\\S+)$`, 'm').exec(await venue.metrics())![1])

async function trade(venue: Venue, lots: string): Promise<Wire> {
  const { fundedWallet, place } = orderActions(venue, symbol)
  const [maker, taker] = [await fundedWallet(), await fundedWallet()]
  await place(maker, { side: 'Buy', price: '900', size: '2' })
  return place(taker, { side: 'Sell', price: '900', size: lots })
}

async function health(venue: Venue): Promise<Wire> {
  const response = await fetch(`${venue.operatorUrl}/livez`)
  return { ...((await response.json()) as object), status: response.status }
}

test("the checker reads a sound venue, including its running matcher's books, and never alarms", async () => {
  await trade(sound, '1')
  const before = await gauge(sound, 'invariant_looks_total')
  await eventually('looks', async () => {
    const looks = (await gauge(sound, 'invariant_looks_total')) - before
    return looks > 20 && (await gauge(sound, 'invariant_books_total')) > 10
  })
  await eventually('the latest batch', async () => {
    const batch = await gauge(sound, 'invariant_batch_number')
    return batch > 0 && batch + 5 >= (await gauge(sound, 'batch_number{thread="core"}'))
  })
  assert.equal(await gauge(sound, 'invariant_alarm'), 0)
  assert.equal(await gauge(sound, 'invariant_breaches_total'), 0)
  assert.equal((await health(sound)).status, 200)
})

test('a fill that loses a micro soon raises the alarm and halts new orders, but not cancels, until the operator opens', async () => {
  const { fundedWallet, place, cancel } = orderActions(faulty, symbol)
  const by = await fundedWallet()
  const resting = await place(by, { price: '100', size: '1' })
  await trade(faulty, '1')
  await eventually('alarm', async () => (await health(faulty)).status === 503)
  const [failing] = (await health(faulty)).failing
  assert.deepEqual([failing.alarm, failing.invariant], ['invariant', 'conservation'])
  assert.equal(failing.amounts.missingMicros, '1')
  assert.equal(await gauge(faulty, 'invariant_alarm'), 1)
  await eventually('halt', async () =>
    (await faulty.metrics()).includes('strikebook_halt{underlying="BTC",kind="halted"} 1'),
  )
  assertRejected(await place(by, { price: '101' }), 'trading_halted', 'Trading is halted for BTC')
  assert.equal((await cancel(by, { order_id: resting.order_id })).status, 'CANCELED')
  assert.match(faulty.log(), /"missingMicros":"1".*alarm: invariant conservation: /)
  await faulty.set('/halts', { scope: 'all', mode: 'open' })
  await eventually('opened', async () => (await health(faulty)).status === 200)
  const looks = await gauge(faulty, 'invariant_looks_total')
  await eventually('looks', async () => (await gauge(faulty, 'invariant_looks_total')) > looks + 5)
  assert.equal(await gauge(faulty, 'invariant_alarm'), 0)
  await trade(faulty, '1')
  await eventually('another alarm', async () => (await health(faulty)).status === 503)
  assert.equal((await health(faulty)).failing[0].amounts.missingMicros, '2')
  assert.equal(await faulty.end('SIGTERM'), 0)
})

test('a broken margin stops only its wallet, across a restart, until the operator resumes it', async () => {
  const { fundedWallet, place, cancel } = orderActions(wary, symbol)
  const [by, other] = [await fundedWallet(), await fundedWallet()]
  const resting = await place(by, { price: '777', size: '1' })
  const reason = 'Trading is halted for this wallet'
  const mustBeStopped = async (price: string) => {
    await eventually('stop', async () => (await health(wary)).stopped_wallets?.length === 1)
    const { failing, status, stopped_wallets } = await health(wary)
    assert.deepEqual(
      [status, failing],
      [200, []],
      'the health report gives no reason to restart the venue',
    )
    const [stopped] = stopped_wallets
    assert.deepEqual([stopped.invariant, stopped.wallet], ['margin', by.wallet])
    assert.deepEqual(
      [await gauge(wary, 'stopped_wallets'), await gauge(wary, 'invariant_alarm')],
      [1, 0],
    )
    assertRejected(await place(by, { price }), 'trading_halted', reason)
    assert.equal((await place(other, { price, size: '1' })).status, 'ACKED')
  }
  await mustBeStopped('101')
  assert.match(wary.log(), /alarm: invariant margin: wallet 0x[0-9a-f]{40}: slack with working/)
  assert.equal((await wary.operatorState()).invariants.breaches[0].wallet, by.wallet)
  assert.equal(await wary.end('SIGKILL'), null)
  await wary.start()
  await mustBeStopped('102')
  const simulated = await wary.send('POST', '/risk/simulate/orders', {
    ...{ wallet: by.wallet, execution_mode: 'resting' },
    orders: [{ symbol, side: 'Buy', size: '1', price: '103' }],
  })
  assert.equal(simulated.body.data.rejection_reason, reason)
  assert.equal((await cancel(by, { order_id: resting.order_id })).status, 'CANCELED')
  assert.equal((await wary.set('/wallet-halts', { wallet: by.wallet, mode: 'open' })).changed, true)
  await eventually('resumed', async () => (await health(wary)).stopped_wallets === undefined)
  assert.equal((await place(by, { price: '103', size: '1' })).status, 'ACKED')
  assert.equal(await gauge(wary, 'stopped_wallets'), 0)
})

test('a replay with another state halts the market but not cancels', async () => {
  const { fundedWallet, place, cancel } = orderActions(wary, symbol)
  const [by, other] = [await fundedWallet(), await fundedWallet('778')]
  const resting = await place(by, { price: '5', size: '1' })
  await place(by, { side: 'Sell', price: '700', size: '1' })
  assert.equal((await place(other, { side: 'Buy', price: '700', size: '1' })).status, 'FILLED')
  // The next batch carries the hash of the state before it.
  await place(other, { price: '6', size: '1' })
  await eventually('alarm', async () => (await health(wary)).status === 503)
  assert.equal((await health(wary)).failing[0].invariant, 'replay')
  await eventually('halt', async () =>
    (await wary.metrics()).includes('strikebook_halt{underlying="BTC",kind="halted"} 1'),
  )
  assertRejected(await place(by, { price: '101' }), 'trading_halted', 'Trading is halted for BTC')
  assert.equal((await cancel(by, { order_id: resting.order_id })).status, 'CANCELED')
  assert.equal(await wary.end('SIGTERM'), 0)
})
