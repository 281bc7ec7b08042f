import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endOldSessions } from '../../../../engine/core/core-start.js'
import { publishBootstrap } from '../../../../engine/core/operator/bootstrap.js'
import { providerSessionsMax } from '../../../../schemas/bounds.js'
import { ProviderStatus } from '../../../../schemas/domain.js'
import { CommandType } from '../../../../schemas/generated/commands.js'
import { EventType } from '../../../../schemas/generated/events.js'
import { OutcomeFlag, ProviderChange } from '../../../../schemas/record-values.js'
import { Result } from '../../../../schemas/results.js'
import { CoreRig } from '../../../support/core-rig.js'
import { walletOf } from '../../../support/rig-commands.js'

const { Active, Suspended } = ProviderStatus
const { Bootstrap, Connected, Left, Status } = ProviderChange

/** Returns the provider events since the last call: change, status, open sessions, number of the session. */
function providerEvents(rig: CoreRig): number[][] {
  const events = rig.run().events()
  const ofProviders = events.filter(({ type }) => type === EventType.Provider)
  return ofProviders.map(({ fields }) => {
    return ['change', 'status', 'sessions', 'session'].map((name) => Number(fields[name]))
  })
}

function sessionsOf(rig: CoreRig, wallet: number): number[] {
  const row = rig.state.providers.find(rig.state.accounts.find(walletOf(wallet), 0))
  return row === null ? [] : row.sessions.map(({ session }) => session)
}

test('a wallet that the operator has named connects any number of times, and leaves', () => {
  const rig = new CoreRig().openMarket()
  rig.provider(1)
  rig.connectProvider(1, 7)
  rig.connectProvider(1, 8)
  rig.leaveProvider(1, 7)
  assert.deepEqual(providerEvents(rig), [
    [Status, Active, 0, -1],
    [Connected, Active, 1, 7],
    [Connected, Active, 2, 8],
    [Left, Active, 1, 7],
  ])
  assert.deepEqual(sessionsOf(rig, 1), [8])
})

test('the end of an unknown session changes nothing', () => {
  const rig = new CoreRig().openMarket()
  rig.provider(1)
  providerEvents(rig)
  for (const wallet of [1, 2, 99]) {
    assert.equal(rig.outcome(rig.leaveProvider(wallet, 3))['flags'], OutcomeFlag.Repeat)
  }
  assert.deepEqual(providerEvents(rig), [])
})

test('a wallet that the operator has not named is unknown, with or without an account, and burns no nonce', () => {
  const rig = new CoreRig().openMarket()
  for (const wallet of [2, 77]) {
    const refused = rig.outcome(rig.connectProvider(wallet, 1, { nonce: 5 }))
    assert.equal(refused['result'], Result.UnknownProvider)
  }
  rig.provider(2)
  assert.equal(rig.outcome(rig.connectProvider(2, 1, { nonce: 5 }))['result'], Result.Accepted)
})

test('the operator may name a wallet that has no account yet', () => {
  const rig = new CoreRig().openMarket()
  assert.equal(rig.outcome(rig.provider(77))['result'], Result.Accepted)
  assert.equal(rig.outcome(rig.connectProvider(77, 1))['result'], Result.Accepted)
})

test('an unknown status fails, and the current status changes nothing', () => {
  const rig = new CoreRig().openMarket()
  for (const status of [0, 3, -1]) {
    assert.equal(
      rig.outcome(rig.provider(77, status as ProviderStatus))['result'],
      Result.ValueRefused,
    )
  }
  assert.equal(rig.state.accounts.find(walletOf(77), 0), -1)
  rig.provider(1)
  providerEvents(rig)
  assert.equal(rig.outcome(rig.provider(1))['flags'], OutcomeFlag.Repeat)
  assert.deepEqual(providerEvents(rig), [])
})

test('a suspended provider loses every session, and opens none until it is active again', () => {
  const rig = new CoreRig().openMarket()
  rig.provider(1)
  rig.connectProvider(1, 1)
  rig.connectProvider(1, 2)
  providerEvents(rig)
  rig.provider(1, Suspended)
  assert.deepEqual(providerEvents(rig), [
    [Left, Suspended, 1, 1],
    [Left, Suspended, 0, 2],
    [Status, Suspended, 0, -1],
  ])
  const refused = rig.outcome(rig.connectProvider(1, 3))
  assert.equal(refused['result'], Result.ProviderSuspended)
  rig.provider(1, Active)
  assert.equal(rig.outcome(rig.connectProvider(1, 3))['result'], Result.Accepted)
})

test('a stranger cannot connect; an agent can, and its sessions end when it is revoked', () => {
  const rig = new CoreRig().openMarket()
  rig.provider(1)
  assert.equal(
    rig.outcome(rig.connectProvider(1, 1, { signer: 50 }))['result'],
    Result.Unauthorized,
  )
  rig.agent(CommandType.ApproveAgent, 1, 50)
  rig.connectProvider(1, 2, { signer: 50 })
  rig.connectProvider(1, 3)
  providerEvents(rig)
  rig.agent(CommandType.RevokeAgent, 1, 50)
  assert.deepEqual(providerEvents(rig), [[Left, Active, 1, 2]])
  assert.deepEqual(sessionsOf(rig, 1), [3])
})

test('a duplicate handshake opens no second session', () => {
  const rig = new CoreRig().openMarket()
  rig.provider(1)
  rig.connectProvider(1, 1, { nonce: 5, digest: 9 })
  providerEvents(rig)
  const repeat = rig.outcome(rig.connectProvider(1, 2, { nonce: 5, digest: 9 }))
  assert.equal(repeat['flags'], OutcomeFlag.Repeat)
  const used = rig.outcome(rig.connectProvider(1, 2, { nonce: 5, digest: 10 }))
  assert.equal(used['result'], Result.NonceUsed)
  assert.deepEqual(sessionsOf(rig, 1), [1])
})

test('the number of an open session fails, and so does one session too many', () => {
  const rig = new CoreRig().openMarket()
  rig.provider(1)
  for (let session = 1; session <= providerSessionsMax; session++) rig.connectProvider(1, session)
  assert.equal(sessionsOf(rig.run(), 1).length, providerSessionsMax)
  assert.equal(rig.outcome(rig.connectProvider(1, 1000))['result'], Result.LimitExceeded)
  rig.leaveProvider(1, 2)
  assert.equal(rig.outcome(rig.connectProvider(1, 1))['result'], Result.Conflict)
  assert.equal(rig.outcome(rig.connectProvider(1, 1000))['result'], Result.Accepted)
})

test('providers survive a snapshot; a start ends their sessions', () => {
  const rig = new CoreRig().openMarket()
  rig.provider(1)
  rig.provider(2, Suspended)
  rig.connectProvider(1, 4)
  rig.run()
  const copy = new CoreRig()
  copy.restore(rig.save())
  assert.deepEqual({ ...copy.state.hash }, { ...rig.state.hash })
  assert.deepEqual(sessionsOf(copy, 1), [4])
  publishBootstrap(copy.state, () => {})
  assert.deepEqual(providerEvents(copy), [
    [Bootstrap, Active, 1, -1],
    [Bootstrap, Suspended, 0, -1],
  ])
  endOldSessions(copy.core, copy.commands, copy.nowMillis)
  assert.deepEqual(providerEvents(copy), [[Left, Active, 0, 4]])
  const { batchNumber } = copy.state
  endOldSessions(copy.core, copy.commands, copy.nowMillis)
  assert.equal(copy.state.batchNumber, batchNumber)
})
