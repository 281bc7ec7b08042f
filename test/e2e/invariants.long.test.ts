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
import { mutate } from '../../scripts/mutations/mutant.js'
import { projectRoot } from '../support/project.js'
import { listMarket } from './support/listed-market.js'
import { assertRejected, orderActions } from './support/order-actions.js'
import { symbolOf } from './support/signed-body.js'
import { eventually, Venue, type Wire } from './support/venue.js'

// A copy of the build with a fault in every engine of it: of each fee the venue books a micro too little. Recovery,
// replay and state hash agree with each other, and only a sum over everybody can tell.

const fault = {
  fault: 'a micro of each fee is lost',
  original: '+= feeMicros - builderFeeMicros',
  replacement: '+= feeMicros - builderFeeMicros - 1',
}
const copy = mkdtempSync(join(tmpdir(), 'strikebook-fault-'))
const watching = ['--set=invariants.checkMillis=50', '--set=fees.takerRate=0.0003']
const sound = new Venue({ arguments: watching })
const faulty = new Venue({
  arguments: [...watching, '--matchers=1'],
  program: join(copy, 'dist/gateway/main.js'),
})
const symbol = symbolOf('BTC', 110_000)

before(async () => {
  cpSync(join(projectRoot, 'dist'), join(copy, 'dist'), { recursive: true })
  for (const name of ['node_modules', 'package.json', 'schemas']) {
    symlinkSync(join(projectRoot, name), join(copy, name))
  }
  for (const file of bundlesWith(fault.original)) {
    const path = join(copy, file)
    writeFileSync(path, mutate({ ...fault, file }, readFileSync(path, 'utf8')))
  }
  await Promise.all([sound.start(), faulty.start()])
  for (const venue of [sound, faulty]) await listMarket(venue, [symbol])
})
after(() => {
  for (const venue of [sound, faulty]) venue.dispose()
  rmSync(copy, { recursive: true, force: true })
})

/** The bundle of the core, and the part that the replica loads: each has the engine once. */
function bundlesWith(original: string): readonly string[] {
  const folder = 'dist/engine/threads'
  const names = readdirSync(join(copy, folder)).filter((name) => name.endsWith('.js'))
  const files = names.map((name) => `${folder}/${name}`)
  const held = files.filter((file) => readFileSync(join(copy, file), 'utf8').includes(original))
  assert.ok(held.length >= 2, held.join(', '))
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

test('a sound venue is looked at, books of its running matcher too, and never rings', async () => {
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

test('a micro that a fill loses rings within a moment, halts new orders and leaves cancels, until the operator opens', async () => {
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
