import type { Breach } from '../../../engine/invariants/breach.js'
import {
  conservationBreach,
  fundsBreach,
  inTransitBreach,
  type MoneyState,
} from '../../../engine/invariants/money.js'
import { exposuresIn } from '../../../engine/invariants/state-rows.js'
import type { Marks } from '../../../engine/pricing/marks.js'
import { halfEvenDiv } from '../../../engine/risk/exact-share.js'
import { saturatedCount } from '../../../engine/risk/money.js'
import { MarginSummary } from '../../../engine/risk/order-check.js'
import { lotsPerContract, moneyMicrosMax, withdrawalsPendingMax } from '../../../schemas/bounds.js'
import { mustHold } from '../run/simulation-errors.js'

interface ExactInvariantsState extends MoneyState {
  readonly marks: Marks
}

// These checks must hold for amounts of any size. They therefore add up everything anew, from positions and orders, in
// unbounded integers.

const lotsOfContract = BigInt(lotsPerContract)
const summary = new MarginSummary()

/** Value of the counter before the run or at the last check. Other code in the process may have raised it. */
let saturatedBefore = saturatedCount

/** Starts a run and ignores amounts that were clamped before it. */
export function beginExact(): void {
  saturatedBefore = saturatedCount
}

/**
 * Checks that no amount, and no possible sum over a wallet, leaves the range in which doubles are exact.
 * @throws Violation
 */
export function checkExact(state: ExactInvariantsState): void {
  const { accounts, funds, instruments, marks, risk } = state
  const more = saturatedCount - saturatedBefore
  saturatedBefore = saturatedCount
  mustHold(more === 0, () => `${more} amounts were cut at the bound of exact ones`)
  for (const micros of funds.balanceMicros) mustBeExact(micros, 'a fund')
  mustBeExact(funds.insuranceDepositsMicros, 'deposits of the fund')
  for (let account = 0; account < accounts.count; account++) {
    mustBeExact(risk.cashMicros[account], `cash of ${account}`)
    mustBeExact(accounts.depositsMicros[account], `deposits of ${account}`)
    mustBeExact(risk.realizedTotalMicros[account], `what ${account} realised`)
    checkWallet(state, account)
  }
  for (let underlying = 0; underlying < instruments.underlyingNames.length; underlying++) {
    const { indexMicros } = marks.inputsOf(underlying)
    const maxMicros = instruments.maxIndexMicros[underlying]
    const fits = maxMicros === 0 || Number.isNaN(indexMicros) || indexMicros <= maxMicros
    const what = () => `the index of underlying ${underlying} is ${indexMicros}, above its highest`
    mustHold(fits, what)
  }
}

/**
 * Checks that the in-transit fund equals the open withdrawals, and that each wallet's withdrawals are its own and
 * within the limit.
 */
export function checkInTransit(state: ExactInvariantsState): void {
  mustBeNone(inTransitBreach(state))
  const { withdrawals } = state
  const counts = new Map<number, number>()
  for (const { account, key } of withdrawals.rows) {
    counts.set(account, (counts.get(account) ?? 0) + 1)
    mustHold(withdrawals.endOf(key) === null, () => `withdrawal ${key} has ended and has not`)
  }
  for (const [account, count] of counts) {
    const isSame = count === withdrawals.countOf(account) && count <= withdrawalsPendingMax
    mustHold(isSame, () => `account ${account} has ${count} withdrawals`)
  }
}

/** Checks that money is conserved and that no fund has paid more than it had. */
export function checkMoney(state: ExactInvariantsState): void {
  mustBeNone(conservationBreach(state))
  mustBeNone(fundsBreach(state))
}

/** @throws Violation for a breach that a venue would report to its operator */
export function mustBeNone(breach: Breach | null): void {
  mustHold(breach === null, () => breach!.text)
}

/** Checks that a wallet's equity is its cash plus every position at its mark, each rounded once. */
export function checkEquity(state: ExactInvariantsState, account: number): void {
  const { marks, risk } = state
  const { exposures } = risk
  let micros = BigInt(risk.cashMicros[account])
  for (const row of exposuresIn(state, account)) {
    const markMicros = marks.markMicros[exposures.instrument[row]]
    if (!(markMicros >= 0)) continue
    micros += halfEvenDiv(BigInt(markMicros) * BigInt(exposures.positionLots[row]), lotsOfContract)
    if (risk.isPerp(row)) micros -= BigInt(exposures.costMicros[row])
  }
  risk.summarize(account, summary)
  const { equity } = summary
  const what = () => `equity of account ${account} is ${equity}, its positions come to ${micros}`
  mustHold(Number.isSafeInteger(equity) && BigInt(equity) === micros, what)
}

/** Checks that cash, the maximum value of positions and orders, and all realised amounts are within the exact range. */
function checkWallet(state: ExactInvariantsState, account: number): void {
  const { instruments, risk } = state
  const { exposures } = risk
  let heldMicros = 0n
  let lots = 0n
  for (const row of exposuresIn(state, account)) {
    const instrument = exposures.instrument[row]
    for (const amount of [exposures.costMicros[row], exposures.realizedMicros[row]]) {
      mustBeExact(amount, `an amount of account ${account} in instrument ${instrument}`)
    }
    const position = BigInt(exposures.positionLots[row])
    const highestMicros = Math.max(
      instruments.maxIndexMicros[instruments.underlying[instrument]],
      instruments.strikeMicros[instrument],
    )
    const size = position < 0n ? -position : position
    lots += size
    heldMicros += (size * BigInt(highestMicros)) / lotsOfContract
  }
  const cashMicros = BigInt(Math.abs(risk.cashMicros[account]))
  const what = () => `account ${account}: ${cashMicros} of cash, ${heldMicros} that it may be worth`
  mustHold(cashMicros + heldMicros <= BigInt(moneyMicrosMax), what)
  mustHold(lots <= BigInt(moneyMicrosMax), () => `account ${account} holds ${lots} lots`)
}

function mustBeExact(amount: number, what: string): void {
  mustHold(Number.isSafeInteger(amount), () => `${what}: ${amount} is no exact amount`)
}
