import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { typedStructs } from '../../gateway/actions/typed-structs.js'
import { readSessionText } from '../../schemas/read-session.js'
import { auctionProviders } from './support/auction-trader.js'
import { listMarket } from './support/listed-market.js'
import { orderActions } from './support/order-actions.js'
import { placeBody, symbolOf, type WalletKey } from './support/signed-body.js'
import { streamPeers } from './support/stream-peer.js'
import { assertError, eventually, Venue } from './support/venue.js'

const symbol = symbolOf('BTC', 105_000)
const venue = new Venue({
  arguments: [
    '--set=reads.private=signed',
    '--set=rpi.auctionMillis=30000',
    '--set=rpi.minImprovementTick=1',
    '--set=rfq.responseDeadlineMillis=20000',
  ],
})
const { fundedWallet, place } = orderActions(venue, symbol)
const open = streamPeers(venue)
const provider = auctionProviders(venue)

before(async () => {
  await venue.start()
  await listMarket(venue, [symbol])
})
after(() => venue.dispose())

/** Returns the text of a wallet's read session. */
async function sessionOf({ account, wallet }: WalletKey): Promise<string> {
  const { name, version } = (await venue.read('/exchange-info')).signing_domain
  const { chain_id: chainId } = await venue.read('/exchange-info')
  const expiresMillis = Date.now() + 600_000
  const signature = await account.signTypedData({
    domain: { name, version, chainId, verifyingContract: `0x${'0'.repeat(40)}` },
    types: { ReadSession: [...typedStructs.ReadSession.fields] },
    primaryType: 'ReadSession',
    message: { wallet: wallet as `0x${string}`, expiresAt: BigInt(expiresMillis) },
  })
  return readSessionText({ wallet, expiresMillis, signature })
}

const bearer = (session: string) => ({ Authorization: `Bearer ${session}` })

test('while an order waits for quotes, only a session of its wallet reads anything about it by id', async () => {
  const maker = await fundedWallet()
  await venue.set('/tiers', { wallet: maker.wallet, tier: 'market_maker' })
  await place(maker, { symbol, side: 'Sell', size: '10', price: '3400' })
  const [by, stranger] = [await fundedWallet(), await fundedWallet()]
  const [own, foreign] = [await sessionOf(by), await sessionOf(stranger)]
  const heard = await open()
  heard.send({ type: 'Authenticate', wallet: by.wallet, session: own })
  await heard.next('Authenticated')
  await heard.subscribe('order_updates')
  const asked = await provider(symbol, { ask: '3310' })
  const terms = { side: 'Buy', size: '5', price: '3400', route: 'best_execution' }
  const body = await placeBody(by, { symbol, ...terms })
  const answer = venue.send('POST', '/order', body)
  const request = await asked.asked()
  const acked = await heard.next('OrderUpdate')
  const url = `/orders/why?order_id=${acked.order_id}`
  await eventually('its wallet reads it', async () => {
    const { status, body: answer } = await venue.get(url, bearer(own))
    return status === 200 && answer.data.status === 'ACKED' && answer.data.symbol === symbol
  })
  // A retry of the signed order gets an immediate answer, and does not reveal the order to others either.
  const early = await venue.send('POST', '/order', body)
  assert.equal(early.body.status, 'ACKED', early.text)
  const unknown = await venue.get(`/orders/why?order_id=${acked.order_id + 1e9}`)
  for (const headers of [{}, bearer(foreign)] as Record<string, string>[]) {
    const answer = await venue.get(url, headers)
    assertError(answer, 404, 'not_found')
    assert.equal(
      answer.text,
      unknown.text.replaceAll(String(unknown.body.seq), String(answer.body.seq)),
    )
  }
  assertError(
    await venue.get(`/orders/status?wallet=${by.wallet}&order_id=${acked.order_id}`),
    401,
    'unauthorized',
  )
  await asked.quote(request, 3310)
  assert.equal((await answer).body.status, 'FILLED')
  const ended = await venue.get(url)
  assert.deepEqual([ended.status, ended.body.data?.status], [200, 'FILLED'])
})

test('a session names its wallet in any case', async () => {
  const by = await fundedWallet()
  const session = await sessionOf(by)
  const [, expires, signature] = session.split('.')
  const url = `/portfolio?wallet=${by.account.address}`
  for (const wallet of [by.account.address, by.wallet, `0x${by.wallet.slice(2).toUpperCase()}`]) {
    for (const signed of [signature, `0x${signature!.slice(2).toUpperCase()}`]) {
      const { status, text } = await venue.get(url, bearer(`${wallet}.${expires}.${signed}`))
      assert.equal(status, 200, text)
      const peer = await open()
      peer.send({ type: 'Authenticate', wallet, session: `${wallet}.${expires}.${signed}` })
      assert.equal((await peer.next('Authenticated')).wallet, by.wallet)
    }
  }
})
