import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listMarket } from './support/listed-market.js'
import {
  agentBody,
  cancelBody,
  dateText,
  marginModeBody,
  placeBody,
  replaceBody,
  symbolOf,
  WalletKey,
} from './support/signed-body.js'
import { StreamPeer } from './support/stream-peer.js'
import { assertError, Venue, type Wire } from './support/venue.js'

const token = 'e2e-operator-token'
const testnet = presetVenue('testnet')
const mainnet = presetVenue('mainnet-alpha')
const mainnetDomain = { name: 'Strikebook', chainId: 999 }
const symbol = symbolOf('BTC', 110_000)
const higher = symbolOf('BTC', 120_000)

function presetVenue(preset: string): Venue {
  return new Venue({ arguments: ['--preset', preset], token })
}

before(async () => {
  for (const venue of [testnet, mainnet]) {
    await venue.start()
    await listMarket(venue, [symbol, higher])
  }
})
after(async () => {
  await testnet.dispose()
  await mainnet.dispose()
})

test('on testnet every signed write fails with 503 signing_disabled, and reads work', async () => {
  const by = new WalletKey()
  const writes: [string, string, object][] = [
    ['POST', '/order', await placeBody(by, { symbol })],
    ['PUT', '/order', await replaceBody(by, { symbol, order_id: 1 })],
    ['DELETE', '/order', await cancelBody(by, { order_id: 1 })],
    ['DELETE', '/order_cloid', await cancelBody(by, { client_id: 'x' })],
    ['POST', '/approve-agent', await agentBody(by, 'ApproveAgent', { agent: by.wallet })],
    ['DELETE', '/revoke-agent', await agentBody(by, 'RevokeAgent', { agent: by.wallet })],
    ['DELETE', '/revoke-all-agents', await agentBody(by, 'RevokeAllAgents')],
    ['POST', '/margin-mode', await marginModeBody(by, 'portfolio')],
  ]
  for (const [method, path, body] of writes) {
    assertError(await testnet.send(method, path, body), 503, 'signing_disabled')
  }
  const peer = await StreamPeer.open(testnet)
  const frame = { type: 'PlaceOrder', ...(await placeBody(by, { symbol })) }
  assert.equal((await peer.ask(frame, 'Error')).code, 'signing_disabled')
  peer.close()
  const info = await testnet.get('/exchange-info')
  assert.equal(info.body.chain_id, 998)
  assert.equal(info.body.preset, 'testnet')
  assert.equal(info.body.perp_source, 'Strikebook/998')
  assert.equal((await testnet.get('/instruments')).body.testnet, true)
  assert.equal((await testnet.get('/version')).body.signing_chain_id, 998)
})

test('mainnet-alpha has its own chain and accepts no signature of another preset', async () => {
  const by = new WalletKey()
  await mainnet.set('/deposits', { wallet: by.wallet, amount: '1000' })
  const foreign = await mainnet.send('POST', '/order', await placeBody(by, { symbol }))
  assertError(foreign, 401, 'unauthorized')
  const body = await placeBody(by, { symbol }, by, mainnetDomain)
  assert.equal((await mainnet.send('POST', '/order', body)).body.status, 'ACKED')
  assert.equal((await mainnet.get('/exchange-info')).body.perp_source, 'Strikebook/999')
  assert.equal((await mainnet.get('/instruments')).body.testnet, false)
})

test('mainnet-alpha has no portfolio margin, and its preview uses defined risk', async () => {
  const by = new WalletKey()
  await mainnet.set('/deposits', { wallet: by.wallet, amount: '1000' })
  const change = async (mode: string) =>
    mainnet.send('POST', '/margin-mode', await marginModeBody(by, mode, by, mainnetDomain))
  const refused = await change('portfolio')
  assertError(refused, 403, 'margin_mode_unavailable')
  assert.deepEqual([refused.body.success, refused.body.data], [false, null])
  const kept = { wallet: by.wallet, margin_mode: 'standard', previous_mode: 'standard' }
  assert.deepEqual((await change('standard')).body.data, kept)
  const grid = await mainnet.get(`/risk/grid?wallet=${by.wallet}`)
  assert.equal(grid.body.data.model, 'defined_risk')
  const orders = [{ symbol, side: 'Sell', size: '1', price: '3000' }]
  const preview = await mainnet.send('POST', '/risk/simulate/orders', { wallet: by.wallet, orders })
  const { admissible, rejection_reason, scenario } = preview.body.data
  assert.deepEqual([admissible, scenario], [false, null])
  assert.equal(
    rejection_reason,
    `Insufficient margin: naked short calls are not allowed for BTC ${dateText()}`,
  )
})

test('mainnet-alpha allows naked shorts to market makers only; spreads have defined risk', async () => {
  const [taker, maker] = [new WalletKey(), new WalletKey()]
  for (const { wallet } of [taker, maker]) {
    await mainnet.set('/deposits', { wallet, amount: '1000000' })
  }
  const place = async (by: WalletKey, patch: object): Promise<Wire> => {
    const body = await placeBody(by, { symbol, ...patch }, by, mainnetDomain)
    return (await mainnet.send('POST', '/order', body)).body
  }
  const sell = { side: 'Sell', price: '3000' }
  const naked = await place(maker, sell)
  assert.equal(naked.status, 'REJECTED', JSON.stringify(naked))
  assert.equal(naked.reason_code, 'insufficient_margin')
  assert.equal(
    naked.reason,
    `Insufficient margin: naked short calls are not allowed for BTC ${dateText()}`,
  )
  assert.equal(naked.details.cause, 'naked_short')
  await mainnet.set('/tiers', { wallet: maker.wallet, tier: 'market_maker' })
  assert.equal((await place(maker, sell)).status, 'ACKED')
  assert.equal((await place(taker, { price: '3000' })).status, 'FILLED')
  const spread = await place(taker, { symbol: higher, side: 'Sell', price: '1500' })
  assert.equal(spread.status, 'ACKED', JSON.stringify(spread))
  const put = await place(taker, { symbol: symbolOf('BTC', 110_000, 'P'), side: 'Sell' })
  assert.equal(put.reason_code, 'invalid_symbol')
})

test('only development has a faucet: elsewhere the operator credits money', async () => {
  for (const venue of [testnet, mainnet]) {
    const body = { wallet: new WalletKey().wallet }
    assertError(await venue.send('POST', '/faucet', body), 400, 'unsupported_endpoint')
    assertError(await venue.get('/faucet'), 404, 'not_found')
    assert.equal((await venue.read('/')).funds.from, 'operator')
  }
})
