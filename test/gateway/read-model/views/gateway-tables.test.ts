import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EventScript, smallMemory, walletOf } from '../../../../bench/event-script.js'
import { followEvents } from '../../../../bench/follow-events.js'
import { EventLogReader } from '../../../../engine/memory/event-log.js'
import { logReaders } from '../../../../engine/memory/exchange-memory.js'
import { engineConfigDefault } from '../../../../engine/state/market/engine-config.js'
import { WalletDirectory } from '../../../../gateway/limits/wallet-directory.js'
import { visitEvents } from '../../../../gateway/link/catch-up.js'
import { liveQuotes, RfqBook } from '../../../../gateway/link/rfq-book.js'
import { EventViews } from '../../../../gateway/read-model/views/event-views.js'
import { GatewayTables } from '../../../../gateway/read-model/views/gateway-tables.js'
import { RfqStatus, Tier } from '../../../../schemas/domain.js'
import { type AnyEvent, EventType, ProviderEvent } from '../../../../schemas/generated/events.js'
import { AgentChange, ProviderChange, RfqQuoteChange } from '../../../../schemas/record-values.js'
import { viewsOf } from '../../../../schemas/record-views.js'
import { formatAddress } from '../../../../schemas/wallet.js'
import { emitProvider, emitQuote, emitRfq, rfqUuid } from '../../../support/rfq-script.js'

const wallet = walletOf(1)

/** Gives a gateway the tables after these events. */
function handedOver(write: (script: EventScript) => void, take: (event: AnyEvent) => void): void {
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
  visitEvents(viewsOf(bytes.buffer), take)
}

/** The book of such a gateway. */
function bookHandedOver(write: (script: EventScript) => void): RfqBook {
  const book = new RfqBook()
  handedOver(write, (event) => book.take(event))
  return book
}

test('the tables contain open requests with their invited providers and live quotes', () => {
  const rfqId = rfqUuid(1)
  const book = bookHandedOver((script) => {
    emitRfq(script, { rfqId, wallet, status: RfqStatus.Created })
    const invited = { rfqId, pricesMicros: [], change: RfqQuoteChange.Invited }
    emitQuote(script, { ...invited, quoteId: rfqUuid(0) })
    emitRfq(script, { rfqId, wallet, status: RfqStatus.SentToQps })
    emitQuote(script, { rfqId, quoteId: rfqUuid(2) })
    emitQuote(script, { rfqId, quoteId: rfqUuid(3), netPremiumMicros: 5 })
    emitQuote(script, { rfqId, quoteId: rfqUuid(2), change: RfqQuoteChange.Expired })
    emitRfq(script, { rfqId, wallet, status: RfqStatus.QuotesReceived })
  })
  const rfq = book.find(rfqId)!
  assert.deepEqual([rfq.status, rfq.wallet], [RfqStatus.QuotesReceived, wallet])
  assert.deepEqual([...rfq.invited], [walletOf(0x99)])
  assert.deepEqual(
    liveQuotes(rfq).map(({ id, netPremiumMicros }) => [id, netPremiumMicros]),
    [[rfqUuid(3), 5]],
  )
})

test('the tables contain no ended requests', () => {
  const book = bookHandedOver((script) => {
    emitRfq(script, { rfqId: rfqUuid(1), wallet, status: RfqStatus.SentToQps })
    emitRfq(script, { rfqId: rfqUuid(1), wallet, status: RfqStatus.Expired })
  })
  assert.equal(book.find(rfqUuid(1)), undefined)
})

test('the tables contain providers in their current state, and end none of their sessions', () => {
  const providers: unknown[] = []
  const event = new ProviderEvent()
  handedOver(
    (script) => {
      const connected = { change: ProviderChange.Connected, gateway: 0, session: 3, sessions: 1 }
      emitProvider(script, wallet, 7, connected)
      emitProvider(script, walletOf(2), 8, { change: ProviderChange.Left, gateway: 0, session: 4 })
    },
    (record) => {
      if (record.recordType !== EventType.Provider) return
      const { account, change, sessions, u8, walletAt } = event.of(record)
      providers.push([account, formatAddress(u8, walletAt), change, sessions])
    },
  )
  const { Bootstrap } = ProviderChange
  assert.deepEqual(providers, [
    [7, wallet, Bootstrap, 1],
    [8, walletOf(2), Bootstrap, 0],
  ])
})

test('the tables contain API wallets under their names', () => {
  const directory = new WalletDirectory()
  const { Approved, Revoked } = AgentChange
  const write = (script: EventScript) => {
    script.account({ account: 0, wallet, cashMicros: 1, tier: Tier.Default })
    script.apiWallet(Approved, wallet, walletOf(7), 1)
    script.apiWallet(Approved, wallet, walletOf(8), 2)
    script.apiWallet(Revoked, wallet, walletOf(8), 2)
  }
  handedOver(write, (event) => directory.onEvent(event))
  assert.equal(directory.isApiWallet(wallet, walletOf(7)), true)
  assert.equal(directory.isApiWallet(wallet, walletOf(8)), false)
})
