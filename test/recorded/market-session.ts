import { digestOfBody, signPlaceOrder } from '../../gateway/client/signed-actions.js'
import { createSigner } from '../../gateway/client/signer.js'
import { signingDomains } from '../../schemas/typed-data.js'
import { perpCancelBody, perpCancelByCloidBody, perpOrderBody } from '../e2e/support/perp-body.js'
import {
  type Body,
  cancelBody,
  placeBody,
  replaceBody,
  safetyBody,
  selfTradeBody,
  type WalletKey,
} from '../e2e/support/signed-body.js'
import type { Wire } from '../e2e/support/venue.js'
import type { RecordedConnection, RecordedVenue } from './recorded-venue.js'

/** Options for all parts of a session. They expire after 30 days of virtual time. */
export const symbols = ['BTC-20260131-100000-C', 'BTC-20260131-110000-C', 'BTC-20260131-90000-P']
export const [call, high, put] = symbols as [string, string, string]
const eventChannels = ['order_updates', 'fills', 'liquidation', 'rfq']
/** Channels with a connection each, because their messages have no order relative to other channels. */
const ownChannels = [
  ...['orderbook', 'trades', 'market_updates', 'index_prices', 'options_chain', 'portfolio'],
]

/** Lists options and sets prices, so that all of them trade. */
export async function list(
  venue: RecordedVenue,
  underlying: string,
  names: readonly string[],
  price: string,
): Promise<void> {
  for (const symbol of names) await venue.set('/instruments', { symbol })
  await venue.set('/index-prices', { prices: [{ underlying, price }] })
  const expiries = new Set(names.map((name) => name.split('-')[1]!).filter((text) => +text > 0))
  for (const text of expiries) {
    const expiry = text.replace(/(....)(..)(..)/, '$1-$2-$3')
    const points = [0.8, 1.2].map((share) => ({ strike: String(share * Number(price)), iv: '0.6' }))
    await venue.set('/vol-surfaces', { underlying, expiry, points })
  }
}

export async function funded(
  venue: RecordedVenue,
  name: string,
  amount = '1000000',
): Promise<WalletKey> {
  const by = venue.key(name)
  await venue.set('/deposits', { wallet: by.wallet, amount, deposit_id: name })
  return by
}

/** Connects to the events of a wallet, and to each other channel. */
async function follow(venue: RecordedVenue, { wallet }: WalletKey): Promise<RecordedConnection[]> {
  const others: RecordedConnection[] = []
  for (const channel of ownChannels) {
    const each = await venue.connect(channel, `/ws?wallet=${wallet}`)
    await each.subscribe(channel)
    others.push(each)
    await venue.settle()
  }
  const own = await venue.connect('private')
  await own.subscribe('fills')
  await own.ask({ type: 'Authenticate', wallet }, 'Authenticated')
  for (const channel of eventChannels) {
    await own.subscribe(channel, { as_of_seq: true })
    await venue.settle()
  }
  return [own, ...others]
}

/** Plays orders over every endpoint and frame, with their usual rejections. @returns the trading wallets. */
export async function playMarket(venue: RecordedVenue): Promise<readonly WalletKey[]> {
  await list(venue, 'BTC', [...symbols, 'BTC-PERP'], '100000')
  const [maker, taker] = [await funded(venue, 'maker'), await funded(venue, 'taker')]
  const peers = await follow(venue, taker)
  await venue.set('/tiers', { wallet: maker.wallet, tier: 'market_maker' })
  await venue.set('/builders', { builder: venue.key('builder').wallet, status: 'active' })
  await playOrders(venue, maker, taker)
  await playBulk(venue, maker, taker)
  await playPerps(venue, maker, taker)
  await playFrames(venue, peers[0]!, taker)
  await playRandom(venue, [maker, taker])
  for (const peer of peers) peer.close()
  await venue.settle()
  await playLimits(venue)
  return [maker, taker]
}

async function playOrders(venue: RecordedVenue, maker: WalletKey, taker: WalletKey): Promise<void> {
  const place = async (by: WalletKey, patch: Body) =>
    venue.send('POST', '/order', await placeBody(by, { symbol: call, ...patch }))
  const sold = await place(maker, { side: 'Sell', size: '10', price: '7000', client_id: 'first' })
  await place(taker, { size: '2', price: '7000', tif: 'ioc' })
  const builder = venue.key('builder').wallet
  await place(taker, { size: '1.5', price: '7000', builder_code_address: builder })
  await place(taker, { size: '1', price: '6900', route: undefined })
  await place(taker, { size: '100', price: '7000', tif: 'fok' })
  for (const patch of [
    { size: '1', price: '7000', tif: 'alo' },
    { size: '0', price: '7000' },
    { size: '1', price: '7000.123' },
    { size: '1', price: '7000', symbol: 'BTC-20260131-1-C' },
    { size: '1', price: '7000', reduce_only: true },
    { size: '1000', price: '9000' },
    { size: '1', price: '10', client_id: 'x'.repeat(80) },
    { side: 'Long', size: '1', price: '10' },
  ]) {
    await place(taker, patch)
  }
  await place(venue.key('nobody'), { size: '1', price: '10' })
  await venue.set('/halts', { underlying: 'BTC', mode: 'cancel_only' })
  await place(taker, { size: '1', price: '10' })
  await venue.set('/halts', { underlying: 'BTC', mode: 'open' })
  const rests = await place(taker, { size: '1', price: '6000', client_id: 'rests' })
  const replace = { order_id: rests.order_id, symbol: call, size: '2', price: '6100' }
  const replaced = await venue.send('PUT', '/order', await replaceBody(taker, replace))
  await venue.send('PUT', '/order', await replaceBody(taker, { ...replace, order_id: 999_999 }))
  const order = { order_id: replaced.order_id }
  await venue.send('DELETE', '/order', await cancelBody(taker, order))
  await venue.send('DELETE', '/order', await cancelBody(taker, { order_id: sold.order_id }))
  await place(taker, { size: '1', price: '5900', client_id: 'named' })
  await venue.send('DELETE', '/order_cloid', await cancelBody(taker, { client_id: 'named' }))
  await venue.send('POST', '/order/debug', await placeBody(taker, { symbol: call, size: '1' }))
  await venue.send('POST', '/self-trade-prevention', await selfTradeBody(taker, 'cancel_maker'))
  await place(taker, { side: 'Sell', size: '1', price: '6900' })
  const orders = [{ symbol: call, side: 'Buy', size: '0.5', price: '7000' }]
  const { wallet } = taker
  await venue.send('POST', '/risk/simulate/orders', { wallet, orders })
  await venue.get(`/orders/why?order_id=${sold.order_id}`)
  await venue.get(`/orders/why?wallet=${wallet}&nonce=1001`)
  await playDigest(venue)
}

/** An order by a body of the client, whose digest is known. */
async function playDigest(venue: RecordedVenue): Promise<void> {
  const domain = signingDomains('Strikebook', 31_337).options
  const signer = createSigner(venue.privateKey('taker'))
  const wallet = signer.address
  const terms = { symbol: call, side: 'Buy', size: '1', price: '100' } as const
  const body = signPlaceOrder({ domain, signer, wallet }, terms, 999)
  await venue.send('POST', '/order', body)
  await venue.get(`/actions/outcome?wallet=${wallet}&digest=${digestOfBody(body)}`)
}

async function playBulk(venue: RecordedVenue, maker: WalletKey, taker: WalletKey): Promise<void> {
  const order = (price: string, patch: Body = {}) =>
    placeBody(taker, { symbol: call, price, client_id: `bulk-${price}`, ...patch })
  const placed: Wire[] = await venue.send('POST', '/bulk_order', [
    await order('5000'),
    await order('5001'),
    await order('5002', { size: '0' }),
    await placeBody(maker, { symbol: call, price: '5003' }),
  ])
  const rows = { orders: [await order('5004'), await order('5005'), await order('5006')] }
  const more = await venue.send('POST', '/orders', rows)
  const ids = [...placed, ...(more.results ?? [])].map(({ data }) => data?.order_id)
  const replace = { order_id: ids[0], symbol: call, size: '2', price: '5010' }
  await venue.send('PUT', '/bulk_order', [await replaceBody(taker, replace)])
  const cancels = [await cancelBody(taker, { order_id: ids[1] })]
  await venue.send('DELETE', '/bulk_order', cancels)
  const byName = [await cancelBody(taker, { client_id: 'bulk-5004' })]
  await venue.send('DELETE', '/bulk_order_cloid', byName)
  const last = [await cancelBody(taker, { client_id: 'bulk-5005' })]
  await venue.send('POST', '/orders/cancel', { cancels: last })
}

async function playPerps(venue: RecordedVenue, maker: WalletKey, taker: WalletKey): Promise<void> {
  const { perps } = await venue.get('/exchange-info')
  const a = perps[0].asset
  const post = async (body: Promise<Body>) => venue.send('POST', '/perp-order', await body)
  const c = `0x${'7'.padStart(32, '0')}`
  const sold = await post(perpOrderBody(maker, { a, b: false, p: '100100', s: '3' }))
  await post(perpOrderBody(taker, { a, p: '100100', s: '1', tif: 'Ioc' }))
  await post(perpOrderBody(taker, { a, p: '99000', s: '0.5', c }))
  await post(perpOrderBody(taker, { a, p: '100200', tif: 'Alo' }))
  await post(perpOrderBody(taker, { a: 77 }))
  await post(perpCancelByCloidBody(taker, a, c))
  await post(perpCancelBody(maker, a, sold.order_id))
}

async function playFrames(
  venue: RecordedVenue,
  own: RecordedConnection,
  taker: WalletKey,
): Promise<void> {
  const order = async (patch: Body) => placeBody(taker, { symbol: put, ...patch })
  const ask = async (type: string, body: Body, answer: string) => {
    const message = await own.ask({ type, ...body }, answer)
    await venue.pass()
    return message
  }
  await ask('ClockSync', { nonce: 'sync' }, 'ClockSynced')
  await ask('GetRateLimits', {}, 'RateLimits')
  const placed = await ask(
    'PlaceOrder',
    await order({ price: '90', client_id: 'a' }),
    'OrderResult',
  )
  await ask('PlaceOrder', await order({ price: '90', size: '0' }), 'OrderResult')
  const replace = { order_id: placed.order_id, symbol: put, price: '91' }
  const replaced = await ask('ReplaceOrder', await replaceBody(taker, replace), 'OrderResult')
  const cancel = await cancelBody(taker, { order_id: replaced.order_id })
  await ask('CancelOrder', cancel, 'OrderResult')
  // A stream resumes only within a minute of the wall clock.
  const { as_of_seq: from_seq } = await own.subscribe('order_updates', { as_of_seq: true })
  await ask('PlaceOrder', await order({ price: '92', client_id: 'b' }), 'OrderResult')
  const byName = await cancelBody(taker, { client_id: 'b' })
  await ask('CancelOrderByClientId', byName, 'OrderResult')
  const safety = async (struct: Parameters<typeof safetyBody>[1], patch: Body) =>
    ask(struct, await safetyBody(taker, struct, patch), `${struct.replace('Set', '')}Result`)
  await safety('CancelAll', { scope: 'all' })
  await safety('SetDeadMan', { timeout_ms: 60_000 })
  await safety('SetDeadMan', { timeout_ms: 0 })
  await safety('SetCancelOnDisconnect', { enabled: true })
  await safety('SetCancelOnDisconnect', { enabled: false })
  await own.subscribe('orderbok')
  await own.ask({ type: 'Unsubscribe', channel: 'liquidation' }, 'Unsubscribed')
  await venue.pass()
  const later = await venue.connect('resumed', `/ws?wallet=${taker.wallet}`)
  for (const channel of ['order_updates', 'fills', 'trades']) {
    await later.subscribe(channel, { from_seq })
    await later.next('Resumed', 'Error')
  }
  await later.subscribe('portfolio', { from_seq })
  await later.next('Error')
  await venue.settle()
  later.close()
}

/** Plays a wallet that reaches its order rate limit. */
async function playLimits(venue: RecordedVenue): Promise<void> {
  const by = await funded(venue, 'limited')
  await venue.set('/tiers', { wallet: by.wallet, tier: 'tier1' })
  for (let sent = 0; sent < 5; sent++) {
    await venue.send('POST', '/order', await placeBody(by, { symbol: call, size: '0.1' }))
  }
  await venue.pass(61_000)
  await venue.send('POST', '/order', await placeBody(by, { symbol: call, size: '0.1' }))
}

/** Plays orders, cancels and prices drawn from the seed. */
async function playRandom(venue: RecordedVenue, wallets: readonly WalletKey[]): Promise<void> {
  const pick = <T>(of: readonly T[]): T => of[Math.floor(venue.uniform() * of.length)]!
  const marks: Readonly<Record<string, number>> = { [call]: 6900, [high]: 3300, [put]: 2500 }
  const resting: (readonly [by: WalletKey, order: Wire])[] = []
  for (let turn = 0; turn < 20; turn++) {
    const by = pick(wallets)
    const symbol = pick(symbols)
    const price = String(Math.round(marks[symbol]! * (0.97 + 0.06 * venue.uniform())))
    const terms = { symbol, side: pick(['Buy', 'Sell']), size: pick(['0.5', '1', '2']), price }
    const tif = pick(['gtc', 'gtc', 'ioc', 'fok'])
    const order = await venue.send('POST', '/order', await placeBody(by, { ...terms, tif }))
    if (order.order_id !== null) resting.push([by, order])
    if (turn % 5 === 4) {
      const [owner, { order_id }] = pick(resting)
      await venue.send('DELETE', '/order', await cancelBody(owner, { order_id }))
    }
    if (turn % 10 !== 9) continue
    const index = String(Math.round(99_000 + 2000 * venue.uniform()))
    await venue.set('/index-prices', { prices: [{ underlying: 'BTC', price: index }] })
  }
}
