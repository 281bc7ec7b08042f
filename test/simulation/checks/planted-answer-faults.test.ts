import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EventSink, unheard } from '../../../engine/state/event-sink.js'
import { EventType, RefusalEvent } from '../../../schemas/generated/events.js'
import { firstFailing, onlyWith } from '../../support/planted-fault.js'
import type { Seams } from '../simulated-exchange.js'

// Each test makes answers and streams report two different orders of events, which the simulator must find.

/** Runs without crashes, which these faults do not need. */
function failureOf(seams: Seams): string {
  return firstFailing({ steps: 200, seams, without: onlyWith() }).what
}

test("the simulator finds answers whose sequence differs from the streams'", () => {
  const what = failureOf({
    disturb: ({ orders }) => {
      // A single byte, so that sequences wrap.
      orders.publishedSeq = new Uint8Array(
        orders.publishedSeq.length,
      ) as unknown as typeof orders.publishedSeq
    },
  })
  assert.match(what, /order \d+ was last published at \d+, its answer says \d+/)
})

test("the simulator finds a rejection that the wallet's stream does not report", (context) => {
  const { tryClaim } = EventSink.prototype
  context.mock.method(
    EventSink.prototype,
    'tryClaim',
    function (this: EventSink, bytes: number, type: number) {
      const isRejection = type === EventType.OrderUpdate && bytes === RefusalEvent.bytes
      return isRejection ? unheard : tryClaim.call(this, bytes, type)
    },
  )
  assert.match(
    failureOf({}),
    /the rejection answered at \d+ was published at \w+, its answer says \d+/,
  )
})
