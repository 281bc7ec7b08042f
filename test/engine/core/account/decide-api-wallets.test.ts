import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engineConfigDefault } from '../../../../engine/state/market/engine-config.js'
import { apiWalletsMax } from '../../../../schemas/bounds.js'
import { neverMillis, Right } from '../../../../schemas/domain.js'
import { CommandType } from '../../../../schemas/generated/commands.js'
import { EventType } from '../../../../schemas/generated/events.js'
import { AgentChange, OutcomeFlag, PerpScheme } from '../../../../schemas/record-values.js'
import { Result } from '../../../../schemas/results.js'
import { CoreRig } from '../../../support/core-rig.js'
import { type RigOrder, walletOf } from '../../../support/rig-commands.js'

const { Action, Directive } = PerpScheme
const [owner, other, agent, key, second] = [1, 2, 50, 60, 61]
const perp = { underlying: 'BTC', expiryDate: 0, strike: 0, right: Right.None }

/** A market with a perp. */
function opened(): { readonly rig: CoreRig; readonly asset: number } {
  const rig = new CoreRig(engineConfigDefault).openMarket()
  rig.list(perp, neverMillis)
  rig.run()
  const asset = rig.state.instruments.count - 1
  assert.ok(rig.state.instruments.isPerp(asset))
  rig.events()
  return { rig, asset }
}

/** A directive that rests. */
const bid = (asset: number, signed: Partial<RigOrder> = {}): RigOrder => ({
  ...{ wallet: owner, side: 'Buy', price: '3000', size: '1' },
  perp: { asset, scheme: Directive },
  ...signed,
})

const resultOf = (rig: CoreRig, request: number) => rig.outcome(request)['result']

test('an API wallet may sign directives of its account, and nothing else', () => {
  const { rig, asset } = opened()
  rig.apiWallet(owner, 1, key)
  rig.run()
  const { orderId } = rig.outcome(rig.place(bid(asset, { signer: key, clientId: 'a' })))
  assert.ok(orderId! > 0)
  const signed = { signer: key }
  const refused = [
    rig.place(bid(asset, { ...signed, perp: { asset, scheme: Action } })),
    rig.place({ ...bid(asset), ...signed, perp: undefined } as unknown as RigOrder),
    rig.cancel(owner, orderId!, signed),
    rig.cancel(owner, orderId!, { ...signed, perp: { asset, scheme: Action } }),
    rig.cancelClient(owner, 'a', { ...signed, perp: { asset, scheme: Action } }),
    rig.selfTrade(owner, 0, signed),
    rig.marginMode(owner, 0, signed),
    rig.apiWallet(owner, 2, key, signed),
    rig.abstraction(owner, 2, signed),
    rig.place(bid(asset, { ...signed, wallet: other })),
  ]
  const seen = rig.run().events()
  for (const request of refused) {
    const answer = seen.find(({ fields }) => fields['request'] === request)
    assert.equal(answer?.fields['result'], Result.Unauthorized, `request ${request}`)
  }
  const directive = { ...signed, perp: { asset, scheme: Directive } }
  assert.equal(resultOf(rig, rig.cancelClient(owner, 'a', directive)), Result.CanceledOnRequest)
  const again = rig.outcome(rig.place(bid(asset, signed)))
  assert.equal(resultOf(rig, rig.cancel(owner, again['orderId']!, directive)), -3023)
})

test('only the owner may set API wallets and abstractions', () => {
  const { rig } = opened()
  rig.agent(CommandType.ApproveAgent, owner, agent)
  rig.run()
  for (const signer of [agent, other, 77]) {
    assert.equal(resultOf(rig, rig.apiWallet(owner, 1, signer, { signer })), Result.Unauthorized)
    assert.equal(resultOf(rig, rig.abstraction(owner, 2, { signer })), Result.Unauthorized)
  }
  assert.equal(rig.state.apiWallets.size, 0)
  assert.equal(resultOf(rig, rig.abstraction(owner, 2)), Result.Accepted)
  assert.equal(resultOf(rig, rig.abstraction(owner, 1)), Result.ValueRefused)
  assert.equal(rig.state.apiWallets.abstractionOf(0), 2)
})

test('a removed API wallet is a stranger from the next command on, also in the same batch; its orders stay', () => {
  const { rig, asset } = opened()
  rig.apiWallet(owner, 1, key)
  rig.run().events()
  const requests = [
    rig.place(bid(asset, { signer: key })),
    rig.apiWallet(owner, 1, 0),
    rig.place(bid(asset, { signer: key })),
  ]
  const seen = rig.run().events()
  const results = requests.map(
    (request) =>
      seen.find(({ type, fields }) => type === EventType.Outcome && fields['request'] === request)!
        .fields['result'],
  )
  assert.deepEqual(results, [Result.Accepted, Result.Accepted, Result.Unauthorized])
  assert.equal(rig.state.accounts.workingOrders[0], 1)
})

test('a new API wallet under the same name replaces the first, and events for both are published', () => {
  const { rig, asset } = opened()
  rig.apiWallet(owner, 1, key)
  rig.apiWallet(owner, 1, key)
  rig.apiWallet(owner, 1, second)
  rig.apiWallet(owner, 9, 0)
  const changes = rig
    .run()
    .events()
    .filter(({ type }) => type === EventType.ApiWallet)
    .map(({ fields }) => [fields['change'], fields['name']])
  const { Approved, Revoked } = AgentChange
  assert.deepEqual(changes, [
    [Approved, 1],
    [Revoked, 1],
    [Approved, 1],
  ])
  assert.equal(resultOf(rig, rig.place(bid(asset, { signer: key }))), Result.Unauthorized)
  assert.equal(resultOf(rig, rig.place(bid(asset, { signer: second }))), Result.Accepted)
})

test('one name too many fails and burns no nonce; so does the account as its own API wallet', () => {
  const { rig } = opened()
  for (let i = 0; i < apiWalletsMax; i++) rig.apiWallet(owner, i, 100 + i)
  rig.run().events()
  const nonce = 5
  assert.equal(resultOf(rig, rig.apiWallet(owner, 99, key, { nonce })), Result.LimitExceeded)
  assert.equal(resultOf(rig, rig.apiWallet(owner, 0, owner, { nonce })), Result.ValueRefused)
  assert.equal(resultOf(rig, rig.apiWallet(owner, 0, key, { nonce })), Result.Accepted)
  assert.equal(resultOf(rig, rig.apiWallet(owner, 1, 0)), Result.Accepted)
  assert.equal(resultOf(rig, rig.apiWallet(owner, 99, second)), Result.Accepted)
})

test('a revoked agent may not sign directives either; revoking all agents removes all API wallets', () => {
  const { rig, asset } = opened()
  rig.agent(CommandType.ApproveAgent, owner, agent)
  rig.apiWallet(owner, 1, agent)
  rig.apiWallet(owner, 2, agent)
  rig.apiWallet(owner, 3, key)
  rig.apiWallet(other, 1, key)
  rig.run()
  rig.agent(CommandType.RevokeAgent, owner, agent)
  rig.run()
  assert.equal(resultOf(rig, rig.place(bid(asset, { signer: agent }))), Result.Unauthorized)
  assert.equal(resultOf(rig, rig.place(bid(asset, { signer: key }))), Result.Accepted)
  rig.agent(CommandType.RevokeAllAgents, owner, 0)
  rig.run()
  assert.equal(resultOf(rig, rig.place(bid(asset, { signer: key }))), Result.Unauthorized)
  const ofOther = bid(asset, { signer: key, wallet: other })
  assert.equal(resultOf(rig, rig.place(ofOther)), Result.Accepted)
})

test('no signature of an API wallet prevents its owner from removing it', () => {
  const { rig, asset } = opened()
  rig.apiWallet(owner, 1, key)
  rig.run()
  const nonce = 4_000_000_000
  assert.equal(resultOf(rig, rig.place(bid(asset, { signer: key, nonce }))), Result.Accepted)
  const taken = { nonce, digest: 7 }
  assert.equal(resultOf(rig, rig.selfTrade(owner, 0, taken)), Result.Accepted)
  assert.equal(resultOf(rig, rig.apiWallet(owner, 1, 0, { ...taken, digest: 8 })), Result.NonceUsed)
  const other = { nonce: nonce + 1, digest: 9 }
  assert.equal(resultOf(rig, rig.place(bid(asset, { signer: key, ...other }))), Result.Accepted)
  assert.equal(resultOf(rig, rig.apiWallet(owner, 1, 0, other)), Result.Accepted)
  assert.equal(rig.state.apiWallets.has(0, walletOf(key), 0), false)
})

test('a duplicate gets the first answer; the duplicate of a removed API wallet is unauthorized', () => {
  const { rig, asset } = opened()
  rig.apiWallet(owner, 1, key)
  rig.run()
  const order = bid(asset, { signer: key, nonce: 8 })
  const first = rig.outcome(rig.place(order))
  const again = rig.outcome(rig.place(order))
  assert.deepEqual([again['orderId'], again['result']], [first['orderId'], first['result']])
  assert.ok((again['flags']! & OutcomeFlag.Repeat) !== 0)
  rig.apiWallet(owner, 1, 0)
  rig.run()
  assert.equal(resultOf(rig, rig.place(order)), Result.Unauthorized)
})

test('API wallets and abstraction survive a snapshot and a replay', () => {
  const { rig, asset } = opened()
  rig.apiWallet(owner, 1, key)
  rig.apiWallet(other, 1, key)
  rig.abstraction(owner, 2)
  rig.apiWallet(other, 1, 0)
  rig.run()
  const restored = new CoreRig()
  restored.restore(rig.save())
  const replayed = new CoreRig()
  for (const batch of rig.batches) replayed.replay(batch)
  for (const copy of [restored, replayed]) {
    const { apiWallets, hash } = copy.state
    hash.refresh()
    assert.deepEqual([hash.low, hash.high], [rig.state.hash.low, rig.state.hash.high])
    assert.equal(apiWallets.abstractionOf(0), 2)
    assert.equal(apiWallets.has(0, walletOf(key), 0), true)
    assert.equal(apiWallets.has(1, walletOf(key), 0), false)
  }
  restored.nowMillis = rig.nowMillis
  assert.equal(resultOf(restored, restored.place(bid(asset, { signer: key }))), Result.Accepted)
})
