import assert from 'node:assert/strict'
import { test } from 'node:test'
import { burnNonces } from '../../../../engine/core/core-start.js'
import { isBurned, putBurnNonces } from '../../../../engine/core/operator/accept-loss.js'
import { passInstruments } from '../../../../engine/core/pass-instruments.js'
import { historyEndAt, type LostNonce } from '../../../../engine/journal/journal-loss.js'
import { burnEntriesMax } from '../../../../schemas/bounds.js'
import { HaltMode } from '../../../../schemas/domain.js'
import { CommandType } from '../../../../schemas/generated/commands.js'
import { EventType } from '../../../../schemas/generated/events.js'
import { Signer } from '../../../../schemas/record-values.js'
import { Result } from '../../../../schemas/results.js'
import { formatAddress } from '../../../../schemas/wallet.js'
import { CoreRig } from '../../../support/core-rig.js'
import { walletOf } from '../../../support/rig-commands.js'

const bid = { wallet: 1, side: 'Buy', price: '3000', size: '1' } as const
const textOf = (wallet: number) => formatAddress(walletOf(wallet), 0)

function lost(wallet: number, nonce: number, signer: Signer = Signer.Owner): LostNonce {
  return { wallet: textOf(wallet), signer, high: 0, low: nonce }
}

function resultOf(rig: CoreRig, request: number): number {
  rig.run()
  return rig.outcome(request)['result']!
}

/** Asserts that the journal and the snapshot lead to the same state. */
function assertComesBack(rig: CoreRig): void {
  const replayed = new CoreRig()
  for (const batch of rig.batches) replayed.replay(batch)
  const restored = new CoreRig()
  restored.restore(rig.save())
  for (const { state } of [replayed, restored]) {
    assert.deepEqual([state.hash.low, state.hash.high], [rig.state.hash.low, rig.state.hash.high])
    assert.equal(state.haltModeAtListing, rig.state.haltModeAtListing)
  }
}

test('an instrument listed during a halt of everything starts halted, reports it, and opens with the rest', () => {
  const rig = new CoreRig().openMarket()
  rig.halt(HaltMode.Halted, '', true)
  rig.halt(HaltMode.Open, 'BTC')
  rig.run().events()
  const instrument = { underlying: 'ETH' }
  rig.list(instrument)
  rig.index(100_000, 'ETH')
  rig.surface(0.6, 'ETH')
  rig.run()
  const halts = rig.events().filter(({ type }) => type === EventType.Halt)
  assert.deepEqual([halts.length, rig.state.haltModeOf(1)], [1, HaltMode.Halted])
  assert.equal(resultOf(rig, rig.place({ ...bid, instrument })), Result.TradingHalted)
  assert.equal(resultOf(rig, rig.place(bid)), Result.Accepted, 'the one that was opened is open')
  assertComesBack(rig)
  rig.halt(HaltMode.Open, '', true)
  assert.equal(resultOf(rig, rig.place({ ...bid, instrument })), Result.Accepted)
  rig.list({ underlying: 'SOL' })
  rig.run()
  assert.equal(rig.state.haltModeOf(2), HaltMode.Open)
  assertComesBack(rig)
})

test('a halt of everything in an older journal does not apply to instruments listed later', () => {
  const rig = new CoreRig().openMarket()
  rig.halt(HaltMode.Halted)
  rig.list({ underlying: 'ETH' })
  rig.run()
  assert.deepEqual([...rig.state.haltModes.subarray(0, 2)], [HaltMode.Halted, HaltMode.Open])
  assertComesBack(rig)
})

test('lost nonces and all below them are burned, and those above are free', () => {
  const rig = new CoreRig().openMarket()
  assert.equal(resultOf(rig, rig.place({ ...bid, nonce: 900 })), Result.Accepted)
  putBurnNonces(rig.commands, [lost(1, 500)])
  rig.run()
  for (const nonce of [1, 499, 500, 900]) {
    const order = { ...bid, nonce, digest: 7000 + nonce }
    assert.equal(resultOf(rig, rig.place(order)), Result.NonceUsed, `nonce ${nonce}`)
  }
  assert.equal(resultOf(rig, rig.place({ ...bid, nonce: 501 })), Result.Accepted)
  assert.equal(resultOf(rig, rig.place({ ...bid, wallet: 2, nonce: 5 })), Result.Accepted)
  assertComesBack(rig)
})

test('nonces that agents have lost exclude agents only', () => {
  const rig = new CoreRig().openMarket()
  rig.agent(CommandType.ApproveAgent, 1, 60, { nonce: 1 })
  putBurnNonces(rig.commands, [lost(1, 500, Signer.Agent)])
  rig.run()
  assert.equal(resultOf(rig, rig.place({ ...bid, nonce: 499, signer: 60 })), Result.NonceUsed)
  assert.equal(resultOf(rig, rig.place({ ...bid, nonce: 501, signer: 60 })), Result.Accepted)
  assert.equal(resultOf(rig, rig.place({ ...bid, nonce: 499 })), Result.Accepted)
  assertComesBack(rig)
})

test('a wallet whose account was lost gets it again, and its nonces stay burned', () => {
  const rig = new CoreRig().openMarket()
  putBurnNonces(rig.commands, [lost(9, 500)])
  rig.deposit(9, 1_000_000)
  rig.run()
  assert.equal(resultOf(rig, rig.place({ ...bid, wallet: 9, nonce: 500 })), Result.NonceUsed)
  assert.equal(resultOf(rig, rig.place({ ...bid, wallet: 9, nonce: 501 })), Result.Accepted)
  assertComesBack(rig)
})

test('ids of lost instruments are used up once, and the next id comes after them', () => {
  const rig = new CoreRig().openMarket()
  const pause = () => {
    rig.events()
  }
  const history = { ...historyEndAt(0), instrumentCount: 200, underlyings: ['BTC'] }
  passInstruments(rig.core, rig.commands, history, pause)
  assert.equal(rig.state.instruments.count, 200)
  assert.equal(rig.state.instruments.ofUnderlying[0]!.length, 1, 'all of them are deleted')
  const { length } = rig.batches
  passInstruments(rig.core, rig.commands, history, pause)
  assert.equal(rig.batches.length, length)
  rig.list({ strike: 120_000 })
  rig.run()
  assert.deepEqual(rig.state.instruments.ofUnderlying[0], [0, 200])
  assertComesBack(rig)
})

test('ids of lost instruments are used up under a name of the core if the history store has no name', () => {
  const rig = new CoreRig().openMarket()
  const history = { ...historyEndAt(0), instrumentCount: 3 }
  passInstruments(rig.core, rig.commands, history, () => void rig.events())
  assert.equal(rig.state.instruments.count, 3)
  rig.list({ strike: 120_000 })
  rig.run()
  assert.deepEqual(rig.state.instruments.ofUnderlying[0], [0, 3])
  assertComesBack(rig)
})

test('a start fails if ids of instruments are lost and their names are unknown', () => {
  const rig = new CoreRig()
  const pass = (instrumentCount: number) => {
    const history = { ...historyEndAt(0), instrumentCount }
    passInstruments(rig.core, rig.commands, history, () => void rig.events())
  }
  assert.throws(() => pass(3), {
    name: 'JournalRefusal',
    message: /^journal: .* instruments 0 to 2 were lost, .* names an underlying/,
  })
  assert.equal(rig.batches.length, 0)
  pass(0)
})

test('more wallets than fit into a batch are burned over several batches, and only once', () => {
  const rig = new CoreRig().openMarket()
  const nonces = Array.from({ length: 80 * burnEntriesMax }, (_, i) => lost(10 + i, 500 + i))
  const { length } = rig.batches
  const pause = () => {
    rig.events()
  }
  burnNonces(rig.core, rig.commands, nonces, pause)
  assert.ok(rig.batches.length > length + 1)
  assert.ok(nonces.every((nonce) => isBurned(rig.state, nonce)))
  const journaled = rig.batches.length
  burnNonces(rig.core, rig.commands, nonces, pause)
  assert.equal(rig.batches.length, journaled)
})
