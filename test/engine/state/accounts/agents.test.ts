import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StateReader, StateWriter } from '../../../../engine/memory/state-codec.js'
import { StateHash } from '../../../../engine/memory/state-hash.js'
import { Agents } from '../../../../engine/state/accounts/agents.js'
import { agentsPerWalletMax } from '../../../../schemas/bounds.js'
import { walletOf } from '../../../support/rig-commands.js'

test('an agent is approved for one account only', () => {
  const agents = new Agents(new StateHash())
  assert.equal(agents.approve(3, walletOf(7), 0), true)
  assert.equal(agents.has(3, walletOf(7), 0), true)
  assert.equal(agents.has(2, walletOf(7), 0), false)
  assert.equal(agents.count(2), 0)
})

test('revoking keeps the others in order, and revoking a stranger changes nothing', () => {
  const agents = new Agents(new StateHash())
  for (const agent of [1, 2, 3]) agents.approve(0, walletOf(agent), 0)
  agents.revoke(0, walletOf(9), 0)
  agents.revoke(0, walletOf(2), 0)
  assert.equal(agents.count(0), 2)
  const target = new Uint8Array(24)
  agents.write(0, 1, target, 4)
  assert.deepEqual(target.subarray(4), walletOf(3))
  agents.revoke(5, walletOf(1), 0)
  assert.equal(agents.count(5), 0)
})

test('the number of agents of an account is limited', () => {
  const agents = new Agents(new StateHash())
  for (let i = 0; i < agentsPerWalletMax; i++) assert.ok(agents.approve(0, walletOf(i + 1), 0))
  assert.equal(agents.approve(0, walletOf(1000), 0), false)
  assert.equal(agents.has(0, walletOf(1000), 0), false)
})

test('agents survive a snapshot, also for an account without any', () => {
  const agents = new Agents(new StateHash())
  for (const agent of [5, 4]) agents.approve(1, walletOf(agent), 0)
  const writer = new StateWriter()
  agents.save(0, writer)
  agents.save(1, writer)
  const loaded = new Agents(new StateHash())
  const reader = new StateReader(writer.result())
  loaded.load(0, reader)
  loaded.load(1, reader)
  assert.ok(reader.atEnd())
  assert.equal(loaded.count(0), 0)
  assert.deepEqual([loaded.count(1), loaded.has(1, walletOf(4), 0)], [2, true])
})
