import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EventLogReader } from '../../../../engine/memory/event-log.js'
import { logReaders } from '../../../../engine/memory/exchange-memory.js'
import { engineConfigDefault } from '../../../../engine/state/engine-config.js'
import { visitEvents } from '../../../../gateway/link/catch-up.js'
import { liveQuotes, RfqBook } from '../../../../gateway/link/rfq-book.js'
import { EventViews } from '../../../../gateway/read-model/views/event-views.js'
import { GatewayTables } from '../../../../gateway/read-model/views/gateway-tables.js'
import { RfqStatus } from '../../../../schemas/domain.js'
import { RfqQuoteChange } from '../../../../schemas/record-values.js'
import { viewsOf } from '../../../../schemas/record-views.js'
import { EventScript, smallMemory, walletOf } from '../../../support/events.js'
import { followEvents } from '../../../support/follow-events.js'
import { rfqUuid, tellQuote, tellRfq } from '../../../support/rfq-script.js'

const wallet = walletOf(1)

/** The book of a gateway that goes on from what the tables say behind these events. */
function handedOver(write: (script: EventScript) => void): RfqBook {
  const memory = smallMemory()
  const script = new EventScript(memory, 1000)
  script.bootstrap()
  write(script)
  script.commit()
  const views = new EventViews(engineConfigDefault)
  const tables = new GatewayTables()
  followEvents(new EventLogReader(memory.eventLog, logReaders.readModel), (event) => {
    views.apply(event)
    tables.take(event)
  })
  const { records } = JSON.parse(tables.answer(views, 0).body)
  const bytes = new Uint8Array(Buffer.from(records, 'base64'))
  const book = new RfqBook()
  visitEvents(viewsOf(bytes.buffer), (event) => book.take(event))
  return book
}

test('open requests are handed over with who is invited and what is live', () => {
  const rfqId = rfqUuid(1)
  const book = handedOver((script) => {
    tellRfq(script, { rfqId, wallet, status: RfqStatus.Created })
    const invited = { rfqId, pricesMicros: [], change: RfqQuoteChange.Invited }
    tellQuote(script, { ...invited, quoteId: rfqUuid(0) })
    tellRfq(script, { rfqId, wallet, status: RfqStatus.SentToQps })
    tellQuote(script, { rfqId, quoteId: rfqUuid(2) })
    tellQuote(script, { rfqId, quoteId: rfqUuid(3), netPremiumMicros: 5 })
    tellQuote(script, { rfqId, quoteId: rfqUuid(2), change: RfqQuoteChange.Expired })
    tellRfq(script, { rfqId, wallet, status: RfqStatus.QuotesReceived })
  })
  const rfq = book.find(rfqId)!
  assert.deepEqual([rfq.status, rfq.wallet], [RfqStatus.QuotesReceived, wallet])
  assert.deepEqual([...rfq.invited], [walletOf(0x99)])
  assert.deepEqual(
    liveQuotes(rfq).map(({ id, netPremiumMicros }) => [id, netPremiumMicros]),
    [[rfqUuid(3), 5]],
  )
})

test('of requests that have ended nothing is handed over', () => {
  const book = handedOver((script) => {
    tellRfq(script, { rfqId: rfqUuid(1), wallet, status: RfqStatus.SentToQps })
    tellRfq(script, { rfqId: rfqUuid(1), wallet, status: RfqStatus.Expired })
  })
  assert.equal(book.find(rfqUuid(1)), undefined)
})
