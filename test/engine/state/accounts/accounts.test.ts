import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StateHash } from '../../../../engine/memory/state-hash.js'
import { Accounts } from '../../../../engine/state/accounts/accounts.js'
import { SelfTradeMode } from '../../../../schemas/domain.js'
import { CommandType } from '../../../../schemas/generated/commands.js'
import { Result } from '../../../../schemas/results.js'
import { CoreRig } from '../../../support/core-rig.js'

/** More than the columns hold before they grow. */
const accountsCount = 300
/** Halves of nonces at every limit of a word, signed or unsigned. */
const halves = [0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 2, 2 ** 32 - 1, -1, -(2 ** 31)]

test('opening an account twice stops the engine, because it would forget nonces', () => {
  const accounts = new Accounts(new StateHash())
  accounts.open(new Uint8Array(20), 0, 4, 4)
  accounts.nonces[0]!.burn(0, 5)
  assert.throws(() => accounts.open(new Uint8Array(20), 0, 4, 4), /a wallet gets one account/)
  assert.ok(accounts.nonces[0]!.isBurned(0, 5))
})

test('a nonce is above all others of a wallet only if it is, at every limit of its halves', () => {
  const accounts = new Accounts(new StateHash())
  for (let i = 0; i < accountsCount; i++) {
    const wallet = new Uint8Array(20)
    wallet[0] = i
    wallet[1] = i >> 8
    accounts.open(wallet, 0, 4, 4)
  }
  const wholeOf = (high: number, low: number) => (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)
  let account = 0
  for (const high of halves) {
    for (const low of halves) {
      accounts.noteNonce(account, 0, 5)
      accounts.noteNonce(account, high, low)
      const highest = wholeOf(high, low) > 5n ? wholeOf(high, low) : 5n
      for (const otherHigh of halves) {
        for (const otherLow of halves) {
          const expected = wholeOf(otherHigh, otherLow) > highest
          const found = accounts.isAboveAllNonces(account, otherHigh, otherLow)
          assert.equal(found, expected, `${otherHigh} ${otherLow} over ${high} ${low}`)
        }
      }
      account++
    }
  }
  accounts.noteNonce(accountsCount - 1, 7, 7)
  assert.equal(accounts.isAboveAllNonces(accountsCount - 1, 7, 7), false)
  assert.equal(accounts.isAboveAllNonces(accountsCount - 2, 0, 1), true, 'a wallet of its own')
})

test('after a snapshot the highest nonce of the wallet, or of its agents, is still used', () => {
  for (const byAgent of [false, true]) {
    const agent = 60
    const rig = new CoreRig().openMarket()
    rig.outcome(rig.agent(CommandType.ApproveAgent, 1, agent, { nonce: 1 }))
    const act = (each: CoreRig, nonce: number, signer: number) =>
      each.outcome(each.selfTrade(1, SelfTradeMode.CancelBoth, { nonce, signer, digest: 9 }))
    assert.equal(act(rig, 90, 1)['result'], Result.Accepted)
    if (byAgent) assert.equal(act(rig, 95, agent)['result'], Result.Accepted)
    const copy = new CoreRig()
    copy.restore(rig.save())
    const highest = byAgent ? 95 : 90
    const late = copy.place({
      wallet: 1,
      side: 'Buy',
      price: '3000',
      size: '1',
      nonce: highest,
      digest: 8,
    })
    assert.equal(copy.outcome(late)['result'], Result.NonceUsed)
    assert.equal(act(copy, highest + 1, 1)['result'], Result.Accepted)
  }
})
