import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RfqKind } from '../../../schemas/domain.js'
import {
  AnyCommand,
  CancelOrderCommand,
  CommandType,
  QuoteRfqCommand,
} from '../../../schemas/generated/commands.js'
import { EventType, OutcomeEvent, RfqEvent } from '../../../schemas/generated/events.js'
import { type RecordSink, viewsOf } from '../../../schemas/record-views.js'
import { formatUuid, uuidOf } from '../../../schemas/uuid.js'
import { RunIds } from '../../../scripts/venue-data/run-ids.js'

/** Room for one record. */
function sink(): RecordSink {
  const views = viewsOf(new ArrayBuffer(1024))
  const tryClaim = (bytes: number, type: number) => {
    views.i32[0] = bytes
    views.i32[1] = type
    return 0
  }
  return { views, tryClaim }
}

function noteOrder(ids: RunIds, batchNumber: number, request: number, orderId: number): void {
  const outcome = new OutcomeEvent()
  outcome.claim(sink(), EventType.Outcome)
  Object.assign(outcome.clear(), { gateway: 1, request, command: CommandType.PlaceOrder })
  outcome.facts.orderId = orderId
  ids.batchNumber = batchNumber
  ids.note(outcome)
}

function noteAuction(ids: RunIds, id: Uint8Array): void {
  const event = new RfqEvent()
  event.claim(sink(), RfqEvent.bytesWith(0))
  Object.assign(event.clear(), { kind: RfqKind.Auction, createdMillis: 1000 })
  event.u8.set(id, event.rfqIdAt)
  ids.batchNumber = 5
  ids.take(event.views, event.at)
}

test('an order has the id of the run, found by its command', () => {
  const [was, is] = [new RunIds(), new RunIds()]
  noteOrder(was, 5, 7, 64)
  noteOrder(was, 6, 7, 128)
  noteOrder(is, 5, 7, 128)
  assert.equal(is.translated(64, was), 128)
  assert.equal(is.translated(3, was), 3, 'one of before is the same in both')
  assert.ok(is.translated(128, was) > 2 ** 50, 'one that was never accepted is none')
})

test('a cancel concerns the same order in the other run', () => {
  const [was, is] = [new RunIds(), new RunIds()]
  noteOrder(was, 5, 7, 64)
  noteOrder(is, 5, 7, 192)
  const cancel = new CancelOrderCommand()
  cancel.claim(sink())
  cancel.orderId = 64
  is.translate(new AnyCommand().of(cancel), was)
  assert.equal(cancel.orderId, 192)
})

test('a provider answers the same auction in the other run, and none if it never began', () => {
  const [was, is] = [new RunIds(), new RunIds()]
  const ids = [uuidOf(1000, 1), uuidOf(1000, 2)] as const
  noteAuction(was, ids[0])
  noteAuction(is, ids[1])
  const answer = new QuoteRfqCommand()
  answer.claim(sink(), QuoteRfqCommand.bytesWith(0))
  answer.u8.set(ids[0], answer.rfqIdAt)
  is.translate(new AnyCommand().of(answer), was)
  assert.equal(formatUuid(answer.u8, answer.rfqIdAt), formatUuid(ids[1], 0))
  answer.u8.set(ids[0], answer.rfqIdAt)
  new RunIds().translate(new AnyCommand().of(answer), was)
  assert.equal(formatUuid(answer.u8, answer.rfqIdAt), formatUuid(new Uint8Array(16), 0))
})
