import { formatLots, formatMicros } from '../../schemas/decimal.js'
import { marginModeNames, rfqStatusNames } from '../../schemas/domain.js'
import { CommandType } from '../../schemas/generated/commands.js'
import type { FoundReply } from '../../schemas/generated/lookups.js'
import type { DataOf } from '../../schemas/interface/answer.js'
import type { gatewayReads } from '../../schemas/interface/reads.js'
import { formatNonce } from '../../schemas/nonce.js'
import { OutcomeStanding } from '../../schemas/record-values.js'
import { Result } from '../../schemas/results.js'
import type { OrderStatusName } from '../../schemas/wire-types.js'
import { accountActions } from '../actions/account-actions.js'
import type { Action } from '../actions/action.js'
import { streamActions } from '../actions/stream-actions.js'
import {
  type OutcomeNames,
  readFacts,
  reasonOf,
  statusName,
  valuesOfFacts,
} from '../link/outcome.js'

type ActionOutcome = DataOf<(typeof gatewayReads)['GET /actions/outcome']>
type OrderOutcome = Extract<ActionOutcome['outcome'], { readonly symbol: string }>

const orderCommands: ReadonlySet<number> = new Set([
  CommandType.PlaceOrder,
  CommandType.ReplaceOrder,
  CommandType.CancelOrder,
  CommandType.CancelByClientId,
])
/** Struct names by command, where they differ from the command's name. */
const structNames: ReadonlyMap<number, string> = new Map([
  [CommandType.CancelByClientId, 'CancelOrderByClientId'],
  [CommandType.SubmitRfq, 'SubmitRFQ'],
  [CommandType.AcceptRfqQuote, 'AcceptRFQQuote'],
  ...Object.entries<Action>({ ...accountActions, ...streamActions }).map(
    ([name, { command }]) => [command, name] as const,
  ),
])
const commandNames = new Map<number, string>(
  Object.entries(CommandType).map(([name, type]) => [type, name]),
)
/** Fields of other commands' answers that the request does not contain. */
const ownOutcomes: Readonly<Record<number, (facts: FoundReply['facts']) => object>> = {
  [CommandType.CancelAll]: ({ canceledCount }) => ({ canceled: canceledCount }),
  [CommandType.SetDeadMan]: ({ firesMillis }) => ({ fires_at: firesMillis || null }),
  [CommandType.WithdrawUsdc]: ({ balanceMicros }) => ({
    balance_after: formatMicros(balanceMicros),
  }),
  [CommandType.SetMarginMode]: ({ previousMode }) => ({
    previous_mode: marginModeNames[previousMode],
  }),
  [CommandType.SubmitRfq]: ({ rfqStatus }) => ({ status: rfqStatusNames[rfqStatus] }),
  [CommandType.AcceptRfqQuote]: ({ fillId }) => ({ status: 'executed', fill_id: String(fillId) }),
}

/** Formats the stored result of an action. Keeps no reference to the reply. */
export function actionOutcome(
  found: FoundReply,
  wallet: string,
  digest: string,
  names: OutcomeNames,
): ActionOutcome {
  const { standing, command, keptCount, keptMax, oldestMillis } = found
  const isKnown = standing !== OutcomeStanding.Unknown
  const isWaiting = standing === OutcomeStanding.Waiting
  const nonce = formatNonce(found.nonceHigh >>> 0, found.nonceLow >>> 0)
  const accepted = isWaiting ? 'in_flight' : 'accepted'
  return {
    ...{ wallet, digest, status: isKnown ? accepted : 'unknown' },
    action: isKnown ? actionNameOf(command) : null,
    nonce: isKnown ? numberOf(nonce) : null,
    timestamp: isKnown ? found.millis : null,
    seq: isKnown ? found.seq : null,
    outcome: isKnown ? outcomeOf(found, names) : null,
    kept: {
      ...{ count: keptCount, max: keptMax },
      oldest_ms: keptCount === 0 ? null : oldestMillis,
      is_complete: keptCount < keptMax,
    },
  }
}

/** Returns the name of the struct that becomes the command, or of the command itself. */
export function actionNameOf(command: number): string | null {
  return structNames.get(command) ?? commandNames.get(command) ?? null
}

function outcomeOf(found: FoundReply, names: OutcomeNames): ActionOutcome['outcome'] {
  if (!orderCommands.has(found.command)) {
    return { ...(ownOutcomes[found.command]?.(found.facts) ?? {}) }
  }
  return orderOutcome(found, names)
}

function orderOutcome(found: FoundReply, { instruments }: OutcomeNames): OrderOutcome {
  const { result } = found
  const facts = readFacts(found, instruments)
  const { reason, code } = reasonOf({ result, details: null }, () => valuesOfFacts(facts))
  return {
    status: statusName(result, found.facts.status) as OrderStatusName,
    order_id: facts.orderId === 0 ? null : facts.orderId,
    symbol: facts.instrument?.symbol ?? '',
    side: facts.side,
    ...{ price: facts.price, size: facts.size, filled_size: formatLots(facts.filledLots) },
    client_id: facts.clientId === '' ? null : facts.clientId,
    ...{ reason, reason_code: code, mmp_triggered: result === Result.MmpTriggered },
  }
}

/** Returns a number, or the text if it exceeds 2^53. */
export function numberOf(text: string): number | string {
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : text
}
