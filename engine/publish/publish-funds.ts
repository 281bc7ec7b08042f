import { FundsEvent } from '../../schemas/generated/events.js'
import type { FundsChange } from '../../schemas/record-values.js'
import type { EventSink } from '../state/event-sink.js'
import { Fund, type Funds } from '../state/money/funds.js'

export interface PublishFundsState {
  readonly sink: EventSink
  readonly funds: Funds
}

const funds = new FundsEvent()

/** Publishes the current balances of the venue. */
export function publishFunds(state: PublishFundsState, change: FundsChange): void {
  if (!funds.claim(state.sink)) return
  const { balanceMicros, insuranceDepositsMicros } = state.funds
  funds.feesMicros = balanceMicros[Fund.Fees]
  funds.insuranceMicros = balanceMicros[Fund.Insurance]
  funds.dustMicros = balanceMicros[Fund.Dust]
  funds.clearingMicros = balanceMicros[Fund.Clearing]
  funds.depositsMicros = insuranceDepositsMicros
  funds.change = change
}
