import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Router } from '../../../gateway/http/router.js'
import { servedPaths } from '../../../gateway/http/served-paths.js'
import { addressKeyOf } from '../../../gateway/limits/address-limits.js'
import { allocateLimitMemory } from '../../../gateway/limits/limit-memory.js'
import { RequestLimits } from '../../../gateway/limits/request-limits.js'
import { Compressor } from '../../../gateway/transport/compressor.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import { OutcomeFlag } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { testConfig } from '../../support/gateway-rig.js'
import { httpCall } from '../../support/http-call.js'
import { hubRig } from '../../support/hub-rig.js'
import { quietStatus } from '../../support/quiet-status.js'

const walletOf = (number: number) => `0x${number.toString(16).padStart(40, '0')}`
const second = 1000

/** A gateway's routes, asked for money from addresses of the test's own. */
function faucetRig(values: Readonly<Record<string, string>> = {}) {
  const rig = hubRig(values)
  const router = new Router(
    servedPaths({
      context: rig.context,
      reads: rig.reads,
      degraded: () => [],
      status: () => quietStatus,
      compressor: new Compressor(),
      components: () => [],
      documents: new Map(),
      refusesReads: () => null,
    }),
  )
  const ask = (body: unknown, address = 9, network = [203, 0, 113]) => {
    let answer = { status: 0, body: {} as Record<string, unknown>, headers: new Map() }
    const bytes = Buffer.from(JSON.stringify(body))
    const call = httpCall('POST', '/faucet', bytes, ({ status, text, headers }) => {
      answer = { status, body: JSON.parse(text), headers: new Map(headers) }
    })
    router.route({ ...call, address: Uint8Array.of(...network, address) })
    rig.core.work()
    rig.pump()
    return answer
  }
  return { ...rig, ask }
}

test('a wallet gets 100,000 USD, by a deposit of the engine', () => {
  const { ask, core } = faucetRig()
  const { status, body } = ask({ wallet: walletOf(1).toUpperCase().replace('0X', '0x') })
  assert.equal(status, 200)
  assert.deepEqual([body['wallet'], body['amount']], [walletOf(1), '100000'])
  assert.equal(typeof body['seq'], 'number')
  assert.deepEqual(
    core.seen.map(({ type, wallet }) => [type, wallet]),
    [[CommandType.Deposit, walletOf(1)]],
  )
})

test('once a minute per wallet, and per remote client address', () => {
  const { ask, state, core } = faucetRig()
  state.millis = 60 * second * 100 + 10 * second
  const first = ask({ wallet: walletOf(1) }, 1)
  assert.equal(first.status, 200)
  // A page counts down by these after a grant.
  const window = ['X-RateLimit-Remaining', 'X-RateLimit-Reset'].map((name) =>
    first.headers.get(name),
  )
  assert.deepEqual(window, ['0', String(60 * 101)])
  const again = ask({ wallet: walletOf(1) }, 2)
  const { status, body, headers } = again
  assert.deepEqual(
    [status, body['code'], body['retry_after_secs'], body['limit']],
    [429, 'rate_limit_exceeded', 50, 1],
  )
  assert.equal(headers.get('Retry-After'), '50')
  assert.equal(ask({ wallet: walletOf(2) }, 1).status, 429)
  // A grant that failed for its wallet does not count for its address.
  assert.equal(ask({ wallet: walletOf(2) }, 2).status, 200)
  assert.equal(core.seen.length, 2)
  state.millis += 50 * second
  assert.equal(ask({ wallet: walletOf(1) }, 1).status, 200)
})

test('several wallets of this machine are funded at once, and each still once a minute', () => {
  const { ask } = faucetRig({ 'faucet.grantsPerMinuteOnLoopback': '3' })
  const askHere = (wallet: number) => ask({ wallet: walletOf(wallet) }, 1, [127, 0, 0])
  const statuses = [1, 1, 2, 3, 4].map((wallet) => askHere(wallet).status)
  assert.deepEqual(statuses, [200, 429, 200, 200, 429])
  assert.equal(ask({ wallet: walletOf(5) }).status, 200)
  assert.equal(ask({ wallet: walletOf(6) }).status, 429)
})

test('all gateways count together, and a wallet never counts as an address', () => {
  const memory = allocateLimitMemory()
  const config = testConfig()
  const [one, other] = [new RequestLimits(memory, config), new RequestLimits(memory, config)]
  const client = addressKeyOf(Uint8Array.of(203, 0, 113, 9))
  const another = addressKeyOf(Uint8Array.of(203, 0, 113, 10))
  assert.equal(one.takeGrant(client, walletOf(1), 1, 0).isAllowed, true)
  assert.equal(other.takeGrant(client, walletOf(2), 1, 0).isAllowed, false)
  assert.equal(other.takeGrant(another, walletOf(1), 1, 0).isAllowed, false)
  const likeClient = `0x${Buffer.from(client.bytes).toString('hex')}`
  assert.equal(other.takeGrant(another, likeClient, 1, 0).isAllowed, true)
  one.refundGrant(client, walletOf(1), 0)
  assert.equal(other.takeGrant(client, walletOf(1), 1, 0).isAllowed, true)
})

test('a deposit that the engine rejects is refunded, and a known one is not', () => {
  const { ask, core } = faucetRig()
  core.decide = () => ({ result: Result.DepositLimit })
  const refused = ask({ wallet: walletOf(1) })
  assert.deepEqual([refused.status, refused.body['code']], [400, 'invalid_field'])
  core.decide = () => ({ outcomeFlags: OutcomeFlag.Repeat })
  const known = ask({ wallet: walletOf(1) })
  assert.deepEqual([known.status, known.body['code']], [429, 'rate_limit_exceeded'])
  core.decide = () => ({})
  assert.equal(ask({ wallet: walletOf(1) }).status, 429)
})

test('bodies are checked before anything is counted', () => {
  const { ask, core } = faucetRig()
  const codes = [{}, { wallet: 5 }, { wallet: '0x12' }, { wallet: walletOf(0) }].map(
    (body) => ask(body).body['code'],
  )
  assert.deepEqual(codes, [
    'missing_field',
    'invalid_parameter',
    'invalid_wallet',
    'invalid_wallet',
  ])
  assert.equal(core.seen.length, 0)
  assert.equal(ask({ wallet: walletOf(1) }).status, 200)
})

test('above its maximum of accounts it opens none, and still funds existing ones', () => {
  const { ask, script, pump } = faucetRig({ 'faucet.accountsMax': '1' })
  script.account({ wallet: walletOf(1), account: 0, cashMicros: 0 })
  pump()
  const refused = ask({ wallet: walletOf(2) })
  assert.deepEqual([refused.status, refused.body['code']], [403, 'limit_exceeded'])
  assert.equal(ask({ wallet: walletOf(1) }).status, 200)
})

test('no other preset has the path', () => {
  for (const preset of ['testnet', 'mainnet-alpha']) {
    const { ask, core } = faucetRig({ preset })
    const { status, body } = ask({ wallet: walletOf(1) })
    assert.deepEqual([status, body['code']], [400, 'unsupported_endpoint'], preset)
    assert.equal(core.seen.length, 0)
  }
})
