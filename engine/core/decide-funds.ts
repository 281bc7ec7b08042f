import { moneyMicrosMax } from '../../schemas/bounds.js'
import { depositAmountMicrosAt, depositIdAt, depositIdBytesAt } from '../../schemas/commands.js'
import { FundsChange } from '../../schemas/funds.js'
import { Result } from '../../schemas/results.js'
import { readText } from './bytes.js'
import type { CoreState } from './core-state.js'
import type { RecordViews } from './event-sink.js'
import { Fund } from './funds.js'
import { publishFunds } from './publish-funds.js'

/** In front of names of deposits to the fund: no name of a wallet's deposit can hold this character. */
const insuranceMark = '\u0001'

/** What FundInsurance did. */
export interface FundsOutcome {
  /** The deposit is known: nothing changed. */
  repeat: boolean
}

/** FundInsurance: credits the insurance fund. @returns `InvalidField` for an amount out of bounds. */
export function fundInsurance(
  state: CoreState,
  views: RecordViews,
  at: number,
  out: FundsOutcome,
): Result {
  const amountMicros = views.f64[(at + depositAmountMicrosAt) >> 3]
  const name = readText(views.u8, at + depositIdAt, views.i32[(at + depositIdBytesAt) >> 2])
  const depositId = insuranceMark + name
  if (name !== '' && state.depositIds.has(depositId)) {
    out.repeat = true
    return Result.Accepted
  }
  const { funds } = state
  const insuranceMicros = funds.balanceMicros[Fund.Insurance]
  const depositsMicros = funds.insuranceDepositsMicros
  if (!(amountMicros > 0)) return Result.InvalidField
  if (Math.max(insuranceMicros, depositsMicros) + amountMicros > moneyMicrosMax) {
    return Result.InvalidField
  }
  if (name !== '') state.addDepositId(depositId)
  funds.depositInsurance(amountMicros)
  publishFunds(state, FundsChange.InsuranceDeposit)
  return Result.Accepted
}
