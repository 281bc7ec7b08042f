import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { longTest } from '../support/long-test.js'
import { listMarket } from './support/listed-market.js'
import { orderActions } from './support/order-actions.js'
import { sharedVenue } from './support/shared-venue.js'
import { agentBody, type Body, placeBody, symbolOf, WalletKey } from './support/signed-body.js'
import { StreamPeer } from './support/stream-peer.js'
import { assertError, type Wire } from './support/venue.js'

const venue = sharedVenue()
const symbol = symbolOf('BTC', 110_000)

before(async () => {
  await listMarket(venue, [symbol])
})

const { fundedWallet, cancel } = orderActions(venue, symbol)

const approve = async (by: WalletKey, patch: Body) =>
  venue.send('POST', '/approve-agent', await agentBody(by, 'ApproveAgent', patch))
const revoke = async (by: WalletKey, patch: Body) =>
  venue.send('DELETE', '/revoke-agent', await agentBody(by, 'RevokeAgent', patch))
const revokeAll = async (by: WalletKey, patch: Body = {}) =>
  venue.send('DELETE', '/revoke-all-agents', await agentBody(by, 'RevokeAllAgents', patch))
const order = async (by: WalletKey, signer: WalletKey) =>
  venue.send('POST', '/order', await placeBody(by, { symbol, price: '1' }, signer))

async function agentsOf(by: WalletKey): Promise<string[]> {
  const answer = await venue.get(`/authorized-agents?wallet=${by.wallet}`)
  assert.equal(answer.status, 200)
  return answer.body.agents
}

test('approving, trading and revoking each take effect with their answer', async () => {
  const [by, agent] = [await fundedWallet(), new WalletKey()]
  assert.deepEqual(await agentsOf(by), [])
  assertError(await order(by, agent), 401, 'unauthorized')
  const approved = await approve(by, { agent: agent.account.address })
  assert.equal(approved.status, 200, approved.text)
  assert.equal(approved.body.success, true)
  assert.equal(approved.body.error, null)
  assert.equal(approved.body.wallet, by.wallet)
  assert.deepEqual(await agentsOf(by), [agent.wallet])
  const placed = await order(by, agent)
  assert.equal(placed.body.status, 'ACKED', placed.text)
  const revoked = await revoke(by, { agent: agent.wallet })
  assert.equal(revoked.status, 200, revoked.text)
  assert.equal(revoked.body.wallet, by.wallet)
  assert.deepEqual(await agentsOf(by), [])
  assertError(await order(by, agent), 401, 'unauthorized')
  const rows = (await venue.get(`/orders?wallet=${by.wallet}`)).body.data
  assert.equal(rows.find((each: Wire) => each.order_id === placed.body.order_id).status, 'open')
  const canceled = await cancel(by, { order_id: placed.body.order_id })
  assert.equal(canceled.status, 'CANCELED', "the agent's order stays until its owner cancels it")
})

test('an agent can neither approve nor revoke agents for its owner', async () => {
  const [by, agent, friend] = [await fundedWallet(), new WalletKey(), new WalletKey()]
  await approve(by, { agent: agent.wallet })
  assertError(await approve(agent, { agent: friend.wallet }), 403, 'no_account')
  await venue.set('/deposits', { wallet: agent.wallet, amount: '1' })
  const own = await approve(agent, { agent: friend.wallet })
  assert.equal(own.body.wallet, agent.wallet)
  assert.deepEqual(await agentsOf(by), [agent.wallet])
  assertError(await order(by, friend), 401, 'unauthorized')
  const claimed = await approve(agent, { agent: friend.wallet, wallet: by.wallet })
  assertError(claimed, 401, 'unauthorized')
  const named = await approve(by, { agent: friend.wallet, wallet: by.account.address })
  assert.equal(named.status, 200, named.text)
})

test('an agent signs on the stream too', async () => {
  const [by, agent] = [await fundedWallet(), new WalletKey()]
  await approve(by, { agent: agent.wallet })
  const peer = await StreamPeer.open(venue)
  const body = await placeBody(by, { symbol, price: '1' }, agent)
  const result = await peer.ask({ type: 'PlaceOrder', ...body }, 'OrderResult')
  assert.equal(result.status, 'ACKED', JSON.stringify(result))
  await revokeAll(by)
  const refused = await placeBody(by, { symbol, price: '1' }, agent)
  const error = await peer.ask({ type: 'PlaceOrder', ...refused }, 'Error')
  assert.equal(error.code, 'unauthorized')
  peer.close()
})

test('approving an agent twice and revoking an unknown one succeed without effect', async () => {
  const [by, agent] = [await fundedWallet(), new WalletKey()]
  for (let times = 0; times < 2; times++) {
    assert.equal((await approve(by, { agent: agent.wallet })).body.success, true)
  }
  assert.deepEqual(await agentsOf(by), [agent.wallet])
  assert.equal((await revoke(by, { agent: new WalletKey().wallet })).body.success, true)
  assert.deepEqual(await agentsOf(by), [agent.wallet])
})

test('revoke-all removes every agent at once', async () => {
  const by = await fundedWallet()
  const agents = [new WalletKey(), new WalletKey(), new WalletKey()]
  for (const { wallet } of agents) await approve(by, { agent: wallet })
  assert.equal((await agentsOf(by)).length, 3)
  const answer = await revokeAll(by)
  assert.equal(answer.body.success, true, answer.text)
  assert.equal(answer.body.wallet, by.wallet)
  assert.deepEqual(await agentsOf(by), [])
  for (const agent of agents) assertError(await order(by, agent), 401, 'unauthorized')
})

test('the core allows 64 agents; the next one fails with limit_exceeded and burns no nonce', async () => {
  const by = await fundedWallet()
  const agents = Array.from({ length: 64 }, () => new WalletKey())
  for (const { wallet } of agents) assert.equal((await approve(by, { agent: wallet })).status, 200)
  const nonce = by.nextNonce()
  const beyond = new WalletKey().wallet
  assertError(await approve(by, { agent: beyond, nonce }), 403, 'limit_exceeded')
  assert.equal((await approve(by, { agent: agents[0]!.wallet })).status, 200)
  await revoke(by, { agent: agents[0]!.wallet })
  assert.equal((await approve(by, { agent: beyond, nonce })).status, 200)
  assert.equal((await agentsOf(by)).length, 64)
})

test('an approval of the wallet itself, the zero address or a malformed address fails', async () => {
  const by = await fundedWallet()
  const zero = '0x0000000000000000000000000000000000000000'
  for (const agent of [by.wallet, zero]) {
    assertError(await approve(by, { agent }), 400, 'invalid_field')
  }
  const good = await agentBody(by, 'ApproveAgent', { agent: zero })
  for (const agent of ['', '0x12', 'agent']) {
    const answer = await venue.send('POST', '/approve-agent', { ...good, agent })
    assert.equal(answer.status, 400, answer.text)
    assert.match(answer.body.code, /^invalid_(field|wallet)$/)
  }
})

test('agent writes with missing fields or bad signatures fail', async () => {
  const by = await fundedWallet()
  const agent = new WalletKey().wallet
  const good = await agentBody(by, 'ApproveAgent', { agent })
  for (const name of ['agent', 'nonce', 'signature']) {
    const body = { ...good, [name]: undefined }
    const answer = await venue.send('POST', '/approve-agent', body)
    assertError(answer, 400, 'missing_field')
  }
  for (const signature of ['0x', `0x${'00'.repeat(65)}`, 'zz']) {
    const answer = await venue.send('POST', '/approve-agent', { ...good, signature })
    assertError(answer, 400, 'signature_verification_failed')
  }
  for (const path of ['/revoke-agent', '/revoke-all-agents']) {
    assertError(await venue.send('DELETE', path, {}), 400, 'missing_field')
  }
})

test('agents and orders share nonces: the same payload is a retry, another one a conflict', async () => {
  const [by, agent] = [await fundedWallet(), new WalletKey()]
  const body = await agentBody(by, 'ApproveAgent', { agent: agent.wallet })
  assert.equal((await venue.send('POST', '/approve-agent', body)).status, 200)
  await revoke(by, { agent: agent.wallet })
  const repeat = await venue.send('POST', '/approve-agent', body)
  assert.equal(repeat.status, 200, repeat.text)
  assert.equal(repeat.body.success, true)
  assert.deepEqual(await agentsOf(by), [], 'a retry executes nothing')
  const nonce = body['nonce']
  const used = await approve(by, { agent: new WalletKey().wallet, nonce })
  assertError(used, 409, 'conflict')
  assert.equal(used.body.message, `Nonce ${nonce} already used`)
  assertError(await revokeAll(by, { nonce }), 409, 'conflict')
  const placed = await venue.send('POST', '/order', await placeBody(by, { symbol, nonce }))
  assert.equal(placed.body.reason, `Nonce ${nonce} already used`)
})

longTest('agents, and the nonces of their approvals, survive a hard stop', async () => {
  const [by, agent] = [await fundedWallet(), new WalletKey()]
  const body = await agentBody(by, 'ApproveAgent', { agent: agent.wallet })
  await venue.send('POST', '/approve-agent', body)
  assert.equal(await venue.end('SIGKILL'), null)
  await venue.start()
  assert.deepEqual(await agentsOf(by), [agent.wallet])
  assert.equal((await order(by, agent)).body.status, 'ACKED')
  const repeat = await venue.send('POST', '/approve-agent', body)
  assert.equal(repeat.status, 200, repeat.text)
  const nonce = body['nonce']
  assertError(await approve(by, { agent: new WalletKey().wallet, nonce }), 409, 'conflict')
})

test('GET /authorized-agents requires a valid wallet', async () => {
  assertError(await venue.get('/authorized-agents'), 400, 'missing_field')
  assertError(await venue.get('/authorized-agents?wallet=me'), 400, 'invalid_wallet')
  assert.deepEqual(await agentsOf(new WalletKey()), [])
})
