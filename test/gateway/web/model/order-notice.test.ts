import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  answerNotice,
  fillNotice,
  orderNotice,
} from '../../../../gateway/web/model/order-notice.js'

const symbol = 'BTC-20270326-100000-C'
const terms = { side: 'Buy', size: '0.2', symbol, price: '1250' } as const
const fed = { fills: true, cancellations: true }
const accepted = { status: 'ACKED', reason: null } as const

test('one fill is one notice, with the price and size of the fill', () => {
  for (const status of ['FILLED', 'PARTIALLY_FILLED'] as const) {
    const filled = { status, reason: null }
    const notices = [
      ...[
        answerNotice(filled, terms, fed),
        answerNotice(filled, terms, { ...fed, cancellations: false }),
      ],
      ...[orderNotice({ ...terms, ...filled }), fillNotice({ ...terms, price: '1240' })],
    ]
    assert.deepEqual(
      notices.filter((notice) => notice !== null),
      [{ tone: 'good', text: 'Bought 0.2 BTC 26 Mar 27 100,000 call at 1240' }],
    )
  }
  assert.match(fillNotice({ ...terms, side: 'Sell' }).text, /^Sold 0\.2 /)
})

test('the answer reports a fill that the feed of fills misses', () => {
  const notice = answerNotice({ status: 'FILLED' }, terms, { ...fed, fills: false })
  assert.match(notice!.text, /^Filled: Buy 0\.2 .+ at 1250$/)
})

test('a cancellation is one notice: that of the stream, or of the answer while the stream is down', () => {
  const canceled = { status: 'CANCELED', reason: 'no liquidity' } as const
  assert.equal(answerNotice(canceled, terms, fed), null)
  const answered = answerNotice(canceled, terms, { ...fed, cancellations: false })
  assert.match(answered!.text, /^Canceled: Buy 0\.2 .+ at 1250$/)
  assert.equal(
    orderNotice({ ...terms, ...canceled })!.text,
    'Canceled: Buy 0.2 BTC 26 Mar 27 100,000 call (no liquidity)',
  )
})

test('only the answer reports that an order works or was rejected', () => {
  assert.match(answerNotice(accepted, terms, fed)!.text, /^Order accepted: Buy 0\.2 /)
  assert.equal(orderNotice({ ...terms, ...accepted }), null)
  const rejected = { status: 'REJECTED', reason: 'Price outside band' } as const
  const notice = answerNotice(rejected, terms, fed)
  assert.equal(notice!.tone, 'bad')
  assert.match(notice!.text, /^Rejected: .+ at 1250\. Price outside band$/)
  assert.equal(orderNotice({ ...terms, ...rejected }), null)
})
