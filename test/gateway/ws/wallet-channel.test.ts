import assert from 'node:assert/strict'
import { test } from 'node:test'
import { walletOf } from '../../../bench/event-script.js'
import { neverMillis } from '../../../schemas/domain.js'
import { AccountChange } from '../../../schemas/record-values.js'
import {
  alice,
  bob,
  call,
  contract,
  otherCall,
  put,
  readModelRig,
  usd,
} from '../../support/read-model-rig.js'

type Rig = ReturnType<typeof readModelRig>
type Message = Record<string, unknown>

const kinds = (messages: Message[]) => messages.map((message) => message['kind'] ?? message['type'])
const subscribe = { type: 'Subscribe', channel: 'portfolio' }

function watching(rig: Rig, wallet = alice) {
  const peer = rig.connect(`wallet=${wallet}`)
  peer.say(subscribe)
  rig.step()
  peer.socket.take()
  return peer.socket
}

function fill(rig: Rig, sizeContracts: number, changes: object = {}) {
  const priceMicros = 3_000 * usd
  const sizeLots = sizeContracts * contract
  rig.script.fill({
    ...{ fillId: 1, tradeId: 1, orderId: 9, wallet: alice, account: 0, instrument: 0 },
    ...{ priceMicros, sizeLots, positionLots: sizeLots, costMicros: sizeContracts * priceMicros },
    cashMicros: (10_000 - sizeContracts * 3_000) * usd,
    ...changes,
  })
}

test('the acknowledgement, then Initial, then MarginUpdate, both as of one sequence', () => {
  const rig = readModelRig()
  fill(rig, 1)
  rig.step()
  const { say, socket } = rig.connect(`wallet=${alice}`)
  assert.deepEqual(say(subscribe), [{ type: 'Subscribed', channel: 'portfolio' }])
  rig.step()
  const [initial, margin, ...rest] = socket.take()
  assert.deepEqual(rest, [])
  const { positions, ...frame } = initial!
  assert.deepEqual(frame, {
    type: 'PortfolioUpdate',
    kind: 'Initial',
    timestamp: rig.start,
    seq: 1,
    snapshot: true,
    as_of_seq: 1,
  })
  const [position] = positions as Message[]
  assert.equal(position!['symbol'], call)
  assert.equal(position!['amount'], '1')
  assert.equal(position!['entry_price'], '3000')
  assert.deepEqual(Object.keys(margin!), [
    ...['type', 'kind', 'span_margin', 'margin_summary', 'margin_mode', 'total_margin_used'],
    ...['available_balance', 'timestamp', 'seq', 'snapshot', 'as_of_seq'],
  ])
  const summary = margin!['margin_summary'] as Message
  assert.equal(summary['equity'], '10270.260505')
  assert.equal(margin!['margin_mode'], 'standard')
})

test('an unknown wallet has an empty snapshot, and is found once it has an account', () => {
  const rig = readModelRig()
  const { socket, say } = rig.connect(`wallet=${walletOf(9)}`)
  say(subscribe)
  rig.step()
  const [initial, margin] = socket.take()
  assert.deepEqual(initial!['positions'], [])
  assert.equal(margin!['available_balance'], '0')
  const change = AccountChange.Opened
  rig.script.account({ account: 2, wallet: walletOf(9), cashMicros: 5 * usd, change })
  rig.wait(1000)
  const [balance, update] = socket.take()
  assert.deepEqual(
    [balance!['kind'], balance!['cash'], balance!['equity']],
    ['BalanceUpdate', '5', '5'],
  )
  assert.equal(balance!['snapshot'], undefined)
  assert.deepEqual([update!['kind'], update!['available_balance']], ['MarginUpdate', '5'])
})

test('a fill publishes position and balance at once, and the margin at most once per second', () => {
  const rig = readModelRig()
  const socket = watching(rig)
  fill(rig, 1)
  rig.step()
  const [position, balance, ...rest] = socket.take()
  assert.deepEqual(kinds(rest), [], 'the snapshot had the margin less than a second ago')
  assert.equal(position!['kind'], 'PositionUpdate')
  assert.equal((position!['position'] as Message)['amount'], '1')
  assert.deepEqual([balance!['kind'], balance!['cash']], ['BalanceUpdate', '7000'])
  assert.equal(position!['seq'], rig.script.seq)
  rig.wait(999)
  assert.deepEqual(kinds(socket.take()), [])
  rig.wait(1)
  assert.deepEqual(kinds(socket.take()), ['MarginUpdate'])
  rig.wait(5000)
  assert.deepEqual(kinds(socket.take()), [], 'nothing has changed since')
})

test('a closed position is published with amount 0 and its realized profit', () => {
  const rig = readModelRig()
  const socket = watching(rig)
  fill(rig, 1)
  rig.step()
  socket.take()
  fill(rig, 1, {
    side: 1,
    priceMicros: 3_100 * usd,
    positionLots: 0,
    costMicros: 0,
    cashMicros: 10_100 * usd,
    positionRealizedMicros: 100 * usd,
  })
  rig.step()
  const [update] = socket.take()
  const position = update!['position'] as Message
  assert.deepEqual(
    [position['amount'], position['realized_pnl'], position['symbol']],
    ['0', '100', call],
  )
  assert.equal(position['entry_price'], '0')
})

test('an order moves the margin, a deposit the balance, and another wallet nothing', () => {
  const rig = readModelRig()
  const socket = watching(rig)
  rig.wait(1000)
  rig.script.order({ orderId: 5, wallet: alice, account: 0, instrument: 0, priceMicros: 50 * usd })
  rig.step()
  const [margin, ...rest] = socket.take()
  assert.deepEqual([margin!['kind'], margin!['total_margin_used']], ['MarginUpdate', '50'])
  assert.deepEqual(rest, [])
  const change = AccountChange.Deposit
  rig.script.account({ account: 0, wallet: alice, cashMicros: 11_000 * usd, change })
  rig.script.account({ account: 1, wallet: bob, cashMicros: 7 * usd, change })
  rig.step()
  const [balance, ...others] = socket.take()
  assert.deepEqual([balance!['kind'], balance!['total_margin_used']], ['BalanceUpdate', '50'])
  assert.deepEqual(others, [])
})

test('a re-mark publishes the margin each second and the greeks every five', () => {
  const rig = readModelRig()
  fill(rig, 2)
  const socket = watching(rig)
  const seen: unknown[] = []
  for (let second = 0; second < 11; second++) {
    rig.script.remarked(0)
    rig.wait(1000)
    seen.push(...kinds(socket.take()))
    rig.script.remarked(0)
    rig.step()
    assert.deepEqual(kinds(socket.take()), [], 'once per second')
  }
  assert.equal(seen.filter((kind) => kind === 'MarginUpdate').length, 11)
  assert.equal(seen.filter((kind) => kind === 'GreeksUpdate').length, 3)
})

test('a re-mark of an underlying without a position of the wallet publishes nothing', () => {
  const rig = readModelRig()
  fill(rig, 1)
  const socket = watching(rig)
  rig.script.remarked(1)
  rig.wait(5000)
  assert.deepEqual(socket.take(), [])
})

test('greeks are those of the positions, and add up', () => {
  const rig = readModelRig()
  fill(rig, 2)
  fill(rig, 1, { instrument: 1, side: 1, positionLots: -contract, cashMicros: 4_000 * usd })
  const socket = watching(rig)
  rig.script.remarked(0)
  rig.wait(1)
  const update = socket.take().find((message) => message['kind'] === 'GreeksUpdate')!
  const legs = update['per_leg'] as Record<string, number>[]
  const sum = update['aggregate'] as Record<string, number>
  assert.deepEqual(
    legs.map(({ symbol, quantity }) => [symbol, quantity]),
    [
      [call, '2'],
      [put, '-1'],
    ],
  )
  assert.ok(Math.abs(legs[0]!['delta']! - 2 * 0.3198656857) < 1e-6)
  assert.ok(Math.abs(legs[1]!['delta']! - 0.6801343143) < 1e-6)
  for (const name of ['delta', 'gamma', 'theta', 'vega']) {
    assert.ok(Math.abs(sum[name]! - legs[0]![name]! - legs[1]![name]!) < 1e-9, name)
  }
  assert.ok(Math.abs(sum['iv']! - 0.6) < 1e-12)
})

test('the end of the last position is published once by greeks without legs', () => {
  const rig = readModelRig()
  fill(rig, 1)
  const socket = watching(rig)
  rig.script.remarked(0)
  rig.wait(1000)
  fill(rig, 1, { side: 1, positionLots: 0, costMicros: 0, cashMicros: 10_000 * usd })
  rig.script.order({ orderId: 5, wallet: alice, account: 0, instrument: 0, priceMicros: 50 * usd })
  rig.step()
  socket.take()
  for (const legs of [1, 0]) {
    rig.script.remarked(0)
    rig.wait(5000)
    const greeks = socket.take().filter((message) => message['kind'] === 'GreeksUpdate')
    assert.equal(greeks.length, legs)
    for (const { per_leg, aggregate } of greeks) assert.deepEqual([per_leg, aggregate], [[], null])
  }
})

test('a repeated Subscribe sends the snapshot again, to its connection only', () => {
  const rig = readModelRig()
  const one = rig.connect(`wallet=${alice}`)
  const two = rig.connect(`wallet=${alice}`)
  one.say(subscribe)
  two.say(subscribe)
  rig.step()
  assert.deepEqual(kinds(one.socket.take()), ['Initial', 'MarginUpdate'])
  assert.deepEqual(kinds(two.socket.take()), ['Initial', 'MarginUpdate'])
  assert.deepEqual(kinds(two.say(subscribe)), ['Subscribed'])
  rig.step()
  assert.deepEqual(kinds(two.socket.take()), ['Initial', 'MarginUpdate'])
  assert.deepEqual(one.socket.take(), [])
})

test('several subscriptions of one connection get a message once, until the last one ends', () => {
  const rig = readModelRig()
  const { socket, say } = rig.connect(`wallet=${alice}`)
  say(subscribe)
  say({ ...subscribe, symbols: [otherCall] })
  rig.step()
  socket.take()
  fill(rig, 1)
  rig.step()
  assert.deepEqual(kinds(socket.take()), ['PositionUpdate', 'BalanceUpdate'])
  say({ type: 'Unsubscribe', channel: 'portfolio', symbols: [otherCall] })
  fill(rig, 1, { positionLots: 2 * contract, cashMicros: 4_000 * usd })
  rig.step()
  assert.deepEqual(kinds(socket.take()), ['PositionUpdate', 'BalanceUpdate'])
  assert.deepEqual(kinds(say({ type: 'Unsubscribe', channel: 'portfolio' })), ['Unsubscribed'])
  fill(rig, 1, { positionLots: 3 * contract, cashMicros: 1_000 * usd })
  rig.step()
  assert.deepEqual(socket.take(), [])
})

test('another identity ends the channel, and an answer to the former one reaches nobody', () => {
  const rig = readModelRig()
  const { socket, say } = rig.connect(`wallet=${alice}`)
  say(subscribe)
  say({ type: 'Authenticate', wallet: bob })
  rig.step()
  assert.deepEqual(socket.take(), [])
  say(subscribe)
  rig.step()
  const [initial] = socket.take()
  assert.deepEqual(initial!['positions'], [])
  fill(rig, 1)
  rig.step()
  assert.deepEqual(socket.take(), [])
})

test('a closed connection is no longer watched', () => {
  const rig = readModelRig()
  const { peer, say, socket } = rig.connect(`wallet=${alice}`)
  say(subscribe)
  peer.onClose()
  rig.step()
  assert.deepEqual(socket.take(), [])
  const again = watching(rig)
  fill(rig, 1)
  rig.step()
  assert.deepEqual(kinds(again.take()), ['PositionUpdate', 'BalanceUpdate'])
})

test('messages that wait for a slow connection are replaced, but never the snapshot', () => {
  const rig = readModelRig()
  const { socket, say, peer } = rig.connect(`wallet=${alice}`)
  socket.isStuck = true
  say({ type: 'ClockSync', nonce: 'stuck' })
  say(subscribe)
  rig.step()
  for (const contracts of [1, 2, 3]) {
    fill(rig, 1, {
      positionLots: contracts * contract,
      cashMicros: (10_000 - contracts * 3_000) * usd,
    })
    rig.wait(1000)
  }
  socket.unstick()
  peer.onDrain()
  assert.deepEqual(kinds(socket.take()), [
    ...['Subscribed', 'Initial', 'MarginUpdate'],
    ...['PositionUpdate', 'BalanceUpdate', 'MarginUpdate'],
  ])
})

test('repeated requests before the snapshot arrives are answered by one more', () => {
  const rig = readModelRig()
  const { socket, say } = rig.connect(`wallet=${alice}`)
  for (let i = 0; i < 50; i++) {
    assert.deepEqual(say(subscribe), [{ type: 'Subscribed', channel: 'portfolio' }])
  }
  rig.step()
  assert.deepEqual(kinds(socket.take()), ['Initial', 'MarginUpdate', 'Initial', 'MarginUpdate'])
  say(subscribe)
  rig.step()
  assert.deepEqual(kinds(socket.take()), ['Initial', 'MarginUpdate'])
})

test('a settled position is published with its payout, and as closed, and then its cash', () => {
  const rig = readModelRig()
  fill(rig, 2)
  rig.step()
  const socket = watching(rig)
  const others = watching(rig, bob)
  rig.script.payout({
    ...{ id: 1, wallet: alice, account: 0, instrument: 0, positionLots: 2 * contract },
    ...{ payoffMicros: 5_000 * usd, valueMicros: 10_000 * usd, costMicros: 6_000 * usd },
    ...{ cashMicros: 14_000 * usd, priceMicros: 115_000 * usd },
  })
  rig.step()
  // The event log tells of the payout, the read model of what is left: two ways to the gateway.
  const messages = socket.take()
  const [expiredMessage, update, balance] = [
    'PositionExpired',
    'PositionUpdate',
    'BalanceUpdate',
  ].map((kind) => messages[kinds(messages).indexOf(kind)]!)
  assert.ok(messages.indexOf(update!) < messages.indexOf(balance!))
  const { seq, ...expired } = expiredMessage!
  assert.ok(Number(seq) > 0)
  assert.deepEqual(expired, {
    type: 'PositionExpired',
    wallet_address: alice,
    symbol: call,
    position_size: '2',
    settlement_price: '5000',
    settlement_value: '10000',
    settlement_entry_price: '3000',
    cost_basis: '6000',
    net_pnl: '4000',
    timestamp: rig.start,
    underlying_price: '115000',
    fee: '0',
    borne: '0',
  })
  const { amount, realized_pnl } = update!['position'] as Message
  assert.deepEqual([amount, realized_pnl, balance!['cash']], ['0', '4000', '14000'])
  assert.deepEqual(others.take(), [])
})

test('a perp adds its size to delta, and nothing to the other greeks', () => {
  const rig = readModelRig()
  rig.script.instrument(3, 'BTC-PERP', 0, neverMillis)
  fill(rig, 2)
  fill(rig, 0.5, {
    ...{ instrument: 3, side: 1, priceMicros: 98_000 * usd, positionLots: -contract / 2 },
    ...{ costMicros: -49_000 * usd, cashMicros: 4_000 * usd },
  })
  const { socket, say } = rig.connect(`wallet=${alice}`)
  say(subscribe)
  rig.step()
  const [initial] = socket.take()
  const types = (initial!['positions'] as Message[]).map((row) => [row['symbol'], row['amount']])
  assert.deepEqual(types, [
    [call, '2'],
    ['BTC-PERP', '-0.5'],
  ])
  rig.script.remarked(0)
  rig.wait(1)
  const update = socket.take().find((message) => message['kind'] === 'GreeksUpdate')!
  const [ofCall, ofPerp] = update['per_leg'] as Record<string, number>[]
  const sum = update['aggregate'] as Record<string, number>
  assert.deepEqual(ofPerp, {
    ...{ symbol: 'BTC-PERP', quantity: '-0.5', delta: -0.5, gamma: 0, theta: 0, vega: 0, iv: 0 },
  })
  assert.deepEqual([sum['delta'], sum['vega']], [ofCall!['delta']! - 0.5, ofCall!['vega']])
  assert.ok(Math.abs(sum['iv']! - 0.6) < 1e-12, 'the volatility of the option alone')
})

test('a perp position is published with its type, also when it is closed', () => {
  const rig = readModelRig()
  rig.script.instrument(3, 'BTC-PERP', 0, neverMillis)
  const socket = watching(rig)
  const perp = { instrument: 3, priceMicros: 98_000 * usd, cashMicros: 10_000 * usd }
  const positions = [
    { ...perp, costMicros: 98_000 * usd },
    { ...perp, side: 1, positionLots: 0, costMicros: 0 },
  ].map((changes) => {
    fill(rig, 1, changes)
    rig.step()
    const update = socket.take().find((message) => message['kind'] === 'PositionUpdate')
    const { symbol, instrument_type, amount } = update!['position'] as Message
    return [symbol, instrument_type, amount]
  })
  assert.deepEqual(positions, [
    ['BTC-PERP', 'perp', '1'],
    ['BTC-PERP', 'perp', '0'],
  ])
})

test('a wallet with only a perp gets its greeks, too, without an overall volatility', () => {
  const rig = readModelRig()
  rig.script.instrument(3, 'BTC-PERP', 0, neverMillis)
  const perp = { instrument: 3, priceMicros: 98_000 * usd, cashMicros: 10_000 * usd }
  fill(rig, 1, { ...perp, costMicros: 98_000 * usd })
  const socket = watching(rig)
  rig.script.remarked(0)
  rig.wait(1000)
  const messages = socket.take()
  assert.deepEqual(kinds(messages), ['MarginUpdate', 'GreeksUpdate'])
  assert.deepEqual(messages[1]!['aggregate'], { delta: 1, gamma: 0, theta: 0, vega: 0, iv: null })
})
