import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CoreState } from '../../../engine/state/core-state.js'
import { engineConfigDefault } from '../../../engine/state/market/engine-config.js'
import { AnyCommand } from '../../../schemas/generated/commands.js'
import { LiquidationRig } from '../../support/liquidation-rig.js'
import {
  liquidationStory,
  type StoryStep,
  statesOf,
  storyStates,
} from '../../support/liquidation-story.js'
import type { RecordedBatch } from '../../support/recorded-batches.js'

// The process dies after every batch of a story in which wallets pass through every state of liquidation, and their
// positions expire and settle. A restart finds the earlier state. Clients that retry the last batch's commands change
// nothing. The end is the same, to the micro.

const expiryMillis = Date.UTC(2026, 0, 31)
const market = { expiryDate: 20260131, expiryMillis }
const snapshotEvery = 5

/** Short of a call that expires far above what it can pay. */
const late = 44
const lateShort: readonly StoryStep[] = [
  {
    state: null,
    act: (rig) => {
      rig.index(100_000, 'LIQ3')
      rig.deposit(late, 15_000, 'late')
      rig.fundInsurance(200, 'late-fund')
    },
  },
  {
    state: null,
    act: (rig) => {
      const instrument = { underlying: 'LIQ3' }
      rig.place({ wallet: late, side: 'Sell', price: '3270', size: '1', instrument })
      rig.place({ wallet: 31, side: 'Buy', price: '3270', size: '1', instrument })
    },
  },
]

interface Border {
  readonly hash: { readonly low: number; readonly high: number }
  readonly states: Set<string>
  readonly saved: Uint8Array
}

for (const matchers of [1, 2, 3]) {
  test(`a replay, and a snapshot with its tail, equal the live state at every step, with ${matchers} matchers`, () => {
    const { rig, borders } = live(matchers)
    const seen = new Set(borders.flatMap(({ states }) => [...states]))
    assert.deepEqual(
      storyStates.filter((name) => !seen.has(name)),
      [],
    )
    for (const others of [1, 2, 3]) {
      for (const [border, { saved }] of borders.entries()) {
        if (border === 0) continue
        const other = restored(saved, others)
        for (let next = border; next < borders.length; next++) {
          const { low, high } = other.state.hash
          const where = `snapshot ${border}, border ${next}, states ${[...borders[next]!.states]}`
          assert.deepEqual({ low, high }, borders[next]!.hash, where)
          if (next < rig.batches.length) other.replay(rig.batches[next]!)
          other.events()
        }
      }
    }
  })
}

test('after a crash following any batch of liquidation and settlement no money is lost and nothing happens twice', () => {
  const { rig, borders } = live(2)
  const { batches } = rig
  const wanted = moneyOf(rig.state)
  assert.ok(wanted.payouts >= 4, `${wanted.payouts} payouts`)
  for (let crash = 1; crash <= batches.length; crash++) {
    const from = crash - (crash % snapshotEvery)
    const again = new LiquidationRig(engineConfigDefault, 1 + (crash % 3))
    if (from > 0) again.restore(borders[from]!.saved)
    for (let index = from; index < crash; index++) again.replay(batches[index]!)
    const { low, high } = again.state.hash
    assert.deepEqual({ low, high }, borders[crash]!.hash, `recovered after batch ${crash}`)
    // Clients without an answer retry; then everything else arrives as before.
    for (let index = crash - 1; index < batches.length; index++) ask(again, batches[index]!)
    assert.deepEqual(moneyOf(again.state), wanted, `crash after batch ${crash}`)
  }
})

/** Runs the story and its end: expiry, a price from the operator, payouts one by one. */
function live(matchers: number): { rig: LiquidationRig; borders: Border[] } {
  const rig = new LiquidationRig(engineConfigDefault, matchers)
  const borders = [borderOf(rig)]
  const run = (step: StoryStep) => {
    rig.nowMillis += 400
    step.act(rig)
    while (rig.step()) {
      borders.push(borderOf(rig))
      rig.events()
    }
    if (step.state !== null) {
      assert.ok(statesOf(rig.state).has(step.state), `no wallet is in ${step.state}`)
    }
  }
  for (const step of liquidationStory(market)) run(step)
  for (const step of lateShort) run(step)
  rig.nowMillis = expiryMillis - 400
  run({ state: 'full', act: (to) => to.index(135_000, 'LIQ3') })
  const settle = (underlying: string) => (to: LiquidationRig) => {
    to.settlementPrice(135_000, expiryMillis, underlying)
  }
  for (const name of ['LIQ1', 'LIQ2', 'LIQ3']) run({ state: null, act: settle(name) })
  const { sharedMicros, insuranceMicros } = rig.row(late)!
  assert.ok(sharedMicros > 0 && insuranceMicros > 0 && rig.insurance === 0)
  assert.equal(borders.length, rig.batches.length + 1)
  return { rig, borders }
}

function borderOf(rig: LiquidationRig): Border {
  const { low, high } = rig.state.hash
  return { hash: { low, high }, states: statesOf(rig.state), saved: rig.save() }
}

function restored(saved: Uint8Array, matchers: number): LiquidationRig {
  const rig = new LiquidationRig(engineConfigDefault, matchers)
  rig.restore(saved)
  return rig
}

/** Sends the commands of a batch again, at its time. */
function ask(rig: LiquidationRig, batch: RecordedBatch): void {
  const command = new AnyCommand()
  rig.nowMillis = Math.max(rig.nowMillis, batch.timeMillis)
  for (let at = 0; at < batch.commandBytes; at += command.recordBytes) {
    const { recordBytes, recordType } = command.over(batch, at)
    const to = rig.commands.tryClaim(recordBytes, recordType)
    rig.commands.u8.set(batch.u8.subarray(at + 8, at + recordBytes), to + 8)
  }
  rig.run().events()
}

/** Returns all money and contracts: cash and deposits of each wallet, positions, funds, and borne losses. */
function moneyOf({ accounts, risk, funds, settlements, liquidations }: CoreState) {
  const { exposures, firstExposure } = risk
  const wallets = Array.from({ length: accounts.count }, (_, account) => {
    const positions: string[] = []
    let row = firstExposure[account]!
    for (; row >= 0; row = exposures.nextInAccount[row]!) {
      const lots = exposures.positionLots[row]!
      if (lots !== 0) positions.push(`${exposures.instrument[row]} ${lots}`)
    }
    const lost = liquidations.find(account)
    return {
      cash: risk.cashMicros[account],
      deposits: accounts.depositsMicros[account],
      positions: positions.sort(),
      insurance: lost?.insuranceMicros,
      deleveraged: lost?.deleveragedMicros,
      uncovered: lost?.uncoveredMicros,
      fees: lost?.feeMicros,
      state: lost?.state,
    }
  })
  return { wallets, funds: [...funds.balanceMicros], payouts: settlements.payoutCount }
}
