import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SettlementTable } from '../../../engine/state/market/settlement-table.js'
import { Fund, Funds } from '../../../engine/state/money/funds.js'
import type { Settlement } from '../../../engine/tables/generated/settlement.js'
import { exactBound } from '../../../schemas/bounds.js'
import { PayoutStep } from '../../../schemas/record-values.js'
import { firstFailing, onlyWith } from '../../support/planted-fault.js'

// In one expiry, the wallets together owe more than a double holds, and some of them cannot pay. Each test plants a
// fault there in every engine of a run, including the standby. Sums over wallets and over payouts find it.

const steps = 400

test('the simulator finds a clearing amount that is clamped at the limit of one wallet', () => {
  const { prototype } = Funds
  const { move } = prototype
  prototype.move = function (fund, deltaMicros) {
    const roomMicros = exactBound - this.balanceMicros[Fund.Clearing]!
    const isCut = fund === Fund.Clearing && deltaMicros > roomMicros
    move.call(this, fund, isCut ? roomMicros : deltaMicros)
  }
  try {
    assert.match(
      firstFailure(124),
      /wallets and funds hold \d+ micros|clearing is \d+, of what is paid \d+/,
    )
  } finally {
    prototype.move = move
  }
})

test('the simulator finds losses of an expiry that nobody bears', () => {
  const what = paying(5, (row) => {
    row.lackingMicros = 0n
  })
  assert.match(what, /micros of dust|and its dust add up to|at most a rounding per payout is left/)
})

test("the simulator finds an expiry whose first creditor bears part of the others' losses", () => {
  const what = paying(66, (row) => {
    const paidMicros = row.owedMicros - row.lackingMicros
    if (paidMicros < 16n) return
    row.countedMicros += paidMicros / 16n
    row.owedMicros += paidMicros / 16n
  })
  assert.match(
    what,
    /\d+ of \d+ were borne|wallets and funds hold \d+ micros|a wallet bears at most the gains/,
  )
})

/**
 * Returns the failure of the first failing seed when `wrong` corrupts each settlement between debtors and creditors.
 */
function paying(first: number, wrong: (row: Settlement) => void): string {
  const { prototype } = SettlementTable
  const { startStep } = prototype
  prototype.startStep = function (row, step) {
    startStep.call(this, row, step)
    if (step !== PayoutStep.Pay) return
    wrong(row)
    this.changed(row)
  }
  try {
    return firstFailure(first)
  } finally {
    prototype.startStep = startStep
  }
}

/**
 * Runs without crashes, which these faults do not need, and which leaves more trading before an expiry.
 * @param first of `Planted`
 */
function firstFailure(first: number): string {
  return firstFailing({ steps, without: onlyWith(), first }).what
}
