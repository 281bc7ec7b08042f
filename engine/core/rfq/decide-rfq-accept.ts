import { uuidBytes } from '../../../schemas/bounds.js'
import { InstrumentState, RfqStatus } from '../../../schemas/domain.js'
import { AcceptRfqQuoteCommand, type AnyCommand } from '../../../schemas/generated/commands.js'
import { Result } from '../../../schemas/results.js'
import { formatUuid } from '../../../schemas/uuid.js'
import { areBytesEqual } from '../../memory/bytes.js'
import { none } from '../../memory/rows.js'
import { factsOfNothing } from '../../publish/publish-orders.js'
import { endIfIdle } from '../../rfq/rfq-states.js'
import { ownFacts } from '../../state/accounts/kept-results.js'
import type { Batch } from '../../state/batch.js'
import type { CoreState } from '../../state/core-state.js'
import type { Invited, Rfq } from '../../state/rfq/rfq-row.js'
import { answerEarlier, answerNow } from '../steps/answer.js'
import { acceptAction } from '../steps/signed.js'
import { haltOf } from './decide-rfq.js'
import { executeQuote, failureDetails } from './execute-rfq.js'

const accept = new AcceptRfqQuoteCommand()
const facts = ownFacts()

/** A quote that a taker may accept. */
interface AcceptableQuote {
  readonly row: Rfq
  readonly invited: Invited
}

/**
 * AcceptRfqQuote: the taker trades at a live quote. A failed acceptance burns no nonce, though it may end something. If
 * the provider's margin fails, it loses the quote; if the taker's margin fails, the request ends.
 */
export function decideAccept(
  state: CoreState,
  batch: Batch,
  ticket: number,
  command: AnyCommand,
): void {
  answerEarlier(state, batch, ticket)
  const found = find(state, batch.account[ticket], accept.of(command))
  const openResult = typeof found === 'number' ? found : checkOpen(state, found.row)
  batch.result[ticket] = openResult
  if (typeof found === 'number' || openResult !== Result.Accepted) return
  const { row, invited } = found
  const { result, isProviderFailure, fillId } = executeQuote(state, row, invited)
  if (isProviderFailure) endIfIdle(state, row)
  batch.result[ticket] = isProviderFailure ? Result.QuoteNotBorne : result
  if (result !== Result.Accepted) {
    if (!isProviderFailure) batch.details.set(failureDetails, batch.beginDetails(ticket))
    return
  }
  factsOfNothing(command, none, facts)
  facts.fillId = fillId
  facts.rfqStatus = RfqStatus.Executed
  acceptAction(state, batch, ticket, Result.Accepted, facts, 0)
  answerNow(state, batch, ticket, Result.Accepted, 0, facts)
}

/** @returns the quote, or the error. Another wallet's request is unknown to the account. */
function find(
  state: CoreState,
  account: number,
  { netPremiumMicros, quoteIdAt, rfqIdAt, u8 }: AcceptRfqQuoteCommand,
): AcceptableQuote | Result {
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
    const isExpired = row.invited.some(({ expiredIds }) => expiredIds.some(isNamed))
    return isExpired ? Result.QuoteExpired : Result.QuoteUnknown
  }
  if (invited.quote.expiresMillis < nowMillis) return Result.QuoteExpired
  // A signature over another premium is not valid for this quote.
  return invited.quote.netPremiumMicros === netPremiumMicros
    ? { row, invited }
    : Result.SignatureFailed
}

/** Returns the error for a request that has ended. */
export function closedAs(status: RfqStatus): Result {
  return status === RfqStatus.Executed ? Result.RfqAlreadyFilled : Result.RfqClosed
}

/** Returns `Accepted` if every leg can trade now. */
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
