import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { WalletKey } from './support/signed-body.js'
import { assertError, Venue } from './support/venue.js'

const venue = new Venue({ arguments: ['--gateways=2'] })
const minuteMillis = 60_000

before(() => venue.start())
after(() => venue.dispose())

/** Waits for the next minute when this one is nearly over. */
async function earlyInMinute(): Promise<void> {
  const leftMillis = minuteMillis - (Date.now() % minuteMillis)
  if (leftMillis < 25_000) await sleep(leftMillis + 50)
}

async function cashOf(wallet: string): Promise<string> {
  return (await venue.read(`/portfolio?wallet=${wallet}`)).data.equity
}

test('money comes once a minute, by whatever gateway, and over a crash', async () => {
  const { wallet } = new WalletKey()
  await earlyInMinute()
  const first = await venue.send('POST', '/faucet', { wallet })
  assert.equal(first.status, 200, first.text)
  assert.equal(first.body.amount, '100000')
  // Each by a connection of its own: the kernel spreads them over the gateways.
  for (let i = 0; i < 8; i++) {
    const again = await venue.send('POST', '/faucet', { wallet }, { Connection: 'close' })
    assertError(again, 429, 'rate_limit_exceeded')
    assert.ok(again.body.retry_after_secs >= 1 && again.body.retry_after_secs <= 60)
  }
  assertError(
    await venue.send('POST', '/faucet', { wallet: new WalletKey().wallet }),
    429,
    'rate_limit_exceeded',
  )
  await venue.end('SIGKILL')
  await venue.start()
  assert.equal(await cashOf(wallet), '100000')
  assertError(await venue.send('POST', '/faucet', { wallet }), 429, 'rate_limit_exceeded')
  assert.equal(await cashOf(wallet), '100000')
})

test('the index says where money comes from', async () => {
  const { funds } = await venue.read('/')
  assert.equal(funds.from, 'faucet')
})
