import {
  fundsBytes,
  fundsChangeAt,
  fundsClearingMicrosAt,
  fundsDepositsMicrosAt,
  fundsDustMicrosAt,
  fundsFeesMicrosAt,
  fundsInsuranceMicrosAt,
} from '../../schemas/funds.js'
import { EventType } from '../../schemas/generated/events.js'
import type { FundsChange } from '../../schemas/record-values.js'
import type { CoreState } from '../state/core-state.js'
import { unheard } from '../state/event-sink.js'
import { Fund } from '../state/funds.js'

/** The venue's own balances, as they are now. */
export function publishFunds(state: CoreState, change: FundsChange): void {
  const at = state.sink.tryClaim(fundsBytes, EventType.Funds)
  if (at === unheard) return
  const { f64, i32 } = state.sink.views
  const { balanceMicros, insuranceDepositsMicros } = state.funds
  f64[(at + fundsFeesMicrosAt) >> 3] = balanceMicros[Fund.Fees]
  f64[(at + fundsInsuranceMicrosAt) >> 3] = balanceMicros[Fund.Insurance]
  f64[(at + fundsDustMicrosAt) >> 3] = balanceMicros[Fund.Dust]
  f64[(at + fundsClearingMicrosAt) >> 3] = balanceMicros[Fund.Clearing]
  f64[(at + fundsDepositsMicrosAt) >> 3] = insuranceDepositsMicros
  i32[(at + fundsChangeAt) >> 2] = change
  i32[(at + fundsChangeAt + 4) >> 2] = 0
}
