import { assert } from '../../schemas/assert.js'
import { commandsPerBatchMax } from '../../schemas/bounds.js'
import { bulkCountAt, bulkItemsAt, commandWalletAt, isSigned } from '../../schemas/commands.js'
import { factsListedStateAt, factsWalletAt } from '../../schemas/events.js'
import { CommandType } from '../../schemas/generated/commands.js'
import { OutcomeFlag } from '../../schemas/record-values.js'
import type { RecordViews } from '../../schemas/record-views.js'
import { Result, resultRows } from '../../schemas/results.js'
import { recordBytesAt, recordTypeAt } from '../memory/layout.js'
import { FactsScratch, factsOfNothing } from '../publish/publish-orders.js'
import type { Batch } from '../state/batch.js'
import type { CoreState } from '../state/core-state.js'
import { answerEarlier, answerNow } from './answer.js'
import { cancelClosing } from './cancel-closing.js'
import { decideMarket } from './decide-market.js'
import { decideSigned, mustWait } from './decide-signed.js'
import { MarketOutcome } from './market-outcome.js'

const facts = new FactsScratch()
const market = new MarketOutcome()

/**
 * Decides one command as far as the core alone can: refuses it, carries it out, or sends it to a matcher.
 * @returns false when it depends on something still undecided in this batch, or has no room in it: then nothing
 * has happened, and the batch is closed before it.
 */
export function decide(state: CoreState, batch: Batch, views: RecordViews, at: number): boolean {
  const type = views.i32[(at + recordTypeAt) >> 2]
  if (!isSigned(type)) {
    if (batch.undecided > 0) return false
    decideOperator(state, batch, views, at, type)
  } else if (type === CommandType.Bulk) {
    if (!hasRoomForBulk(state, batch, views, at)) return false
    decideBulk(state, batch, views, at)
  } else {
    if (mustWait(state, batch, views, at, type)) return false
    decideSigned(state, batch, views, at, type, false)
  }
  batch.addRecord(views, at)
  return true
}

function decideOperator(
  state: CoreState,
  batch: Batch,
  views: RecordViews,
  at: number,
  type: number,
): void {
  const ticket = batch.add(views, at, type, -1)
  answerEarlier(state, batch, ticket)
  const result = decideMarket(state, views, at, type, market)
  // What a delisting cancels is told before its answer, whose sequence clients wait for.
  if (type === CommandType.DeleteInstrument) cancelClosing(state, batch)
  factsOfNothing(views.u8, at + commandWalletAt, market.instrument, facts)
  if (type === CommandType.ListInstrument && market.instrument >= 0) {
    facts.i32[factsListedStateAt >> 2] = state.instruments.state[market.instrument]
  }
  if (result !== Result.Accepted) {
    state.rejectCounts[-result]++
    if (market.account >= 0) {
      state.accounts.addresses.writeWords(market.account, facts.i32, factsWalletAt >> 2)
    }
  }
  if (resultRows[result].details !== undefined) {
    batch.details.set(market.details, batch.beginDetails(ticket))
  }
  const flags = market.repeat ? OutcomeFlag.Repeat : 0
  answerNow(state, batch, ticket, result, flags, facts)
}

/** Whether all items fit into the batch, and none names what the commands before the bulk have left undecided. */
function hasRoomForBulk(state: CoreState, batch: Batch, views: RecordViews, at: number): boolean {
  const count = views.i32[(at + bulkCountAt) >> 2]
  if (batch.count + count > commandsPerBatchMax) return false
  let item = at + bulkItemsAt
  for (let i = 0; i < count; i++) {
    if (mustWait(state, batch, views, item, views.i32[(item + recordTypeAt) >> 2])) return false
    item += views.i32[(item + recordBytesAt) >> 2]
  }
  return true
}

/** Decides the items of a bulk in order, each with a ticket of its own; none of them waits for another. */
function decideBulk(state: CoreState, batch: Batch, views: RecordViews, at: number): void {
  const count = views.i32[(at + bulkCountAt) >> 2]
  let item = at + bulkItemsAt
  for (let i = 0; i < count; i++) {
    const type = views.i32[(item + recordTypeAt) >> 2]
    assert(type <= CommandType.CancelByClientId, 'bulk: items are orders and cancels')
    decideSigned(state, batch, views, item, type, true)
    item += views.i32[(item + recordBytesAt) >> 2]
  }
}
