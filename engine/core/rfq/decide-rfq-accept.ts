import { uuidBytes } from '../../../schemas/bounds.js'
import { InstrumentState, RfqStatus } from '../../../schemas/domain.js'
import { AcceptRfqQuoteCommand, type AnyCommand } from '../../../schemas/generated/commands.js'
import { Result } from '../../../schemas/results.js'
import { formatUuid } from '../../../schemas/uuid.js'
import { areBytesEqual } from '../../memory/bytes.js'
import { none } from '../../memory/rows.js'
import { factsOfNothing } from '../../publish/publish-orders.js'
import { endIfIdle } from '../../rfq/rfq-states.js'
import { ownFacts } from '../../state/accounts/kept-outcomes.js'
import type { Batch } from '../../state/batch.js'
import type { CoreState } from '../../state/core-state.js'
import type { Invited, Rfq } from '../../state/rfq/rfq-row.js'
import { answerEarlier, answerNow } from '../steps/answer.js'
import { acceptAction } from '../steps/signed.js'
import { haltOf } from './decide-rfq.js'
import { executeQuote, refusalDetails } from './execute-rfq.js'

const accept = new AcceptRfqQuoteCommand()
const facts = ownFacts()

/** A quote that a taker may accept. */
interface Accepted {
  readonly row: Rfq
  readonly invited: Invited
}

/**
 * AcceptRfqQuote: the taker trades at a live quote. What is refused burns no nonce, though it may have ended something:
 * a provider that cannot bear its quote loses it, a taker that cannot bear it the request.
 */
export function decideAccept(
  state: CoreState,
  batch: Batch,
  ticket: number,
  command: AnyCommand,
): void {
  answerEarlier(state, batch, ticket)
  const found = find(state, batch.account[ticket], accept.of(command))
  const open = typeof found === 'number' ? found : checkOpen(state, found.row)
  batch.result[ticket] = open
  if (typeof found === 'number' || open !== Result.Accepted) return
  const { row, invited } = found
  const { result, isProviders, fillId } = executeQuote(state, row, invited)
  if (isProviders) endIfIdle(state, row)
  batch.result[ticket] = isProviders ? Result.QuoteNotBorne : result
  if (result !== Result.Accepted) {
    if (!isProviders) batch.details.set(refusalDetails, batch.beginDetails(ticket))
    return
  }
  factsOfNothing(command, none, facts)
  facts.fillId = fillId
  facts.rfqStatus = RfqStatus.Executed
  acceptAction(state, batch, ticket, Result.Accepted, facts, 0)
  answerNow(state, batch, ticket, Result.Accepted, 0, facts)
}

/** @returns the quote, or why it cannot be accepted; of a stranger's request nothing is known. */
function find(
  state: CoreState,
  account: number,
  { netPremiumMicros, quoteIdAt, rfqIdAt, u8 }: AcceptRfqQuoteCommand,
): Accepted | Result {
  const { nowMillis, rfqs } = state
  const key = formatUuid(u8, rfqIdAt)
  const row = rfqs.find(key)
  if (row === null) {
    const known = rfqs.ids.find(key)
    return known?.account === account ? closedAs(known.status) : Result.RfqUnknown
  }
  if (row.terms.account !== account || row.isAuction) return Result.RfqUnknown
  if (row.terms.expiresMillis < nowMillis) return Result.RfqClosed
  const isNamed = (id: Uint8Array) => areBytesEqual(id, 0, u8, quoteIdAt, uuidBytes)
  const invited = row.invited.find(({ quote }) => quote !== null && isNamed(quote.id))
  if (invited?.quote == null) {
    const isOver = row.invited.some(({ expiredIds }) => expiredIds.some(isNamed))
    return isOver ? Result.QuoteExpired : Result.QuoteUnknown
  }
  if (invited.quote.expiresMillis < nowMillis) return Result.QuoteExpired
  // A signature over another premium is none for this quote.
  return invited.quote.netPremiumMicros === netPremiumMicros
    ? { row, invited }
    : Result.SignatureFailed
}

/** Why nothing can be said to a request that has ended. */
export function closedAs(status: RfqStatus): Result {
  return status === RfqStatus.Executed ? Result.RfqAlreadyFilled : Result.RfqClosed
}

/** Whether every leg trades at this moment. */
export function checkOpen(state: CoreState, { terms }: Rfq): Result {
  const { instruments, nowMillis } = state
  for (const { instrument } of terms.legs) {
    const isActive =
      instruments.state[instrument] === InstrumentState.Active &&
      instruments.expiryMillis[instrument] > nowMillis
    if (!isActive) return Result.InstrumentExpired
  }
  return haltOf(state, instruments.underlying[terms.legs[0].instrument])
}
