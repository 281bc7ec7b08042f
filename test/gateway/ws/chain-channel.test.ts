import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InstrumentState, Side } from '../../../schemas/domain.js'
import { InstrumentChange } from '../../../schemas/record-values.js'
import {
  alice,
  call,
  contract,
  otherCall,
  put,
  readModelRig,
  usd,
} from '../../support/read-model-rig.js'

type Rig = ReturnType<typeof readModelRig>
// biome-ignore lint/suspicious/noExplicitAny: tests look into rows of every shape
type Message = any

const frame = (filters: object = {}) => ({
  type: 'Subscribe',
  channel: 'options_chain',
  ...filters,
})

/** Messages on subscribe, the acknowledgement left out. */
function snapshot(rig: Rig, filters: object = {}, peer = rig.connect()) {
  const [ack, ...messages] = peer.say(frame(filters))
  const { unknown_symbols: _, unknown_symbol_count: __, ...named } = ack!
  assert.deepEqual(named, { type: 'Subscribed', channel: 'options_chain' })
  rig.step()
  return [...messages, ...peer.socket.take()] as Message[]
}

function listening(rig: Rig, filters: object = {}) {
  const peer = rig.connect()
  peer.say(frame(filters))
  rig.step()
  peer.socket.take()
  return peer
}

/** Symbols of the legs of each message. */
const legs = (messages: Message[]) =>
  messages.map(({ row }) => [row.call?.symbol, row.put?.symbol].filter((symbol) => symbol))

test('an Upsert of every row has its legs with best prices, volatilities and greeks', () => {
  const rig = readModelRig()
  rig.script.level(0, Side.Buy, 3_200 * usd, 2 * contract)
  rig.script.level(0, Side.Buy, 3_100 * usd, 9 * contract)
  rig.script.level(0, Side.Sell, 3_270.26 * usd, contract / 2)
  const [btc, eth, ...rest] = snapshot(rig)
  assert.deepEqual(rest, [])
  assert.deepEqual(legs([btc, eth]), [[call, put], [otherCall]])
  const { row, ...others } = btc
  assert.deepEqual(others, {
    type: 'OptionsChainUpdate',
    action: 'Upsert',
    currency: 'BTC',
    expiry: rig.expiry / 1000,
    timestamp: rig.start,
    seq: 3,
    snapshot: true,
    as_of_seq: 3,
  })
  assert.deepEqual(Object.keys(row), ['strike', 'call', 'put'])
  assert.equal(row.strike, 110_000)
  assert.equal('put' in eth.row, false, 'a leg that is not listed is left out')
  const { greeks_abs, greeks_cash, bid_iv, ask_iv, mark_price_usd, mark_iv, ...leg } = row.call
  assert.deepEqual(leg, {
    symbol: call,
    option_token_address: null,
    bid_price_usd: 3200,
    bid_size_contracts: 2,
    bid_size_usd_notional: 200_000,
    ask_price_usd: 3270.26,
    ask_size_contracts: 0.5,
    ask_size_usd_notional: 50_000,
    bid_source: 'book',
    ask_source: 'book',
    open_interest: 0,
  })
  assert.ok(Math.abs(mark_price_usd - 3270.26) < 0.01, String(mark_price_usd))
  assert.ok(Math.abs(mark_iv - 0.6) < 1e-9, String(mark_iv))
  assert.ok(bid_iv > 0.59 && bid_iv < 0.6, String(bid_iv))
  assert.ok(Math.abs(ask_iv - 0.6) < 1e-6, String(ask_iv))
  assert.ok(Math.abs(greeks_abs.delta - 0.3198656857) < 1e-6)
  assert.ok(Math.abs(greeks_abs.theta + 102.505856) < 1e-3)
  assert.ok(Math.abs(greeks_cash.delta_1pct_usd - 319.8657) < 1e-3)
  assert.ok(Math.abs(greeks_cash.gamma_1pct_usd - 20.7859) < 1e-3)
  assert.equal(greeks_cash.vega_1vol_usd, greeks_abs.vega)
  const {
    bid_price_usd,
    bid_iv: noIv,
    bid_size_contracts,
    bid_size_usd_notional,
    bid_source,
  } = row.put
  assert.deepEqual(
    [bid_price_usd, noIv, bid_size_contracts, bid_size_usd_notional, bid_source],
    Array(5).fill(null),
  )
})

test('without an index there is no notional and no greeks, and nothing is invented', () => {
  const rig = readModelRig()
  rig.script.instrument(3, 'SOL-20231214-50-C', 2, rig.expiry)
  rig.script.level(3, Side.Buy, usd, contract)
  const [{ row }] = snapshot(rig, { symbols: ['SOL'] })
  assert.deepEqual(
    [row.call.bid_price_usd, row.call.bid_iv, row.call.bid_size_usd_notional],
    [1, null, null],
  )
  assert.deepEqual([row.call.greeks_abs, row.call.greeks_cash], [null, null])
  assert.deepEqual([row.call.mark_price_usd, row.call.mark_iv], [null, null])
})

test('changed rows are published at most once per 250 ms each, and the last state always', () => {
  const rig = readModelRig()
  const { socket } = listening(rig)
  rig.wait(250)
  rig.script.level(0, Side.Buy, 3_000 * usd, contract)
  rig.step()
  const [first, ...others] = socket.take() as Message[]
  assert.deepEqual(others, [], 'the other row did not change')
  assert.equal(first.row.call.bid_price_usd, 3000)
  assert.equal(first.snapshot, undefined)
  assert.equal(first.seq, rig.script.seq)
  for (const price of [3_010, 3_020, 3_030]) {
    rig.script.level(0, Side.Buy, price * usd, contract)
    rig.wait(80)
    assert.deepEqual(socket.take(), [])
  }
  rig.wait(10)
  const [last] = socket.take() as Message[]
  assert.equal(last.row.call.bid_price_usd, 3030)
  rig.script.level(0, Side.Buy, 2_000 * usd, contract)
  rig.wait(1000)
  assert.deepEqual(socket.take(), [], 'a change below the best price is none of the row')
})

test('a fill without a change of the book changes the open interest of its row', () => {
  const rig = readModelRig()
  const { socket } = listening(rig)
  const fill = { fillId: 1, tradeId: 1, orderId: 5, wallet: alice, account: 0, instrument: 0 }
  rig.script.fill({ ...fill, sizeLots: 2 * contract, positionLots: 2 * contract })
  rig.wait(250)
  const [{ row }] = socket.take() as Message[]
  assert.deepEqual([row.call.open_interest, row.put.open_interest], [2, 0])
})

test('a re-mark moves the greeks of its underlying', () => {
  const rig = readModelRig()
  const { socket } = listening(rig)
  rig.script.indexPrice(1, 2_100 * usd)
  rig.script.remarked(1)
  rig.wait(250)
  assert.deepEqual(legs(socket.take()), [[otherCall]])
})

test('filters: instrument names in any form, underlyings, expiry, option type', () => {
  const rig = readModelRig()
  const legsOf = (filters: object) => legs(snapshot(rig, filters))
  assert.deepEqual(legsOf({ symbols: [call] }), [[call]])
  assert.deepEqual(legsOf({ symbols: ['BTC-14DEC23-110000.0-P'] }), [[put]])
  assert.deepEqual(legsOf({ symbols: ['ETH'] }), [[otherCall]])
  assert.deepEqual(legsOf({ symbols: [call, 'ETH'] }), [[call], [otherCall]])
  assert.deepEqual(legsOf({ symbols: [] }), [])
  assert.deepEqual(legsOf({ symbols: ['btc', 'BTC-20231214-1-C'] }), [])
  assert.deepEqual(legsOf({ option_type: 'PUT' }), [[put]])
  assert.deepEqual(legsOf({ option_type: 'c', symbols: ['BTC'] }), [[call]])
  assert.deepEqual(legsOf({ option_type: 'P', symbols: [call] }), [])
  for (const expiry of ['2023-12-14', '20231214', String(rig.expiry / 1000)]) {
    assert.deepEqual(legsOf({ expiry }), [[call, put], [otherCall]], expiry)
  }
  assert.deepEqual(legsOf({ expiry: '2023-12-15' }), [])
  assert.deepEqual(legsOf({ symbols: null, expiry: null, option_type: null }).length, 2)
})

test('overlapping subscriptions get a row once, with the legs of all of them', () => {
  const rig = readModelRig()
  const peer = listening(rig, { symbols: [call] })
  assert.deepEqual(legs(snapshot(rig, { option_type: 'put' }, peer)), [[call, put]])
  rig.script.level(0, Side.Buy, 3_000 * usd, contract)
  rig.wait(250)
  assert.deepEqual(legs(peer.socket.take()), [[call, put]])
  peer.say({ type: 'Unsubscribe', channel: 'options_chain', symbols: [call] })
  rig.script.level(0, Side.Buy, 3_100 * usd, contract)
  rig.wait(250)
  assert.deepEqual(legs(peer.socket.take()), [[put]])
  peer.say({ type: 'Unsubscribe', channel: 'options_chain' })
  rig.script.level(0, Side.Buy, 3_200 * usd, contract)
  rig.wait(250)
  assert.deepEqual(peer.socket.take(), [])
})

test('a repeated Subscribe sends the snapshot again, as of the latest complete step', () => {
  const rig = readModelRig()
  const peer = listening(rig)
  const [first] = snapshot(rig, {}, peer)
  assert.equal(first.as_of_seq, 0)
  rig.script.level(0, Side.Buy, 3_000 * usd, contract)
  rig.wait(250)
  peer.socket.take()
  const again = snapshot(rig, {}, peer)
  assert.deepEqual(
    again.map(({ seq, as_of_seq }) => [seq, as_of_seq]),
    [
      [1, 1],
      [1, 1],
    ],
  )
})

test('a listing adds a leg, its end removes it at once, and the row keeps the other', () => {
  const rig = readModelRig()
  const { socket } = listening(rig)
  const added = 'ETH-20231214-2000-P'
  rig.script.instrument(3, added, 1, rig.expiry)
  rig.wait(250)
  assert.deepEqual(legs(socket.take()), [[otherCall, added]])
  const state = InstrumentState.Deleted
  rig.script.instrument(3, added, 1, rig.expiry, InstrumentChange.Deleted, state)
  rig.step()
  const [removal, ...rest] = socket.take() as Message[]
  assert.deepEqual(rest, [])
  assert.deepEqual(removal, {
    type: 'OptionsChainUpdate',
    action: 'Remove',
    currency: 'ETH',
    expiry: rig.expiry / 1000,
    strike: 2000,
    option_type: 'put',
    symbol: added,
    timestamp: rig.script.timeMillis,
    seq: rig.script.seq,
  })
  assert.deepEqual(legs(snapshot(rig, { symbols: ['ETH'] })), [[otherCall]])
})

test('an expiry removes both legs, and a filter receives only its own', () => {
  const rig = readModelRig()
  const { socket } = listening(rig)
  const puts = listening(rig, { option_type: 'put' })
  const state = InstrumentState.ExpiredPendingPrice
  for (const [id, symbol] of [call, put].entries()) {
    rig.script.instrument(id, symbol, 0, rig.expiry, InstrumentChange.Expired, state)
  }
  rig.step()
  const symbols = (messages: Message[]) =>
    messages.map(({ action, symbol }) => `${action} ${symbol}`)
  assert.deepEqual(symbols(socket.take()), [`Remove ${call}`, `Remove ${put}`])
  assert.deepEqual(symbols(puts.socket.take()), [`Remove ${put}`])
  assert.deepEqual(legs(snapshot(rig)), [[otherCall]])
  rig.script.remarked(0)
  rig.wait(250)
  assert.deepEqual(socket.take(), [])
})

test('terms that are listed again after a removal are a row again', () => {
  const rig = readModelRig()
  const { socket } = listening(rig, { symbols: ['ETH'] })
  const state = InstrumentState.Deleted
  rig.script.instrument(2, otherCall, 1, rig.expiry, InstrumentChange.Deleted, state)
  rig.script.instrument(3, otherCall, 1, rig.expiry)
  rig.wait(250)
  const messages = socket.take() as Message[]
  assert.deepEqual(
    messages.map(({ action }) => action),
    ['Remove', 'Upsert'],
  )
})

test('the first subscriber after a pause sees the current chain', () => {
  const rig = readModelRig()
  const { peer } = listening(rig)
  peer.onClose()
  rig.step()
  rig.script.level(0, Side.Buy, 3_000 * usd, contract)
  rig.script.instrument(3, 'ETH-20231214-2000-P', 1, rig.expiry)
  rig.step()
  const [btc, eth] = snapshot(rig)
  assert.equal(btc.row.call.bid_price_usd, 3000)
  assert.deepEqual(legs([eth]), [[otherCall, 'ETH-20231214-2000-P']])
})

test('a chain larger than the ring arrives whole, alternating with replies', () => {
  const rig = readModelRig()
  for (let strike = 1; strike <= 400; strike++) {
    rig.script.instrument(2 + strike, `ETH-20231214-${strike}-P`, 1, rig.expiry)
  }
  const { socket, say } = rig.connect()
  say(frame({ symbols: ['ETH'] }))
  for (let turn = 0; turn < 20; turn++) rig.step()
  assert.equal(socket.take().length, 401)
})
