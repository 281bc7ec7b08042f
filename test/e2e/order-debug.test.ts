import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hashTypedData } from 'viem'
import { listMarket } from './support/listed-market.js'
import { placeBody, symbolOf, WalletKey } from './support/signed-body.js'
import { assertError, Venue } from './support/venue.js'

const venue = new Venue()
const symbol = symbolOf('BTC', 110_000)

before(async () => {
  await venue.start()
  await listMarket(venue, [symbol])
})
after(() => venue.dispose())

test('what was hashed, and whose signature it is, without placing anything', async () => {
  const by = new WalletKey()
  await venue.set('/deposits', { wallet: by.wallet, amount: '1000' })
  const body = await placeBody(by, { symbol, price: '1.0' })
  const { status, body: told, text } = await venue.send('POST', '/order/debug', body)
  assert.equal(status, 200, text)
  assert.deepEqual([told.is_wallet, told.recovered_address], [true, by.wallet])
  assert.deepEqual(told.domain, { name: 'Strikebook', version: '1', chain_id: '31337' })
  assert.deepEqual([told.layout, told.fields.price], ['PlaceOrder with route', '1.0'])
  const types = 'wallet symbol side size price tif route clientId nonce'.split(' ')
  const typeOf = (name: string) =>
    name === 'wallet' ? 'address' : name === 'nonce' ? 'uint64' : 'string'
  const verifyingContract = '0x0000000000000000000000000000000000000000'
  const digest = hashTypedData({
    domain: { name: 'Strikebook', version: '1', chainId: 31337, verifyingContract },
    types: { PlaceOrder: types.map((name) => ({ name, type: typeOf(name) })) },
    primaryType: 'PlaceOrder',
    message: told.fields,
  })
  assert.equal(told.digest, digest)
  assert.deepEqual((await venue.read(`/orders?wallet=${by.wallet}`)).data, [])
})

test('an order that is refused for its signature says the same, and finds a route left out', async () => {
  const by = new WalletKey()
  const { route: _, ...unrouted } = await placeBody(by, { symbol, route: 'best_execution' })
  const refused = await venue.send('POST', '/order', unrouted)
  assertError(refused, 401, 'unauthorized')
  const { details } = refused.body
  assert.deepEqual(
    [details.layout, details.matches_other_layout],
    ['PlaceOrder without route', 'PlaceOrder with route'],
  )
  const unsound = await venue.send('POST', '/order', { ...unrouted, signature: '0x12' })
  assertError(unsound, 400, 'signature_verification_failed')
  assert.equal(unsound.body.details.recovered_address, null)
})

test('a stranger reads the same of a wallet that is there and of one that is not', async () => {
  const [owner, nobody, stranger] = [new WalletKey(), new WalletKey(), new WalletKey()]
  await venue.set('/deposits', { wallet: owner.wallet, amount: '1000' })
  const read = async (of: WalletKey) => {
    const body = await placeBody(of, { symbol, nonce: 5 }, stranger)
    const { body: told } = await venue.send('POST', '/order/debug', body)
    return { ...told, digest: '', fields: { ...told.fields, wallet: '' } }
  }
  assert.deepEqual(await read(owner), await read(nobody))
})
