import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AnyCommand, CancelOrderCommand, CommandType } from '../../../schemas/generated/commands.js'
import { EventType, OutcomeEvent } from '../../../schemas/generated/events.js'
import { type RecordSink, viewsOf } from '../../../schemas/record-views.js'
import { OrderIds } from '../../../scripts/venue-data/order-ids.js'

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

function noteOrder(ids: OrderIds, batchNumber: number, request: number, orderId: number): void {
  const outcome = new OutcomeEvent()
  outcome.claim(sink(), EventType.Outcome)
  Object.assign(outcome.clear(), { gateway: 1, request, command: CommandType.PlaceOrder })
  outcome.facts.orderId = orderId
  ids.batchNumber = batchNumber
  ids.note(outcome)
}

test('an order has the id of the run, by the command that it came by', () => {
  const [was, is] = [new OrderIds(), new OrderIds()]
  noteOrder(was, 5, 7, 64)
  noteOrder(was, 6, 7, 128)
  noteOrder(is, 5, 7, 128)
  assert.equal(is.translated(64, was), 128)
  assert.equal(is.translated(3, was), 3, 'one of before is the same in both')
  assert.ok(is.translated(128, was) > 2 ** 50, 'one that was never accepted is none')
})

test('a cancel is about the same order in the other run', () => {
  const [was, is] = [new OrderIds(), new OrderIds()]
  noteOrder(was, 5, 7, 64)
  noteOrder(is, 5, 7, 192)
  const cancel = new CancelOrderCommand()
  cancel.claim(sink())
  cancel.orderId = 64
  is.translate(new AnyCommand().of(cancel), was)
  assert.equal(cancel.orderId, 192)
})
