import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { WalletKey } from './support/signed-body.js'
import { SlowVenue } from './support/slow-venue.js'
import { assertError } from './support/venue.js'

/** The minute of the first grant does not end. */
const venue = new SlowVenue(['--gateways=2', '--set=faucet.grantsPerMinuteOnLoopback=2'])

before(() => venue.start())
after(() => venue.dispose())

async function cashOf(wallet: string): Promise<string> {
  return (await venue.read(`/portfolio?wallet=${wallet}`)).data.equity
}

test('the faucet funds a wallet once a minute, on any gateway and after a crash', async () => {
  const { wallet } = new WalletKey()
  const first = await venue.send('POST', '/faucet', { wallet })
  assert.equal(first.status, 200, first.text)
  assert.equal(first.body.amount, '100000')
  // Each by a connection of its own: the kernel spreads them over the gateways.
  for (let i = 0; i < 8; i++) {
    const again = await venue.send('POST', '/faucet', { wallet }, { Connection: 'close' })
    assertError(again, 429, 'rate_limit_exceeded')
    assert.ok(again.body.retry_after_secs >= 1 && again.body.retry_after_secs <= 60)
  }
  // A second wallet of the same machine is funded immediately. A third one exceeds the limit of its address.
  const second = await venue.send('POST', '/faucet', { wallet: new WalletKey().wallet })
  assert.equal(second.status, 200, second.text)
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

test('the index names the faucet as the source of funds', async () => {
  const { funds } = await venue.read('/')
  assert.equal(funds.from, 'faucet')
})
