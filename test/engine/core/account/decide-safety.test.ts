import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptLoss } from '../../../../engine/core/core-start.js'
import { boundConnectionsMax } from '../../../../engine/state/accounts/safety-table.js'
import { ClockAlarm, HaltMode } from '../../../../schemas/domain.js'
import { CommandType } from '../../../../schemas/generated/commands.js'
import { bookMaker, rowsOf } from '../../../support/auction-rig.js'
import { call100k, call110k, positionOf, spread, taker } from '../../../support/rfq-rig.js'
import { SafetyRig } from '../../../support/safety-rig.js'

function opened(): SafetyRig {
  return new SafetyRig().openAuctions() as SafetyRig
}

const bid = { wallet: taker, side: 'Buy', price: '100', size: '1', instrument: call100k } as const

test('cancel-all ends orders, auction, requests and quotes of its wallet only', () => {
  const rig = opened()
  rig.place(bid)
  rig.place({ ...bid, instrument: call110k })
  rig.submit({ id: 7, legs: spread })
  const asked = rig.ask(rowsOf(3296))
  rig.story()
  const others = rig.workingOf(bookMaker)
  const all = rig.cancelAll(taker)
  assert.deepEqual(rig.story(), [
    'rfq 7 failed CanceledWithAll',
    `${all}: Accepted 3`,
    'order of 1 CANCELED CanceledWithAll',
    'rfq 1 failed CanceledWithAll',
    `${asked}: CANCELED CanceledWithAll`,
    'order of 1 CANCELED CanceledWithAll',
    'order of 1 CANCELED CanceledWithAll',
  ])
  assert.equal(rig.workingOf(taker), 0)
  assert.equal(rig.workingOf(bookMaker), others)
})

test('a cancel-all ends the live quotes of a provider', () => {
  const rig = opened()
  rig.submit({ id: 7, legs: spread })
  rig.quote({ id: 7, provider: 2, legs: spread, prices: [6900, 3300] })
  rig.story()
  const all = rig.cancelAll(2)
  assert.deepEqual(rig.story(), ['Withdrawn 2 at -3600 CanceledWithAll', `${all}: Accepted 0`])
})

test('a scope is an underlying or an instrument, and an unknown one fails', () => {
  const rig = opened()
  rig.place(bid)
  rig.place({ ...bid, instrument: call110k })
  rig.submit({ id: 7, legs: spread })
  rig.story()
  const named = rig.cancelAll(taker, call110k)
  assert.ok(rig.story().includes(`${named}: Accepted 1`))
  assert.equal(rig.state.rfqs.count, 0, 'one of its legs is that')
  assert.equal(rig.workingOf(taker), 1)
  for (const scope of [{ strike: 1 }, { underlying: 'ETH' }]) {
    const refused = rig.cancelAll(taker, scope)
    assert.ok(rig.story().includes(`${refused}: InvalidSymbol 0`))
  }
  const ether = { underlying: 'ETH', strike: 3000 }
  rig.list(ether)
  rig.index(3000, 'ETH')
  rig.surface(0.6, 'ETH')
  rig.place({ ...bid, price: '10', instrument: ether })
  rig.story()
  const underlying = rig.cancelAll(taker, { underlying: 'BTC' })
  assert.ok(rig.story().includes(`${underlying}: Accepted 1`))
  assert.equal(rig.workingOf(taker), 1, 'that of the other underlying')
  const other = rig.cancelAll(taker, { underlying: 'ETH' })
  assert.ok(rig.story().includes(`${other}: Accepted 1`))
  assert.equal(rig.workingOf(taker), 0)
})

test('a cancel-all ends the earlier orders of its batch, but not the later ones', () => {
  const rig = opened()
  rig.place(bid)
  rig.cancelAll(taker)
  rig.place(bid)
  rig.story()
  assert.equal(rig.workingOf(taker), 1)
})

test('a cancel-all ends more orders than a batch has tickets in one step', () => {
  const rig = opened()
  for (let count = 0; count < 90; count++) rig.place({ ...bid, wallet: bookMaker })
  rig.story()
  const { batchNumber } = rig.state
  const all = rig.cancelAll(bookMaker)
  assert.ok(rig.story().includes(`${all}: Accepted 93`))
  assert.equal(rig.workingOf(bookMaker), 0)
  assert.equal(rig.state.batchNumber, batchNumber + 1)
})

test('a request that has just ended leaves no order', () => {
  const rig = opened()
  rig.submit({ id: 7, legs: [[call100k, 1]], limit: 3000 })
  rig.story()
  rig.nowMillis += 5001
  rig.cancelAll(taker)
  const lines = rig.story()
  assert.ok(lines.includes('rfq 7 no_quotes RfqUnanswered'), lines.join('\n'))
  assert.equal(rig.workingOf(taker), 0)
})

test('a dead-man timer fires after the wallet was inactive for the time, also in a halt', () => {
  const rig = opened()
  rig.place(bid)
  const set = rig.deadMan(taker, 1000)
  assert.ok(rig.story().includes(`${set}: Accepted`))
  assert.deepEqual(rig.after(999), [])
  rig.halt(HaltMode.Halted)
  rig.story()
  assert.deepEqual(rig.after(1), ['order of 1 CANCELED DeadManFired'])
})

test('each newly accepted action of the wallet or an agent renews the timer, and nothing else does', () => {
  const rig = opened()
  rig.agent(CommandType.ApproveAgent, taker, 8)
  rig.deadMan(taker, 1000)
  rig.place({ ...bid, nonce: 50 })
  rig.story()
  rig.after(600)
  rig.place({ ...bid, nonce: 51, signer: 8 })
  rig.story()
  assert.deepEqual(rig.after(600), [])
  rig.place({ ...bid, nonce: 51, signer: 8 }) // a duplicate
  rig.place({ ...bid, nonce: 51, signer: 8, digest: 1 }) // refused
  rig.place({ ...bid, nonce: 52, signer: 9 }) // a stranger
  rig.story()
  assert.equal(rig.after(400).length, 2)
})

test('a timer that has fired restarts with the next action, until it is removed', () => {
  const rig = opened()
  rig.deadMan(taker, 1000)
  rig.story()
  rig.after(1000)
  rig.after(5000)
  rig.place(bid)
  rig.story()
  assert.deepEqual(rig.after(1000), ['order of 1 CANCELED DeadManFired'])
  rig.place(bid)
  rig.deadMan(taker, 0)
  rig.story()
  assert.deepEqual(rig.after(86_400_000), [])
  assert.equal(rig.workingOf(taker), 1)
})

test('a timer fires during a clock alarm', () => {
  const rig = opened()
  rig.place(bid)
  rig.deadMan(taker, 1000)
  rig.clockAlarm(ClockAlarm.Raised, 10_000)
  rig.story()
  assert.deepEqual(rig.after(1000), ['order of 1 CANCELED DeadManFired'])
})

test('time spans of a timer have limits', () => {
  const rig = opened()
  for (const [millis, verdict] of [
    [999, 'ValueRefused'],
    [1000, 'Accepted'],
    [86_400_000, 'Accepted'],
    [86_400_001, 'ValueRefused'],
    [1000.5, 'ValueRefused'],
  ] as const) {
    const request = rig.deadMan(taker, millis)
    assert.ok(rig.story().includes(`${request}: ${verdict}`))
  }
})

test('an overdue timer fires before the commands of its batch', () => {
  const rig = opened()
  rig.place({ ...bid, price: '3250' })
  rig.deadMan(taker, 1000)
  rig.story()
  rig.nowMillis += 1000
  rig.place({ wallet: bookMaker, side: 'Sell', price: '3250', size: '1', instrument: call100k })
  rig.story()
  assert.equal(positionOf(rig, taker, call100k), 0)
})

test('the close of a bound connection ends everything of its wallet, and of no other wallet', () => {
  const rig = opened()
  rig.place(bid)
  rig.onDisconnect(taker, 5)
  rig.onDisconnect(taker, 6)
  rig.onDisconnect(taker, 6, false)
  rig.story()
  rig.endConnection(taker, 6)
  rig.endConnection(bookMaker, 5)
  rig.endConnection(99, 5)
  assert.deepEqual(rig.story(), [])
  rig.endConnection(taker, 5)
  assert.deepEqual(rig.story(), ['order of 1 CANCELED Disconnected'])
  rig.place(bid)
  rig.endConnection(taker, 5)
  rig.story()
  assert.equal(rig.workingOf(taker), 1)
})

test('connections that a former agent has bound end nothing', () => {
  const [agent, other] = [8, 9]
  const rig = opened()
  for (const one of [agent, other]) rig.agent(CommandType.ApproveAgent, taker, one)
  rig.place(bid)
  rig.onDisconnect(taker, 1)
  for (const session of [1, 2, 3]) rig.onDisconnect(taker, session, true, { signer: agent })
  rig.onDisconnect(taker, 4, true, { signer: other })
  rig.onDisconnect(taker, 3)
  rig.story()
  const started = new SafetyRig()
  started.restore(rig.save())
  assert.deepEqual({ ...started.state.hash }, { ...rig.state.hash })
  started.nowMillis = rig.nowMillis
  for (const one of [rig, started]) {
    one.agent(CommandType.RevokeAgent, taker, agent, { nonce: 900 })
    one.story()
    one.endConnection(taker, 2)
    assert.deepEqual(one.story(), [])
    assert.equal(one.workingOf(taker), 1)
    one.endConnection(taker, 4)
    assert.deepEqual(one.story(), ['order of 1 CANCELED Disconnected'])
    for (const session of [1, 3]) {
      one.place(bid)
      one.endConnection(taker, session)
      one.story()
      assert.equal(one.workingOf(taker), 0, 'what the wallet itself has bound, too')
    }
  }
  const replayed = new SafetyRig()
  for (const batch of rig.batches) replayed.replay(batch)
  assert.deepEqual({ ...replayed.state.hash }, { ...rig.state.hash })
})

test('an agent that has bound the maximum number of connections releases them when all agents are revoked', () => {
  const rig = opened()
  rig.agent(CommandType.ApproveAgent, taker, 8)
  for (let session = 1; session <= boundConnectionsMax; session++) {
    rig.onDisconnect(taker, session, true, { signer: 8 })
  }
  rig.agent(CommandType.RevokeAllAgents, taker, 8)
  rig.story()
  const own = rig.onDisconnect(taker, 1000)
  assert.deepEqual(rig.story(), [`${own}: Accepted`])
})

test('a duplicate binds no other connection, and their number is limited', () => {
  const rig = opened()
  rig.onDisconnect(taker, 1, true, { nonce: 60 })
  rig.onDisconnect(taker, 2, true, { nonce: 60 })
  rig.place(bid)
  rig.story()
  rig.endConnection(taker, 2)
  assert.deepEqual(rig.story(), [])
  for (let session = 2; session <= boundConnectionsMax; session++) rig.onDisconnect(taker, session)
  rig.story()
  const known = rig.onDisconnect(taker, 1)
  const beyond = rig.onDisconnect(taker, 1000)
  assert.deepEqual(rig.story(), [`${known}: Accepted`, `${beyond}: LimitExceeded`])
})

test('a start cancels the orders of earlier bound connections, and continues the timers', () => {
  const rig = opened()
  rig.place(bid)
  rig.place({ ...bid, wallet: bookMaker })
  rig.onDisconnect(taker, 1)
  rig.deadMan(bookMaker, 1000)
  rig.story()
  const started = new SafetyRig()
  started.nowMillis = rig.nowMillis + 500
  started.restore(rig.save())
  assert.deepEqual({ ...started.state.hash }, { ...rig.state.hash })
  started.endSessions()
  assert.deepEqual(started.story(), ['order of 1 CANCELED Disconnected'])
  assert.equal(started.after(500).length, 4)
})

test('timers that are due together fire in the order of their times, also after a snapshot', () => {
  const rig = opened()
  rig.place(bid)
  rig.deadMan(bookMaker, 1000)
  rig.story()
  rig.nowMillis += 10
  rig.deadMan(taker, 1000)
  rig.story()
  rig.nowMillis += 10
  rig.place({ ...bid, wallet: bookMaker, price: '90' })
  rig.story()
  const started = new SafetyRig()
  started.nowMillis = rig.nowMillis
  started.restore(rig.save())
  const lines = rig.after(1000)
  assert.equal(lines[0], 'order of 1 CANCELED DeadManFired')
  assert.deepEqual(started.after(1000), lines)
  assert.deepEqual({ ...started.state.hash }, { ...rig.state.hash })
})

test('a replay ends in the same state', () => {
  const rig = opened()
  rig.place(bid)
  rig.deadMan(taker, 1000)
  rig.onDisconnect(bookMaker, 1)
  rig.story()
  rig.after(2000)
  rig.endConnection(bookMaker, 1)
  rig.cancelAll(2)
  rig.story()
  const replayed = new SafetyRig()
  for (const batch of rig.batches) replayed.replay(batch)
  assert.equal(replayed.state.hash.low, rig.state.hash.low)
  assert.equal(replayed.state.hash.high, rig.state.hash.high)
})

test('the loss is recorded in the first batch after it, even if timers have run out since', () => {
  const rig = opened()
  rig.place(bid)
  rig.deadMan(taker, 1000)
  rig.story()
  const saved = rig.save()
  const behind = new SafetyRig()
  behind.restore(saved)
  const { nowMillis, state } = behind
  const border = {
    ...{
      batchNumber: state.batchNumber + 5,
      seq: state.sink.seq + 9,
      timeMillis: nowMillis + 5000,
    },
    ...{ orderCount: 50, tradeCount: 50, payoutCount: 0, instrumentCount: 9 },
    auctionCount: 9,
  }
  behind.core.beginAfterLoss(border)
  acceptLoss(behind.core, behind.commands, { ...border, border }, [])
  const replayed = new SafetyRig()
  replayed.restore(saved)
  for (const batch of behind.batches) replayed.replay(batch)
  assert.equal(behind.workingOf(taker), 0)
  assert.equal(behind.state.batchNumber, border.batchNumber + 1)
  const { hash } = replayed.state
  assert.deepEqual([hash.low, hash.high], [behind.state.hash.low, behind.state.hash.high])
})
