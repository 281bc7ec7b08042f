import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandPlan, LoadKind } from '../../../bench/load/command-plan.js'
import { OrderLedger } from '../../../bench/load/order-ledger.js'
import { cancelAll, readVenueState, reconcile } from '../../../bench/load/reconcile.js'
import { RateLimitError } from '../../../gateway/client/client-error.js'
import { RestClient } from '../../../gateway/client/rest-client.js'
import { createSigner } from '../../../gateway/client/signer.js'

interface Shown {
  orders: Record<string, unknown>[]
  positions: { symbol: string; amount: string }[]
  bids: [number, number][]
}

/** A venue that shows what a test wants it to. */
class ShownVenue extends RestClient {
  shown: Shown = { orders: [], positions: [], bids: [] }
  canceled: unknown[] = []
  /** Requests that are refused by the rate limit before one is answered. */
  refusals = 0

  constructor() {
    super({ url: 'http://nowhere' })
  }

  override async request<Answer>(
    method: string,
    path: string,
    { query = {}, body }: { query?: Record<string, unknown>; body?: unknown } = {},
  ): Promise<Answer> {
    if (this.refusals-- > 0) throw new RateLimitError('wait', 0.001, 1, {})
    if (method === 'DELETE') this.canceled.push(...(body as unknown[]))
    const { orders, positions, bids } = this.shown
    const { offset, limit } = query as { offset: number; limit: number }
    assert.ok(path !== '/orders' || query['status'] === 'open')
    const answers: Record<string, unknown> = {
      '/orders': { data: orders.slice(offset, offset + limit) },
      '/portfolio': { data: { positions } },
      '/orderbook': { result: { bids, asks: [] } },
      '/bulk_order': [],
    }
    return answers[path] as Answer
  }
}

const row = { order_id: 7, price: '5', size: '2', filled_size: '0.5', status: 'partially_filled' }

/** One wallet with one order of 2 at 5, filled by a quarter, and the venue showing just that. */
async function soundRun() {
  const plan = new CommandPlan(1)
  plan.kind.set([LoadKind.Place])
  plan.priceMicros.fill(5_000_000)
  plan.sizeLots.fill(200_000_000)
  const ledger = new OrderLedger(plan, 't-', 1, 1)
  const update = { type: 'OrderUpdate', client_id: 't-0', order_id: 7 }
  ledger.sent(0)
  ledger.answered(0, 0, { status: 'ACKED', code: '', orderId: 7, filledLots: 0 })
  ledger.onOrderUpdate({ ...update, status: 'OPEN', filled_size: '0' })
  ledger.onFill({ type: 'Fill', order_id: 7, side: 'Buy', size: '0.5', price: '5', trade_id: 1 })
  ledger.onOrderUpdate({ ...update, status: 'PARTIALLY_FILLED', filled_size: '0.5' })
  ledger.settleEarlyFills()
  const rest = new ShownVenue()
  const parts = { rest, wallets: ['0xaa'], symbols: ['A'] }
  rest.shown.positions = [{ symbol: 'A', amount: '-1' }]
  const before = await readVenueState(parts)
  rest.shown = {
    orders: [{ ...row }],
    positions: [{ symbol: 'A', amount: '-0.5' }],
    bids: [[5, 1.5]],
  }
  return { rest, look: () => reconcile(parts, ledger, before) }
}

test('a venue that shows the actual trades is reconciled, also over rate limits', async () => {
  const { rest, look } = await soundRun()
  rest.refusals = 3
  assert.deepEqual(await look(), [])
})

const lies: readonly (readonly [string, (shown: Shown) => void, RegExp])[] = [
  [
    'a position that is not there',
    (shown) => shown.positions.pop(),
    /position of 0xaa in A: 0 lots, its fills make -50000000/,
  ],
  [
    'an order that is not listed',
    (shown) => shown.orders.pop(),
    /order 7 of command 0: works on the stream, is not listed/,
  ],
  [
    'an order listed with another fill',
    (shown) => {
      shown.orders[0]['filled_size'] = '0.6'
    },
    /order 7 of command 0: listed as 2 @ 5, filled 0.6/,
  ],
  [
    'an order that nobody placed',
    (shown) => shown.orders.push({ ...row, order_id: 8 }),
    /order 8: listed, but not known here/,
  ],
  [
    'a level that is too thin',
    (shown) => {
      shown.bids = [[5, 1.4]]
    },
    /book of A, bid 5: 140000000 lots, our orders make 150000000/,
  ],
]

for (const [what, lie, found] of lies) {
  test(`${what} is found`, async () => {
    const { rest, look } = await soundRun()
    lie(rest.shown)
    assert.match((await look()).join('\n'), found)
  })
}

test('other wallets may add to a level after one of them has traded with ours', async () => {
  const { rest, look } = await soundRun()
  rest.shown.bids = [
    [5, 9],
    [4, 1],
  ]
  assert.deepEqual(await look(), [])
})

test('all working orders are cancelled, page by page, in bodies of fifty', async () => {
  const rest = new ShownVenue()
  const count = 130
  rest.shown.orders = Array.from({ length: count }, (_, i) => ({
    ...row,
    order_id: i + 1,
    status: i % 2 === 0 ? 'open' : 'partially_filled',
  }))
  const signer = createSigner(`${'0'.repeat(63)}1`)
  const domain = { name: 'Strikebook', version: '1', chainId: 31_337 }
  let nonce = 0
  const context = { domain, signer, wallet: signer.address }
  assert.equal(await cancelAll(rest, [context], () => ++nonce), count)
  assert.equal(rest.canceled.length, count)
})
