import { FundsEvent } from '../../schemas/generated/events.js'
import type { FundsChange } from '../../schemas/record-values.js'
import type { CoreState } from '../state/core-state.js'
import { Fund } from '../state/money/funds.js'

const funds = new FundsEvent()

/** The venue's own balances, as they are now. */
export function publishFunds(state: CoreState, change: FundsChange): void {
  if (!funds.claim(state.sink)) return
  const { balanceMicros, insuranceDepositsMicros } = state.funds
  funds.feesMicros = balanceMicros[Fund.Fees]
  funds.insuranceMicros = balanceMicros[Fund.Insurance]
  funds.dustMicros = balanceMicros[Fund.Dust]
  funds.clearingMicros = balanceMicros[Fund.Clearing]
  funds.depositsMicros = insuranceDepositsMicros
  funds.change = change
}
