import { formatMicros } from '../../schemas/decimal.js'
import {
  DeliveryStatus,
  DomainStatus,
  deliveryStatusNames,
  domainStatusNames,
} from '../../schemas/domain.js'
import type { Withdrawal } from '../../schemas/interface/money.js'
import { directivePath } from '../../schemas/interface/paths.js'
import { Result } from '../../schemas/results.js'
import { directiveIdOf, formatUuid } from '../../schemas/uuid.js'
import { formatAddress } from '../../schemas/wallet.js'
import type { AccountActions } from '../actions/account-actions.js'
import { Fault } from '../wire/fault.js'
import type { AccountAnswer, WaitingWrite } from './account-write.js'

type WithdrawalFields = AccountActions['WithdrawUsdc']['body']

/** Checks of a withdrawal before it debits anything, and its answer afterwards. */
export const withdrawalAnswer: AccountAnswer<WithdrawalFields, Withdrawal> = {
  refusesLater,
  dataOf({ digest, seq, event }) {
    const id = idOf(digest)
    return {
      success: true,
      request_id: id,
      directive_id: id,
      domain_status: domainStatusNames[DomainStatus.PendingChainEffect],
      delivery_status: deliveryStatusNames[DeliveryStatus.Pending],
      balance_after: formatMicros(event.facts.balanceMicros),
      message: 'USDC withdrawal accepted',
      seq,
    }
  },
}

/** Checks the destination. A known withdrawal skips the check: the engine repeats its first answer. */
async function refusesLater(write: WaitingWrite<WithdrawalFields>): Promise<Fault | null> {
  const { ask, context, digest, values } = write
  const known = await ask(directivePath + idOf(digest), '')
  if (known.status === 200) return null
  const [destination, wallet] = [values.destination, values.wallet].map((of) =>
    formatAddress(of, 0),
  )
  const result = await context.preflight(destination!, wallet!)
  return result === Result.Accepted ? null : new Fault(result)
}

function idOf(digest: Uint8Array): string {
  return formatUuid(directiveIdOf(digest, 0), 0)
}
