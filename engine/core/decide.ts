import { assert } from '../../schemas/assert.js'
import { commandsPerBatchMax } from '../../schemas/bounds.js'
import type { InstrumentState } from '../../schemas/domain.js'
import { AnyCommand, BulkCommand, CommandType } from '../../schemas/generated/commands.js'
import { isSigned } from '../../schemas/record-rules/commands.js'
import { OutcomeFlag } from '../../schemas/record-values.js'
import { Result, resultRows } from '../../schemas/results.js'
import { factsOfNothing } from '../publish/publish-orders.js'
import { endStaleAuctions, endStaleRfqs } from '../rfq/rfq-timers.js'
import { ownFacts } from '../state/accounts/kept-results.js'
import type { Batch } from '../state/batch.js'
import type { CoreState } from '../state/core-state.js'
import { decideSigned, mustWait } from './decide-signed.js'
import { decideMarket } from './operator/decide-market.js'
import { cancelClosing } from './orders/cancel-closing.js'
import { decideDecline, decideQuote } from './rfq/decide-rfq-quote.js'
import { answerEarlier, answerNow } from './steps/answer.js'
import { MarketOutcome } from './steps/market-outcome.js'

const facts = ownFacts()
const market = new MarketOutcome()
const bulk = new BulkCommand()
const item = new AnyCommand()

/**
 * Decides one command as far as the core can without a matcher: rejects it, executes it, or sends it to a matcher.
 * @returns false if it depends on something undecided in this batch, or if the batch has no room for it. Nothing has
 * changed then, and the batch closes before it.
 */
export function decide(state: CoreState, batch: Batch, command: AnyCommand): boolean {
  const type = command.recordType
  if (!isSigned(type)) {
    if (batch.undecided > 0) return false
    if (type === CommandType.DeclineRfq) decideDecline(state, batch, command)
    else decideOperator(state, batch, command)
  } else if (type === CommandType.QuoteRfq) {
    if (batch.undecided > 0) return false
    decideQuote(state, batch, command)
  } else if (type === CommandType.Bulk) {
    if (!hasRoomForBulk(state, batch, command)) return false
    decideBulk(state, batch, command)
  } else {
    if (mustWait(state, batch, command)) return false
    decideSigned(state, batch, command, false)
  }
  batch.addRecord(command)
  return true
}

function decideOperator(state: CoreState, batch: Batch, command: AnyCommand): void {
  const type = command.recordType
  const ticket = batch.add(command, -1)
  answerEarlier(state, batch, ticket)
  const result = decideMarket(state, command, market)
  // The cancels of a delisting are published before its answer, because clients wait for the answer's sequence.
  if (type === CommandType.DeleteInstrument) cancelClosing(state, batch)
  endStaleAuctions(state)
  endStaleRfqs(state)
  factsOfNothing(command, market.instrument, facts)
  if (type === CommandType.ListInstrument && market.instrument >= 0) {
    facts.listedState = state.instruments.state[market.instrument] as InstrumentState
  }
  if (type === CommandType.SetCompetition) facts.competitionId = market.competitionId
  if (result !== Result.Accepted) {
    state.rejectCounts[-result]++
    if (market.account >= 0) {
      state.accounts.addresses.writeWords(market.account, facts.i32, facts.walletAt >> 2)
    }
  }
  if (resultRows[result].details !== undefined) {
    batch.details.set(market.details, batch.beginDetails(ticket))
  }
  const flags = market.repeat ? OutcomeFlag.Repeat : 0
  answerNow(state, batch, ticket, result, flags, facts)
}

/** Returns true if all items fit into the batch and none depends on a command before the bulk that is undecided. */
function hasRoomForBulk(state: CoreState, batch: Batch, command: AnyCommand): boolean {
  const { count, itemsAt, views } = bulk.of(command)
  if (batch.count + count > commandsPerBatchMax) return false
  item.over(views, itemsAt)
  for (let i = 0; i < count; i++) {
    if (mustWait(state, batch, item)) return false
    item.over(views, item.at + item.recordBytes)
  }
  return true
}

/** Decides the items of a bulk in order, each with its own ticket; none waits for another. */
function decideBulk(state: CoreState, batch: Batch, command: AnyCommand): void {
  const { count, itemsAt, views } = bulk.of(command)
  item.over(views, itemsAt)
  for (let i = 0; i < count; i++) {
    assert(item.recordType <= CommandType.CancelByClientId, 'bulk: items are orders and cancels')
    decideSigned(state, batch, item, true)
    item.over(views, item.at + item.recordBytes)
  }
}
