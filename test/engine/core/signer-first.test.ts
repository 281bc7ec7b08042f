import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engineConfigDefault } from '../../../engine/state/market/engine-config.js'
import { MarginMode, SelfTradeMode, Tier } from '../../../schemas/domain.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import { EventType } from '../../../schemas/generated/events.js'
import { OutcomeFlag } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { CoreRig } from '../../support/core-rig.js'
import type { RigOrder } from '../../support/rig-commands.js'

const bid = { wallet: 1, side: 'Buy', price: '3000', size: '1' } as const
const stranger = 77
const agent = 50

test('a stranger learns nothing about a used nonce, even with its exact payload', () => {
  const rig = new CoreRig().openMarket()
  rig.outcome(rig.place({ ...bid, nonce: 5 }))
  const before = rig.state.cells.uncounted()
  for (const digest of [5, 6]) {
    const answer = rig.outcome(rig.place({ ...bid, nonce: 5, digest, signer: stranger }))
    assert.deepEqual([answer['result'], answer['orderId']], [Result.Unauthorized, 0])
  }
  assert.deepEqual(rig.state.cells.uncounted(), before)
})

test('a stranger fails before any other check of its command', () => {
  const rig = new CoreRig().openMarket()
  const { orderId } = rig.outcome(rig.place({ ...bid, clientId: 'a' }))
  rig.halt(2, 'BTC')
  const signed = { signer: stranger }
  const requests = [
    rig.place({ ...bid, ...signed, instrument: { strike: 1 } }),
    rig.place({ ...bid, ...signed, clientId: 'a' }),
    rig.place({ ...bid, ...signed, replaces: orderId! }),
    rig.cancel(1, orderId!, signed),
    rig.cancelClient(1, 'a', signed),
    rig.selfTrade(1, 99, signed),
    rig.marginMode(1, 99, signed),
    rig.markSeen(1, [], signed),
    rig.setMmp(1, { interval: 0, frozen: 0 }, signed),
    rig.place({ ...bid, ...signed, perp: { asset: 99, expiresMillis: 1 } }),
    rig.place({ ...bid, wallet: 999, ...signed }),
  ]
  const seen = rig.run().events()
  for (const request of requests) {
    const answer = seen.find(({ fields }) => fields['request'] === request)
    assert.equal(answer?.fields['result'], Result.Unauthorized, `request ${request}`)
  }
  assert.ok(!seen.some(({ type }) => type === EventType.OrderUpdate), 'nobody else hears of it')
})

test('a stranger in the same batch or bulk causes no wait and no duplicate for orders of the wallet', () => {
  const rig = new CoreRig().openMarket()
  const strange = { ...bid, nonce: 9, digest: 9, signer: stranger }
  const [before, real, after] = [
    rig.place(strange),
    rig.place({ ...bid, nonce: 9 }),
    rig.place(strange),
  ]
  assert.ok(rig.step())
  const batch = rig.events()
  const resultOf = (request: number) => {
    return batch.find(({ type, fields }) => {
      return type === EventType.Outcome && fields['request'] === request
    })?.fields['result']
  }
  assert.deepEqual([before, real, after].map(resultOf), [
    Result.Unauthorized,
    Result.Accepted,
    Result.Unauthorized,
  ])
  const items: number[] = []
  rig.bulk(() => {
    for (const signer of [stranger, 1, stranger]) {
      items.push(rig.place({ ...bid, nonce: 10, digest: 10, signer }))
    }
  })
  const seen = rig.run().events()
  const results = items.map((request) => {
    const isOutcome = (type: number) => type === EventType.Outcome
    return seen.find(({ type, fields }) => isOutcome(type) && fields['request'] === request)?.fields
  })
  assert.deepEqual(
    results.map((fields) => fields?.['result']),
    [Result.Unauthorized, Result.Accepted, Result.Unauthorized],
  )
})

test('a revoked agent learns nothing either, not even about its own actions', () => {
  const rig = new CoreRig().openMarket()
  rig.outcome(rig.agent(CommandType.ApproveAgent, 1, agent))
  const order = { ...bid, nonce: 8, signer: agent }
  const first = rig.outcome(rig.place(order))
  assert.equal(rig.outcome(rig.place(order))['orderId'], first['orderId'])
  rig.agent(CommandType.RevokeAgent, 1, agent)
  const late = rig.outcome(rig.place(order))
  assert.deepEqual([late['result'], late['orderId']], [Result.Unauthorized, 0])
})

test('actions of wallets without an account change no fact, open nothing and burn no nonce', () => {
  const rig = new CoreRig().openMarket()
  const before = [rig.state.cells.uncounted(), rig.save().length, rig.state.accounts.count]
  const wallet = stranger
  const signed = { nonce: 1 }
  const resultOf = (request: number) => rig.outcome(request)['result']
  for (let round = 0; round < 2; round++) {
    assert.equal(resultOf(rig.place({ ...bid, wallet, ...signed })), Result.NoFunds)
    assert.equal(resultOf(rig.place({ ...bid, wallet, ...signed, replaces: 1 })), Result.NoFunds)
    const acts = [
      () => rig.cancel(wallet, 1024, signed),
      () => rig.cancelClient(wallet, 'a', signed),
      () => rig.agent(CommandType.ApproveAgent, wallet, agent, signed),
      () => rig.agent(CommandType.RevokeAgent, wallet, agent, signed),
      () => rig.agent(CommandType.RevokeAllAgents, wallet, 0, signed),
      () => rig.selfTrade(wallet, SelfTradeMode.CancelBoth, signed),
      () => rig.marginMode(wallet, MarginMode.Portfolio, signed),
      () => rig.markSeen(wallet, [1], signed),
      () => rig.setMmp(wallet, { interval: 1000, frozen: 0, qty: 1 }, signed),
    ]
    for (const act of acts) assert.equal(resultOf(act()), Result.NoAccount)
    assert.equal(resultOf(rig.signedTier(wallet, wallet, Tier.MarketMaker)), Result.Unauthorized)
  }
  assert.deepEqual(
    [rig.state.cells.uncounted(), rig.save().length, rig.state.accounts.count],
    before,
  )
  rig.deposit(wallet, 1000)
  const approved = rig.outcome(rig.agent(CommandType.ApproveAgent, wallet, agent, signed))
  assert.equal(approved['result'], Result.Accepted, 'its nonce was never used')
})

test('the configuration gives signers of the operator an account, and no other signer sets tiers', () => {
  const operatorSigners = [`0x${'00'.repeat(19)}09`]
  const rig = new CoreRig().openMarket()
  assert.equal(rig.outcome(rig.signedTier(9, 1, Tier.Tier2))['result'], Result.Unauthorized)
  rig.configure({ ...engineConfigDefault, operatorSigners })
  assert.equal(rig.outcome(rig.agent(CommandType.RevokeAllAgents, 9, 0))['result'], Result.Accepted)
  assert.equal(rig.outcome(rig.signedTier(9, 1, Tier.Tier2))['result'], Result.Accepted)
  assert.equal(rig.outcome(rig.signedTier(2, 1, Tier.Tier1))['result'], Result.Unauthorized)
  assert.equal(rig.state.risk.tier[0], Tier.Tier2)
})

test('an agent that burns the highest nonces excludes only agents, never its owner', () => {
  const kept = 4
  const rig = new CoreRig({ ...engineConfigDefault, noncesKept: kept }).openMarket()
  rig.outcome(rig.agent(CommandType.ApproveAgent, 1, agent, { nonce: 1 }))
  const act = (nonce: number, signer: number, digest = nonce) =>
    rig.outcome(rig.selfTrade(1, SelfTradeMode.CancelBoth, { nonce, signer, digest }))['result']
  const highest = 2 ** 32 - 1
  for (let i = 0; i <= kept; i++) assert.equal(act(highest - i, agent), Result.Accepted)
  assert.equal(act(5, agent), Result.NonceUsed, 'below what is kept of the agents')
  const placed = { ...bid, size: '0.001' }
  const orderUnder = (nonce: number, signer = 1, digest = 1) =>
    rig.outcome(rig.place({ ...placed, nonce, signer, digest }))['result']
  assert.equal(orderUnder(6), Result.Accepted)
  assert.equal(orderUnder(highest), Result.NonceUsed, 'used by the agent is used for the owner')
  assert.equal(orderUnder(6, agent, 2), Result.NonceUsed)
  const copy = new CoreRig({ ...engineConfigDefault, noncesKept: kept })
  copy.restore(rig.save())
  assert.deepEqual(copy.state.hash, rig.state.hash)
  for (const each of [rig, copy]) {
    const revoked = each.agent(CommandType.RevokeAgent, 1, agent, { nonce: 7 })
    assert.equal(each.outcome(revoked)['result'], Result.Accepted)
  }
})

test('an owner revokes and changes modes once under a nonce that its agent has used first', () => {
  const rig = new CoreRig().openMarket()
  rig.outcome(rig.agent(CommandType.ApproveAgent, 1, agent, { nonce: 1 }))
  const used: RigOrder = { ...bid, size: '0.001', signer: agent, nonce: 0 }
  for (const nonce of [20, 21, 22, 23]) rig.outcome(rig.place({ ...used, nonce }))
  const under = (nonce: number, digest = 99) => ({ nonce, digest })
  const acts = [
    () => rig.marginMode(1, MarginMode.Portfolio, under(20)),
    () => rig.selfTrade(1, SelfTradeMode.CancelBoth, under(21)),
    () => rig.agent(CommandType.RevokeAgent, 1, agent, under(22)),
    () => rig.agent(CommandType.RevokeAllAgents, 1, 0, under(23)),
  ]
  for (const act of acts) {
    const first = rig.outcome(act())
    assert.deepEqual([first['result'], first['flags']], [Result.Accepted, 0])
    assert.equal(
      rig.outcome(act())['flags'],
      OutcomeFlag.Repeat,
      'a repeat is answered as the first',
    )
  }
  const again = rig.marginMode(1, MarginMode.Standard, under(20, 98))
  assert.equal(rig.outcome(again)['result'], Result.NonceUsed)
  const approve = rig.agent(CommandType.ApproveAgent, 1, 60, under(21, 98))
  assert.equal(rig.outcome(approve)['result'], Result.NonceUsed)
})

test('windows of owner and agents follow a change of their length, and so does the hash', () => {
  const rig = new CoreRig().openMarket()
  rig.outcome(rig.agent(CommandType.ApproveAgent, 1, agent))
  for (let nonce = 10; nonce < 30; nonce++) {
    rig.place({ ...bid, size: '0.001', nonce, signer: nonce % 2 === 0 ? 1 : agent })
  }
  rig.configure({ ...engineConfigDefault, noncesKept: 3 })
  rig.run().events()
  const copy = new CoreRig()
  copy.restore(rig.save())
  assert.deepEqual(copy.state.hash, rig.state.hash)
  const late = rig.place({ ...bid, nonce: 11, digest: 1, signer: agent })
  assert.equal(rig.outcome(late)['result'], Result.NonceUsed)
})
