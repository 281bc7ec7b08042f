import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { EventScript, smallMemory, walletOf } from '../../../../bench/event-script.js'
import { engineConfigDefault } from '../../../../engine/state/market/engine-config.js'
import { quotePremiumQuestion } from '../../../../gateway/link/read-protocol.js'
import {
  HistoryQueries,
  type HistoryRules,
} from '../../../../gateway/read-model/history/history-query.js'
import { HistoryWriter } from '../../../../gateway/read-model/history/history-writer.js'
import { RfqKind, RfqStatus } from '../../../../schemas/domain.js'
import { RfqChange, RfqQuoteChange } from '../../../../schemas/record-values.js'
import { Result } from '../../../../schemas/results.js'
import { testExpiryMillis, testSymbol } from '../../../support/gateway-rig.js'
import { otherSymbol } from '../../../support/hub-rig.js'
import { emitComboFill, emitQuote, emitRfq, noTaker, rfqUuid } from '../../../support/rfq-script.js'

const start = 1_000_000
const wallet = walletOf(1)
const [rfqId, quoteId] = [rfqUuid(1), rfqUuid(2)]
const request = { rfqId, wallet, createdMillis: start }

/** Asks a store that has taken in what `write` says. */
function withStore(
  write: (script: EventScript) => void,
  // biome-ignore lint/suspicious/noExplicitAny: the wire has no types
  use: (ask: (path: string, query?: string, nowMillis?: number) => any) => void,
  rules: HistoryRules = {},
): void {
  const dataDir = mkdtempSync(join(tmpdir(), 'history-'))
  try {
    const memory = smallMemory()
    const script = new EventScript(memory, start)
    const writer = new HistoryWriter(memory, dataDir, engineConfigDefault, () => 0)
    writer.onStart()
    script.instrument(0, testSymbol, 0, testExpiryMillis)
    script.instrument(1, otherSymbol, 0, testExpiryMillis)
    write(script)
    script.commit()
    writer.onClose()
    const queries = new HistoryQueries(dataDir, rules)
    use((path, query = '', nowMillis = start) => {
      const { status, body } = queries.answer({ path, query, nowMillis })
      return { status, ...JSON.parse(body), http: status }
    })
    queries.close()
  } finally {
    rmSync(dataDir, { recursive: true })
  }
}

function quoted(script: EventScript): void {
  emitRfq(script, { ...request, status: RfqStatus.Created })
  emitRfq(script, { ...request, status: RfqStatus.SentToQps })
  emitQuote(script, { rfqId, quoteId, netPremiumMicros: 2_000_000 })
  emitRfq(script, { ...request, status: RfqStatus.QuotesReceived })
  emitQuote(script, { rfqId, quoteId: rfqUuid(3), netPremiumMicros: 3_000_000 })
  emitQuote(script, { rfqId, quoteId: rfqUuid(4), netPremiumMicros: 9_000_000 })
  emitQuote(script, { rfqId, quoteId: rfqUuid(4), change: RfqQuoteChange.Withdrawn })
}

test('the taker sees live quotes as they arrive, the best first, with their prices by leg', () => {
  withStore(quoted, (ask) => {
    const { as_of_seq, quotes, http, ...rest } = ask(`/rfq/${rfqId}`, `wallet=${wallet}`)
    assert.equal(http, 200)
    assert.equal(as_of_seq, 9)
    assert.deepEqual(rest, {
      rfq_id: rfqId,
      status: 'quotes_received',
      underlying: 'BTC',
      legs: [
        { instrument: testSymbol, side: 'Buy', size: '1' },
        { instrument: otherSymbol, side: 'Sell', size: '2' },
      ],
      created_at: start,
      expires_at: start + 30_000,
    })
    assert.deepEqual(
      quotes.map((quote: { quote_id: string }) => quote.quote_id),
      [rfqUuid(3), quoteId],
    )
    assert.deepEqual(quotes[1], {
      quote_id: quoteId,
      net_premium: '2',
      legs: [
        { instrument: testSymbol, side: 'Buy', price: '1', size: '1' },
        { instrument: otherSymbol, side: 'Sell', price: '2', size: '2' },
      ],
      expires_at: start + 10_000,
    })
  })
})

test('others see quotes once no provider can replace its own', () => {
  withStore(quoted, (ask) => {
    const count = (query: string, nowMillis: number) =>
      ask(`/rfq/${rfqId}`, query, nowMillis).quotes.length
    assert.equal(count('', start + 5000), 0)
    assert.equal(count(`wallet=${walletOf(2)}`, start + 5000), 0)
    assert.equal(count('', start + 5001), 2)
    assert.equal(count(`wallet=${walletOf(2)}`, start + 5001), 2)
  })
})

test('with signed reads a request is visible only to its taker', () => {
  const write = (script: EventScript) => {
    quoted(script)
    emitRfq(script, { ...request, status: RfqStatus.Executed, quoteId, fillId: 6 })
  }
  const use: Parameters<typeof withStore>[1] = (ask) => {
    for (const query of ['', `wallet=${walletOf(2)}`]) {
      assert.equal(ask(`/rfq/${rfqId}`, query, start + 5001).http, 404)
    }
    assert.equal(ask(`/rfq/${rfqId}`, `wallet=${wallet}`).quotes.length, 2)
  }
  withStore(write, use, { hidesWallets: true })
})

test('an ended request states its end, and keeps the quotes that were live then', () => {
  const write = (script: EventScript) => {
    quoted(script)
    emitComboFill(script, wallet, 13, rfqId, quoteId)
    emitQuote(script, { rfqId, quoteId, change: RfqQuoteChange.Executed })
    emitRfq(script, { ...request, status: RfqStatus.Executed, quoteId, fillId: 6 })
  }
  withStore(write, (ask) => {
    const { status, fill_id, reason, quotes } = ask(`/rfq/${rfqId.toUpperCase()}`)
    assert.deepEqual([status, fill_id, reason, quotes.length], ['executed', '6', null, 2])
    const [fill] = ask('/fills', `wallet=${wallet}`).data
    assert.deepEqual(fill.fill_source, { type: 'rfq', rfq_id: rfqId, quote_id: quoteId })
  })
})

test('an auction is in no list, and its quotes are not found; its fills name both', () => {
  const write = (script: EventScript) => {
    const auction = { ...request, kind: RfqKind.Auction }
    emitRfq(script, { ...auction, status: RfqStatus.Created })
    emitQuote(script, { rfqId, quoteId, taker: noTaker })
    emitComboFill(script, wallet, 13, rfqId, quoteId)
    emitRfq(script, { ...auction, status: RfqStatus.Executed, quoteId, fillId: 6 })
  }
  withStore(write, (ask) => {
    assert.equal(ask(`/rfq/${rfqId}`, `wallet=${wallet}`).http, 404)
    assert.deepEqual(ask('/rfq', `wallet=${wallet}`).rfqs, [])
    const premium = ask(quotePremiumQuestion, `rfq_id=${rfqId}&quote_id=${quoteId}`)
    assert.equal(premium.data, null)
    const [fill] = ask('/fills', `wallet=${wallet}`).data
    assert.deepEqual(fill.fill_source, { type: 'rfq', rfq_id: rfqId, quote_id: quoteId })
  })
})

test('an unknown request is 404 without an envelope', () => {
  withStore(quoted, (ask) => {
    const { http, code, success } = ask(`/rfq/${rfqUuid(9)}`)
    assert.deepEqual([http, code, success], [404, 'not_found', undefined])
    assert.equal(ask('/rfq/none').http, 404)
    assert.equal(ask(`/rfq/${rfqId}`, 'wallet=0x1').code, 'invalid_wallet')
  })
})

test('a wallet lists its requests, newest first, by status and in pages', () => {
  const write = (script: EventScript) => {
    quoted(script)
    const later = { wallet, status: RfqStatus.NoQuotes, reason: Result.RfqNoProvider }
    for (const number of [5, 6]) emitRfq(script, { ...later, rfqId: rfqUuid(number) })
    emitRfq(script, { ...later, rfqId: rfqUuid(7), wallet: walletOf(2) })
  }
  withStore(write, (ask) => {
    const idsOf = (query: string) =>
      ask('/rfq', `wallet=${wallet}&${query}`).rfqs.map((row: { rfq_id: string }) => row.rfq_id)
    assert.deepEqual(idsOf(''), [rfqUuid(6), rfqUuid(5), rfqId])
    assert.deepEqual(idsOf('status=no_quotes&limit=1&offset=1'), [rfqUuid(5)])
    const [row] = ask('/rfq', `wallet=${wallet}`).rfqs
    assert.deepEqual([row.reason, row.reason_code], ['No quote provider is connected', 'no_quotes'])
    assert.equal(ask('/rfq', `wallet=${wallet}&status=open`).code, 'invalid_parameter')
    assert.equal(ask('/rfq').code, 'missing_field')
  })
})

test('events published again at a start change nothing, and a reused id is another request', () => {
  const write = (script: EventScript) => {
    quoted(script)
    script.bootstrapBegin()
    emitRfq(script, { ...request, status: RfqStatus.QuotesReceived, change: RfqChange.Bootstrap })
    emitQuote(script, { rfqId, quoteId, change: RfqQuoteChange.Bootstrap })
    script.bootstrapEnd()
    emitRfq(script, { rfqId: rfqUuid(5), wallet, status: RfqStatus.NoQuotes })
  }
  withStore(write, (ask) => {
    const { rfqs } = ask('/rfq', `wallet=${wallet}`)
    assert.deepEqual([rfqs[1].rfq_id, rfqs[1].quotes.length], [rfqId, 2])
  })
  const again = (script: EventScript) => {
    write(script)
    script.timeMillis += 60_000
    emitRfq(script, { rfqId, wallet: walletOf(2), status: RfqStatus.SentToQps })
  }
  withStore(again, (ask) => {
    const { rfqs } = ask('/rfq', `wallet=${walletOf(2)}`)
    assert.deepEqual([rfqs[0].rfq_id, rfqs[0].quotes.length], [rfqId, 0])
    assert.equal(ask('/rfq', `wallet=${wallet}`).rfqs.length, 1)
  })
})
