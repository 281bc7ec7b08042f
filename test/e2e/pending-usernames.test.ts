import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { orderActions } from './support/order-actions.js'
import { symbolOf, usernameBody, type WalletKey } from './support/signed-body.js'
import { assertError, eventually, Venue, type Wire } from './support/venue.js'

const venue = new Venue({ arguments: ['--set=usernames.moderation=true'] })
const { fundedWallet } = orderActions(venue, symbolOf('BTC', 110_000))

before(() => venue.start())
after(() => venue.dispose())

async function ask(by: WalletKey, name: string): Promise<void> {
  const body = await usernameBody(by, name)
  const answer = await venue.send('POST', '/submitUsernameRequest', body)
  assert.equal(answer.body.data?.status, 'pending', answer.text)
}

async function listed(query = ''): Promise<Wire> {
  const { status, body, text } = await venue.operator('GET', `/usernames${query}`)
  assert.equal(status, 200, text)
  return body
}

const namesIn = ({ data }: Wire): string[] => data.map((row: Wire) => row.requested_username)

async function untilListed(...names: string[]): Promise<void> {
  await eventually(names.join(', '), async () => {
    return JSON.stringify(namesIn(await listed())) === JSON.stringify(names)
  })
}

test('the venue lists pending usernames in order of request, until a verdict or a new request', async () => {
  const [ann, bob, cid] = [await fundedWallet(), await fundedWallet(), await fundedWallet()]
  const nobody = { limit: 50, offset: 0, count: 0, total: 0 }
  assert.deepEqual(await listed(), { ok: true, data: [], pagination: nobody })
  await ask(ann, 'ann')
  await ask(bob, 'bob')
  await ask(cid, 'cid')
  await untilListed('ann', 'bob', 'cid')
  await venue.set('/usernames', { wallet: ann.wallet, verdict: 'approved' })
  await untilListed('bob', 'cid')
  await ask(ann, 'anna')
  await ask(bob, 'bobby')
  await untilListed('cid', 'anna', 'bobby')
  const row = { wallet: ann.wallet, requested_username: 'anna', username: 'ann' }
  assert.deepEqual((await listed(`?wallet=${ann.wallet}`)).data, [row])
  const page = await listed('?limit=1&offset=2')
  assert.deepEqual(namesIn(page), ['bobby'])
  assert.deepEqual(page.pagination, { limit: 1, offset: 2, count: 1, total: 3 })
  await venue.set('/usernames', { wallet: cid.wallet, verdict: 'rejected' })
  await untilListed('anna', 'bobby')
  await venue.end('SIGKILL')
  await venue.start()
  await untilListed('anna', 'bobby')
})

test('the list refuses unknown parameters and unknown tokens', async () => {
  assertError(await venue.operator('GET', '/usernames?limit=101'), 400, 'invalid_parameter')
  assertError(await venue.operator('GET', '/usernames?wallet=me'), 400, 'invalid_wallet')
  assertError(await venue.operator('GET', '/usernames?state=all'), 400, 'invalid_field')
  assertError(await venue.operator('GET', '/usernames', undefined, 'wrong'), 401, 'unauthorized')
  const put = await venue.operator('PUT', '/usernames', {})
  assertError(put, 405, 'method_not_allowed')
  assert.equal(put.headers.get('allow'), 'GET, HEAD, POST')
})
