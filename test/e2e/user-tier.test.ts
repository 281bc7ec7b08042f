import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Body, tierBody, WalletKey } from './support/signed-body.js'
import { assertError, Venue } from './support/venue.js'

// Signers that may set a tier, and the endpoints for it.

const signer = new WalletKey()
const venue = new Venue({ arguments: [`--set=operator.signers=${signer.wallet}`] })

before(() => venue.start())
after(() => venue.dispose())

const tierOf = async (by: WalletKey) =>
  (await venue.read(`/user-tier?wallet=${by.wallet}`)).data.tier

const send = (body: Body) => venue.send('POST', '/user-tier', body)

test('an operator address signs tiers for any wallet, with its own nonces; other addresses cannot', async () => {
  const by = new WalletKey()
  assertError(await send(await tierBody(by, by, 'tier2')), 401, 'unauthorized')
  const body = await tierBody(signer, by, 'tier2')
  const set = await send(body)
  assert.equal(set.status, 200, set.text)
  const { as_of_seq, ...rest } = set.body
  assert.ok(Number.isSafeInteger(as_of_seq))
  const limits = {
    max_open_orders: 500,
    max_open_positions: 200,
    orders_per_minute: 120,
    cancels_per_minute: 300,
    api_requests_per_minute: 1200,
  }
  const data = { wallet_address: by.wallet, tier: 'tier2', limits }
  assert.deepEqual(rest, { success: true, data, error: null })
  assert.deepEqual((await send(body)).body, set.body, 'a retry gets the first answer')
  assert.equal(await tierOf(by), 'tier2')
  const another = await tierBody(signer, new WalletKey(), 'tier1', { nonce: body['nonce'] })
  assertError(await send(another), 409, 'conflict')

  const short = await send(await tierBody(signer, by, 'mm'))
  assert.deepEqual(
    [short.body.data.tier, short.body.data.limits.max_open_positions],
    ['market_maker', -1],
  )
  assertError(await send(await tierBody(signer, by, 'gold')), 400, 'invalid_field')
  const { nonce, ...rushed } = await tierBody(signer, by, 'tier1')
  assert.ok(nonce !== undefined)
  assertError(await send(rushed), 400, 'missing_field')
})

test('on the operator port the token suffices; on the public port it does nothing', async () => {
  const by = new WalletKey()
  const body = JSON.stringify({ wallet: by.wallet, tier: 'tier1' })
  const post = (url: string, token: string) =>
    fetch(`${url}/user-tier`, {
      method: 'POST',
      body,
      headers: { Authorization: `Bearer ${token}` },
    })
  assert.equal((await post(venue.operatorUrl, 'wrong')).status, 401)
  assert.equal((await post(venue.url, venue.token)).status, 400)
  assert.equal(await tierOf(by), 'default')
  assert.equal((await post(venue.operatorUrl, venue.token)).status, 200)
  assert.equal(await tierOf(by), 'tier1')
})
