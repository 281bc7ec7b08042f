import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SettlementTable } from '../../../engine/state/market/settlement-table.js'
import { Fund, Funds } from '../../../engine/state/money/funds.js'
import type { Settlement } from '../../../engine/tables/generated/settlement.js'
import { exactBound } from '../../../schemas/bounds.js'
import { PayoutStep } from '../../../schemas/record-values.js'
import { firstFailing, onlyWith } from '../../support/planted-fault.js'

// What many wallets owe in one expiry is more than a double holds, and some of them cannot pay it. Each of these plants
// a fault there in every engine of a run, the standby too: sums over wallets and over payouts find it.

const steps = 400

test('clearing that is cut at the bound of one wallet is found', () => {
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

test('losses of an expiry that nobody bears are found', () => {
  const what = paying(5, (row) => {
    row.lackingMicros = 0n
  })
  assert.match(what, /micros of dust|and its dust add up to|at most a rounding per payout is left/)
})

test('losses of an expiry of which the first who is owed bears a part for the others are found', () => {
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
 * What the first seed says that fails when something goes wrong between those who owe and those who are owed.
 * @param first of `Planted`.
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

/** Without crashes: it takes none to show these, and more is traded before an expiry. @param first of `Planted`. */
function firstFailure(first: number): string {
  return firstFailing({ steps, without: onlyWith(), first }).what
}
