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

// What must hold of amounts however large they are: so all of it is summed up anew, from positions and orders, in
// integers that know no bound.

const lotsOfContract = BigInt(lotsPerContract)
const summary = new MarginSummary()

/** Where the count stood before the run, or at the last look: others in the process may have left it higher. */
let saturatedBefore = saturatedCount

/** Begins a run: what was cut before is no fault of it. */
export function beginExact(): void {
  saturatedBefore = saturatedCount
}

/** No amount has left the range in which doubles are exact, and no sum over a wallet can. @throws Violation */
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

/** The fund is what the withdrawals come to, each wallet has its own of them, and not too many. */
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

/** Money is conserved, and nobody has paid what a fund did not have. */
export function checkMoney(state: ExactInvariantsState): void {
  mustBeNone(conservationBreach(state))
  mustBeNone(fundsBreach(state))
}

/** @throws Violation of what an operator would be told of. */
export function mustBeNone(breach: Breach | null): void {
  mustHold(breach === null, () => breach!.text)
}

/** Equity of a wallet as it is read is cash and every position at its mark, each rounded once. */
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

/** Cash and the most that positions and orders can be worth are within the range, and so is all that was realised. */
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
