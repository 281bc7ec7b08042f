import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { EventScript, smallMemory, walletOf } from '../../../../bench/event-script.js'
import { CounterName, Counters } from '../../../../engine/memory/counters.js'
import { logReaders, wakeupOf } from '../../../../engine/memory/exchange-memory.js'
import { LogCursor } from '../../../../engine/memory/log-cursor.js'
import { engineConfigDefault } from '../../../../engine/state/market/engine-config.js'
import {
  readHistoryEnd,
  recoverHistory,
} from '../../../../gateway/read-model/history/history-end.js'
import { HistoryQueries } from '../../../../gateway/read-model/history/history-query.js'
import { openHistory } from '../../../../gateway/read-model/history/history-schema.js'
import { HistoryWriter } from '../../../../gateway/read-model/history/history-writer.js'
import { underlyingsMax } from '../../../../schemas/bounds.js'
import {
  InstrumentState,
  neverMillis,
  OrderFlag,
  OrderStatus,
  Side,
} from '../../../../schemas/domain.js'
import { AccountChange, InstrumentChange, Signer } from '../../../../schemas/record-values.js'
import { Result } from '../../../../schemas/results.js'

const start = Date.UTC(2026, 5, 1)
const expiry = Date.UTC(2026, 8, 25, 8)
const call = 'BTC-20260925-110000-C'
const put = 'BTC-20260925-90000-P'
const ether = 'ETH-20260925-4000-C'
const alice = walletOf(1)
const bob = walletOf(2)

/** Runs `use` with a store that has taken in what `write` says. */
function withStore(
  write: (script: EventScript) => void,
  use: (queries: HistoryQueries, dataDir: string, rows: number) => void,
): void {
  const dataDir = mkdtempSync(join(tmpdir(), 'history-'))
  try {
    const rows = feed(dataDir, write)
    const queries = new HistoryQueries(dataDir)
    use(queries, dataDir, rows)
    queries.close()
  } finally {
    rmSync(dataDir, { recursive: true })
  }
}

/**
 * Runs the exchange once, with a new log and a writer on the existing store.
 * @returns the reported number of written rows.
 */
function feed(dataDir: string, write: (script: EventScript) => void, seq = 0): number {
  const memory = smallMemory()
  const script = new EventScript(memory, start)
  script.seq = seq
  const writer = new HistoryWriter(memory, dataDir, engineConfigDefault, () => 0)
  writer.onStart()
  write(script)
  const position = script.commit()
  writer.onClose()
  const counters = new Counters(memory.counters, wakeupOf.history)
  const flushedSeq = counters.read(wakeupOf.history, CounterName.HistorySequence)
  assert.equal(flushedSeq, readHistoryEnd(dataDir).seq)
  assert.ok(new LogCursor(memory.eventLog, logReaders.history).hasPassed(position))
  return counters.read(wakeupOf.history, CounterName.HistoryRows)
}

function listings(script: EventScript): void {
  script.indexPrice(0, 100_000_000_000)
  script.instrument(0, call, 0, expiry)
  script.instrument(1, put, 0, expiry)
  script.instrument(2, ether, 1, expiry)
}

interface Body {
  readonly success: boolean
  readonly data: readonly Record<string, unknown>[]
  readonly pagination: { readonly limit: number; readonly offset: number; readonly count: number }
  readonly code?: string
  readonly as_of_seq: number
}

function ask(queries: HistoryQueries, path: string, query: string): Body {
  return JSON.parse(queries.answer({ path, query }).body)
}

function order(script: EventScript, orderId: number, more: object = {}): void {
  script.order({ orderId, wallet: alice, account: 0, instrument: 0, ...more })
}

test('an order row follows its order from acceptance to its fill', () => {
  withStore(
    (script) => {
      listings(script)
      const builder = walletOf(9)
      const flags = OrderFlag.MmpEnabled | OrderFlag.HasBuilder
      const facts = { clientId: 'mine', flags, builder, createdMillis: start }
      order(script, 16, { ...facts, status: OrderStatus.Acked })
      order(script, 16, { ...facts, status: OrderStatus.Open })
      script.timeMillis = start + 1500
      const filled = { filledLots: 50_000_000, filledMicros: 51_000_000 }
      order(script, 16, { ...facts, ...filled, status: OrderStatus.PartiallyFilled })
    },
    (queries) => {
      const body = ask(queries, '/orders', `wallet=${alice}`)
      assert.deepEqual(body.pagination, { limit: 50, offset: 0, count: 1 })
      assert.equal(body.as_of_seq, 7)
      assert.deepEqual(body.data, [
        {
          order_id: 16,
          wallet_address: alice,
          symbol: call,
          side: 'Buy',
          price: '100',
          size: '1',
          tif: 'gtc',
          status: 'partially_filled',
          created_at: start,
          updated_at: '2026-06-01T00:00:01.500Z',
          filled_size: '0.5',
          client_id: 'mine',
          reduce_only: false,
          mmp_enabled: true,
          instrument_type: 'option',
          reason: null,
          reason_code: null,
          avg_fill_price: '102',
        },
      ])
    },
  )
})

test('a cancelled order states its reason, and one cancelled on request states none', () => {
  withStore(
    (script) => {
      listings(script)
      order(script, 1, { status: OrderStatus.Canceled, result: Result.SelfTrade })
      order(script, 2, { status: OrderStatus.Canceled, result: Result.CanceledOnRequest })
    },
    (queries) => {
      const [onRequest, selfTrade] = ask(queries, '/orders', `wallet=${alice}`).data
      assert.deepEqual([onRequest!['reason'], onRequest!['reason_code']], [null, null])
      assert.equal(selfTrade!['reason'], 'Self-trade prevention')
      assert.equal(selfTrade!['reason_code'], 'self_trade_prevention')
    },
  )
})

test('rows are counted when they are written: an order with many updates is one', () => {
  withStore(
    (script) => {
      listings(script)
      for (const status of [OrderStatus.Acked, OrderStatus.Open, OrderStatus.Canceled]) {
        order(script, 16, { status })
      }
      order(script, 0, { status: OrderStatus.Rejected, result: Result.InsufficientMargin })
    },
    (_, __, rows) => assert.equal(rows, 3 + 1, 'instruments and the order'),
  )
})

test('rejected orders have no row', () => {
  withStore(
    (script) => {
      listings(script)
      order(script, 0, { status: OrderStatus.Rejected, result: Result.NoFunds })
    },
    (queries) => assert.deepEqual(ask(queries, '/orders', `wallet=${alice}`).data, []),
  )
})

test('orders are filtered by status in any case, newest first, in pages', () => {
  withStore(
    (script) => {
      listings(script)
      for (let id = 1; id <= 60; id++) {
        order(script, id, { status: id % 2 === 0 ? OrderStatus.Open : OrderStatus.Canceled })
      }
      script.order({ orderId: 99, wallet: bob, account: 1, instrument: 0 })
    },
    (queries) => {
      const idsOf = (query: string) =>
        ask(queries, '/orders', `wallet=${alice}${query}`).data.map((row) => row['order_id'])
      assert.deepEqual(idsOf('&limit=3'), [60, 59, 58])
      assert.equal(idsOf('').length, 50)
      assert.deepEqual(idsOf('&limit=3&offset=58'), [2, 1])
      assert.deepEqual(idsOf('&offset=60'), [])
      assert.deepEqual(idsOf('&status=open&limit=2'), [60, 58])
      assert.deepEqual(idsOf('&status=Cancelled&limit=2'), [59, 57])
      assert.deepEqual(idsOf('&status=CANCELED&limit=1&offset=29'), [1])
      assert.deepEqual(idsOf('&status=REJECTED'), [])
    },
  )
})

test('an order is found by its id, or as the latest of its client id', () => {
  withStore(
    (script) => {
      listings(script)
      order(script, 5, { clientId: '7', status: OrderStatus.Canceled })
      order(script, 6, { clientId: '7' })
      order(script, 7, { clientId: 'x y' })
    },
    (queries) => {
      const idOf = (id: string, wallet = alice) => {
        const query = `wallet=${wallet}&order_id=${encodeURIComponent(id)}`
        const body = ask(queries, '/orders/status', query) as unknown as {
          data: { order_id: number } | null
        }
        return body.data?.order_id ?? null
      }
      assert.equal(idOf('5'), 5)
      assert.equal(idOf('7'), 7)
      assert.equal(idOf('x y'), 7)
      assert.equal(idOf('nobody'), null)
      assert.equal(idOf('5', bob), null)
    },
  )
  withStore(
    (script) => {
      listings(script)
      order(script, 5, { clientId: '70', status: OrderStatus.Canceled })
      order(script, 6, { clientId: '70' })
    },
    (queries) => {
      const body = ask(queries, '/orders/status', `wallet=${alice}&order_id=70`)
      assert.equal((body.data as unknown as { order_id: number }).order_id, 6)
    },
  )
})

function trades(script: EventScript): void {
  listings(script)
  for (let id = 1; id <= 6; id++) {
    const instrument = id % 3
    const maker = id % 2 === 0 ? alice : bob
    const taker = id % 2 === 0 ? walletOf(3) : alice
    script.timeMillis = start + id
    script.trade(id, instrument, maker, taker, {
      priceMicros: id * 1_000_000,
      sizeLots: 10_000_000,
    })
    const fill = { tradeId: id, orderId: id, instrument, sizeLots: 10_000_000 }
    script.fill({ ...fill, fillId: id * 2, wallet: maker, account: 0, side: Side.Sell })
    const builder = { flags: OrderFlag.HasBuilder, builder: walletOf(8), builderFeeMicros: 5 }
    const taken = { ...fill, ...builder, isTaker: true, feeMicros: 10, realizedMicros: -3 }
    script.fill({ ...taken, fillId: id * 2 + 1, wallet: taker, account: 1 })
  }
}

test("fill rows contain the wallet's part", () => {
  withStore(trades, (queries) => {
    const body = ask(queries, '/fills', `wallet=${alice}&limit=1&offset=1`)
    assert.deepEqual(body.pagination, { limit: 1, offset: 1, count: 1 })
    assert.deepEqual(body.data, [
      {
        fill_id: 11,
        trade_id: 5,
        order_id: 5,
        wallet_address: alice,
        symbol: ether,
        side: 'Buy',
        price: '100',
        size: '0.1',
        fee: '0.00001',
        is_taker: true,
        timestamp: start + 5,
        created_at: '2026-06-01T00:00:00.005Z',
        builder_code_address: walletOf(8),
        builder_code_fee: '0.000005',
        realized_pnl: '-0.000003',
        explorer_url: null,
        instrument_type: 'option',
        fill_source: { type: 'orderbook' },
      },
    ])
    const maker = ask(queries, '/fills', `wallet=${alice}&limit=1`).data[0]!
    assert.deepEqual([maker['builder_code_address'], maker['builder_code_fee']], [null, null])
  })
})

test('trade rows come newest first, or ascending after an id', () => {
  withStore(trades, (queries) => {
    const idsOf = (query: string) =>
      ask(queries, '/trades', query).data.map((row) => row['trade_id'])
    assert.deepEqual(idsOf(''), [6, 5, 4, 3, 2, 1])
    assert.deepEqual(idsOf('limit=2&offset=1'), [5, 4])
    assert.deepEqual(idsOf('after_trade_id=0&limit=2'), [1, 2])
    assert.deepEqual(idsOf('after_trade_id=2'), [3, 4, 5, 6])
    assert.deepEqual(idsOf('after_trade_id=6'), [])
    assert.deepEqual(ask(queries, '/trades', 'limit=1').data[0], {
      trade_id: 6,
      symbol: call,
      price: '6',
      size: '0.1',
      taker_side: 'Buy',
      maker_address: alice,
      taker_address: walletOf(3),
      maker_fee: '0',
      taker_fee: '0',
      timestamp: start + 6,
      created_at: '2026-06-01T00:00:00.006Z',
    })
  })
})

test('with signed reads a trade names only the wallet that requests its own', () => {
  withStore(trades, (_, dataDir) => {
    const queries = new HistoryQueries(dataDir, { hidesWallets: true })
    const named = (path: string, query = '') => {
      const { data } = JSON.parse(queries.answer({ path, query }).body)
      const rows = [data].flat() as { maker_address: string; taker_address: string }[]
      return new Set(rows.flatMap((row) => [row.maker_address, row.taker_address]))
    }
    for (const query of ['', 'limit=2&offset=1', 'after_trade_id=0', 'underlying=BTC']) {
      assert.deepEqual(named('/trades', query), new Set([null]), query)
    }
    assert.deepEqual(named('/trades/6'), new Set([null]))
    for (const account of [bob, bob.toUpperCase().replace('0X', '0x')]) {
      assert.deepEqual(named('/trades', `account=${account}`), new Set([bob, null]))
    }
    queries.close()
  })
})

test('filters of trades combine', () => {
  withStore(trades, (queries) => {
    const idsOf = (query: string) =>
      ask(queries, '/trades', query).data.map((row) => row['trade_id'])
    assert.deepEqual(idsOf(`option_id=${call}`), [6, 3])
    assert.deepEqual(idsOf('symbol=BTC-25SEP26-110000-C'), [6, 3])
    assert.deepEqual(idsOf('option_id=2'), [4, 1])
    assert.deepEqual(idsOf('underlying=BTC'), [6, 4, 3, 1])
    assert.deepEqual(idsOf('underlying=ETH&option_id=2'), [])
    assert.deepEqual(idsOf(`account=${bob}`), [5, 3, 1])
    assert.deepEqual(idsOf(`account=${bob}&underlying=BTC&limit=1&offset=1`), [1])
    assert.deepEqual(idsOf('underlying=DOGE'), [])
    assert.deepEqual(idsOf('option_id=BTC-20260925-1-C'), [])
  })
})

test('a single trade is found or is 404', () => {
  withStore(trades, (queries) => {
    const found = ask(queries, '/trades/3', '') as unknown as { data: { trade_id: number } }
    assert.equal(found.data.trade_id, 3)
    for (const path of ['/trades/7', '/trades/x', '/trades/', '/trades/-1', '/trades/1/2']) {
      const reply = queries.answer({ path, query: '' })
      const body = JSON.parse(reply.body)
      assert.deepEqual([reply.status, body.code, body.success], [404, 'not_found', false], path)
    }
  })
})

test('bad queries fail with their codes', () => {
  withStore(trades, (queries) => {
    const cases = [
      ['/orders', '', 'missing_field'],
      ['/orders', 'wallet=abc', 'invalid_wallet'],
      ['/orders', `wallet=${alice}&limit=51`, 'invalid_parameter'],
      ['/orders', `wallet=${alice}&limit=0`, 'invalid_parameter'],
      ['/orders', `wallet=${alice}&offset=100001`, 'invalid_parameter'],
      ['/orders', `wallet=${alice}&status=working`, 'invalid_parameter'],
      ['/orders', `wallet=${alice}&status=`, 'invalid_parameter'],
      ['/orders', `wallet=${alice}&wallet=${alice}`, 'invalid_parameter'],
      ['/orders', `wallet=${alice}&min_seq=x`, 'invalid_parameter'],
      ['/orders/status', `wallet=${alice}`, 'missing_field'],
      ['/orders/status', `wallet=${alice}&order_id=`, 'invalid_parameter'],
      ['/fills', `wallet=${alice}&limit=101`, 'invalid_parameter'],
      ['/trades', 'limit=501', 'invalid_parameter'],
      ['/trades', 'option_id=nonsense', 'invalid_parameter'],
      ['/trades', 'option_id=1&symbol=1', 'invalid_parameter'],
      ['/trades', 'underlying=btc', 'invalid_parameter'],
      ['/trades', 'account=0x1', 'invalid_wallet'],
      ['/trades', 'after_trade_id=1&offset=0', 'invalid_parameter'],
      ['/trades', `after_trade_id=1&account=${alice}`, 'invalid_parameter'],
      ['/trades', 'after_trade_id=1&underlying=BTC', 'invalid_parameter'],
      ['/trades', 'after_trade_id=1&option_id=1', 'invalid_parameter'],
      ['/trades', 'after_trade_id=-1', 'invalid_parameter'],
    ] as const
    for (const [path, query, code] of cases) {
      const reply = queries.answer({ path, query })
      const body = JSON.parse(reply.body)
      assert.deepEqual([reply.status, body.code, body.error], [400, code, code], `${path}?${query}`)
      assert.equal(body.success, false)
      assert.equal(typeof body.message, 'string')
    }
  })
})

test('a query for a later sequence states that the store lags', () => {
  withStore(trades, (queries) => {
    assert.equal(queries.answer({ path: '/trades', query: 'min_seq=22' }).isLagging, false)
    assert.equal(queries.answer({ path: '/trades', query: 'min_seq=23' }).isLagging, true)
    const unknown = { path: '/trades/77', query: 'min_seq=22' }
    assert.deepEqual([404, false], statusOf(queries.answer(unknown)), 'there is none')
    const early = { ...unknown, query: 'min_seq=23' }
    assert.deepEqual([404, true], statusOf(queries.answer(early)), 'there may be one')
    const refused = { ...unknown, query: 'min_seq=23&x=1&min_seq=2' }
    assert.deepEqual([400, false], statusOf(queries.answer(refused)), 'what is wrong stays wrong')
  })
})

test('events that recovery publishes again change nothing', () => {
  withStore(trades, (queries, dataDir) => {
    const before = ['/trades', '/fills', '/orders'].map((path) =>
      queries.answer({ path, query: `wallet=${alice}` }),
    )
    assert.equal(readHistoryEnd(dataDir).seq, 22)
    feed(dataDir, (script) => {
      trades(script)
      script.bootstrapBegin()
      script.instrument(0, call, 0, expiry, InstrumentChange.Bootstrap)
      script.bootstrapEnd()
    })
    const after = ['/trades', '/fills', '/orders'].map((path) =>
      queries.answer({ path, query: `wallet=${alice}` }),
    )
    assert.deepEqual(after, before)
    assert.equal(readHistoryEnd(dataDir).seq, 22)
  })
})

test('a later run continues after the last sequence, and keeps the times of working orders', () => {
  withStore(
    (script) => {
      listings(script)
      order(script, 5)
    },
    (queries, dataDir) => {
      feed(
        dataDir,
        (script) => {
          script.timeMillis = start + 60_000
          script.bootstrapBegin()
          script.instrument(0, call, 0, expiry, InstrumentChange.Bootstrap)
          script.instrument(1, put, 0, expiry, InstrumentChange.Bootstrap, InstrumentState.Deleted)
          order(script, 5, { createdMillis: start })
          script.bootstrapEnd()
          order(script, 6)
        },
        5,
      )
      const body = ask(queries, '/orders', `wallet=${alice}`)
      assert.deepEqual(
        body.data.map((row) => row['updated_at']),
        ['2026-06-01T00:01:00.000Z', '2026-06-01T00:00:00.000Z'],
      )
      assert.equal(body.as_of_seq, 6)
    },
  )
})

/** Writes the events of a start about an instrument, and about working order 5 in it. */
function emitStart(script: EventScript): void {
  script.seq = 1000
  script.bootstrapBegin()
  script.instrument(0, call, 0, expiry, InstrumentChange.Bootstrap)
  order(script, 5)
  script.bootstrapEnd()
}

test('a lost store is filled from the bootstrap records', () => {
  withStore(emitStart, (queries) => {
    const body = ask(queries, '/orders', `wallet=${alice}`)
    assert.deepEqual([body.data.length, body.as_of_seq], [1, 1000])
  })
})

test('an order that ends right after a start is not reopened if one transaction contains both', () => {
  withStore(
    (script) => {
      emitStart(script)
      order(script, 5, { status: OrderStatus.Canceled, result: Result.InstrumentExpired })
    },
    (queries) => {
      const [row] = ask(queries, '/orders', `wallet=${alice}`).data
      assert.equal(row.status, 'canceled')
    },
  )
})

test('a store that is set back after an accepted loss drops the lost rows, and keeps a copy of them', () => {
  withStore(
    (script) => {
      trades(script)
      order(script, 5 * underlyingsMax, { filledLots: 3 })
      order(script, 6 * underlyingsMax)
    },
    (queries, dataDir) => {
      const end = readHistoryEnd(dataDir)
      const left = { seq: 10, orderCount: 5, tradeCount: 3, payoutCount: 0, instrumentCount: 3 }
      const back = recoverHistory(dataDir, { ...left, border: { ...end, batchNumber: 9 } })
      assert.equal(statSync(back!.copy).mode & 0o777, 0o600)
      const { orderCount, tradeCount } = readHistoryEnd(dataDir)
      assert.deepEqual([orderCount, tradeCount], [6, end.tradeCount], 'no number is given again')
      assert.equal(ask(queries, '/trades', '').data.length, 3)
      const retell = (script: EventScript) => {
        script.bootstrapBegin()
        order(script, 5 * underlyingsMax, { filledLots: 0 })
        script.bootstrapEnd()
        script.trade(7, 1, bob, alice, { priceMicros: 42_000_000 })
      }
      feed(dataDir, retell, end.seq)
      const [working, ...others] = ask(queries, '/orders', `wallet=${alice}`).data
      assert.deepEqual([working!['filled_size'], others.length], ['0', 0], 'as it was before')
      const body = ask(queries, '/trades', 'limit=1')
      assert.deepEqual([body.data[0]!['price'], body.as_of_seq], ['42', end.seq + 1])
    },
  )
})

test('a loss names the highest lost nonces, separately for owners and agents', () => {
  const [carol, dave] = [walletOf(3), walletOf(4)]
  const { Owner, Agent } = Signer
  const acted = (
    script: EventScript,
    wallet: string,
    account: number,
    nonce: bigint,
    by: Signer = Owner,
  ) => script.accepted({ wallet, account, nonce, signer: by })
  withStore(
    (script) => {
      acted(script, alice, 0, 500n)
      acted(script, bob, 1, 7n)
    },
    (_, dataDir) => {
      const { seq } = readHistoryEnd(dataDir)
      feed(
        dataDir,
        (script) => {
          acted(script, alice, 0, 2n ** 64n - 1n)
          acted(script, alice, 0, 400n)
          acted(script, alice, 0, 90n, Agent)
          acted(script, carol, 2, 3n)
          script.accepted({ wallet: dave, account: 3, nonce: 8n, signer: Owner, isRepeat: true })
        },
        seq,
      )
      const end = readHistoryEnd(dataDir)
      assert.deepEqual(end.lostNonces, [], 'nothing is lost yet')
      const counts = { orderCount: 0, tradeCount: 0, payoutCount: 0, instrumentCount: 0 }
      const border = { ...end, batchNumber: 9 }
      const { lostNonces } = recoverHistory(dataDir, { seq, ...counts, border })!
      const highest = 2 ** 32 - 1
      assert.deepEqual(lostNonces, [
        { wallet: alice, signer: Owner, high: highest, low: highest },
        { wallet: alice, signer: Agent, high: 0, low: 90 },
        { wallet: carol, signer: Owner, high: 0, low: 3 },
      ])
      const again = readHistoryEnd(dataDir)
      assert.deepEqual(again.lostNonces, lostNonces, 'a start behind a crash burns them, too')
    },
  )
})

test('the sequence of a missing store is 0', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'history-'))
  assert.equal(readHistoryEnd(dataDir).seq, 0)
  assert.equal(readHistoryEnd(join(dataDir, 'nowhere')).seq, 0)
  rmSync(dataDir, { recursive: true })
})

test('deposits become transfers', () => {
  withStore(
    (script) => {
      const account = { account: 0, wallet: alice }
      script.account({ ...account, cashMicros: 0, change: AccountChange.Opened })
      const deposit = { cashMicros: 7, deltaMicros: 7, depositId: 'd-1' }
      script.account({ ...account, ...deposit, change: AccountChange.Deposit })
    },
    (_, dataDir) => {
      const database = openHistory(dataDir)
      assert.deepEqual(database.prepare('select * from transfers').all(), [
        { seq: 2, wallet: alice, amount_micros: 7, deposit_id: 'd-1', millis: start },
      ])
      database.close()
    },
  )
})

test('large identifiers and amounts are returned exactly', () => {
  const orderId = 2 ** 53 - 1024
  withStore(
    (script) => {
      listings(script)
      order(script, orderId, { priceMicros: 1e15, sizeLots: 1e13 })
    },
    (queries) => {
      const row = ask(queries, '/orders', `wallet=${alice}`).data[0]!
      assert.equal(row['order_id'], orderId)
      assert.deepEqual([row['price'], row['size']], ['1000000000', '100000'])
    },
  )
})

const payout = {
  id: 1,
  wallet: alice,
  instrument: 0,
  positionLots: -200_000_000,
  payoffMicros: 5_000_000_000,
  valueMicros: -10_000_000_000,
  costMicros: -6_000_000_000,
  priceMicros: 115_000_000_000,
}

test('payouts are listed newest first, by wallet and symbol, with their cost and value', () => {
  withStore(
    (script) => {
      listings(script)
      script.payout(payout)
      script.payout({ ...payout, id: 2, wallet: bob, positionLots: 200_000_000 })
      script.payout({ ...payout, id: 3, instrument: 1, positionLots: 1, costMicros: 0 })
    },
    (queries) => {
      const { data, pagination } = ask(queries, '/settlement-payouts', `wallet=${alice}`)
      assert.deepEqual(
        data.map(({ id }) => id),
        [3, 1],
      )
      assert.deepEqual(pagination, { limit: 50, offset: 0, count: 2 })
      assert.deepEqual(data[1], {
        id: 1,
        wallet: alice,
        symbol: call,
        expiry_ts: expiry / 1000,
        position_size: '-2',
        settlement_price: '5000',
        settlement_value: '-10000',
        settlement_entry_price: '3000',
        cost_basis: '-6000',
        net_pnl: '-4000',
        ledger_applied: true,
        is_seen: false,
        created_at: start,
        underlying_price: '115000',
        fee: '0',
        borne: '0',
      })
      const filtered = ask(queries, '/settlement-payouts', `wallet=${alice}&symbol=${call}`)
      assert.deepEqual(
        filtered.data.map(({ id }) => id),
        [1],
      )
      const wrong = ask(queries, '/settlement-payouts', `wallet=${alice}&ledger_applied=maybe`)
      assert.equal(wrong.code, 'invalid_parameter')
    },
  )
})

test('payouts are seen once their wallet marks them, in one transaction or another, and can be unmarked', () => {
  const isSeen = (queries: HistoryQueries) =>
    ask(queries, '/settlement-payouts', `wallet=${alice}`).data[0]?.['is_seen']
  withStore(
    (script) => {
      listings(script)
      script.payout(payout)
      script.payoutsSeen(bob, [1])
      script.payoutsSeen(alice, [7, 1])
    },
    (queries, dataDir) => {
      assert.equal(isSeen(queries), true)
      feed(dataDir, (script) => script.payoutsSeen(alice, [1], false), readHistoryEnd(dataDir).seq)
      assert.equal(isSeen(queries), false)
    },
  )
})

test('orders, fills and trades of a perp are rows like any, and are found by its symbol', () => {
  const perp = 'BTC-PERP'
  withStore(
    (script) => {
      listings(script)
      script.instrument(3, perp, 0, neverMillis)
      for (const [orderId, instrument] of [
        [16, 3],
        [32, 0],
      ] as const) {
        const mine = { instrument, orderId, wallet: alice, account: 0 }
        order(script, orderId, { instrument })
        script.fill({ ...mine, fillId: orderId, tradeId: orderId, priceMicros: 98_000_000_000 })
        script.trade(orderId, instrument, bob, alice, {
          priceMicros: 98_000_000_000,
          sizeLots: 50_000_000,
        })
      }
    },
    (queries, dataDir) => {
      const wallet = `wallet=${alice}`
      for (const path of ['/orders', '/fills']) {
        const rows = ask(queries, path, wallet).data
        const seen = rows.map((row) => [row['order_id'], row['symbol'], row['instrument_type']])
        assert.deepEqual(
          seen,
          [
            [32, call, 'option'],
            [16, perp, 'perp'],
          ],
          path,
        )
      }
      assert.equal(ask(queries, '/orders', wallet).data[1]!['created_at'], start)
      for (const query of [`symbol=${perp}`, `option_id=${perp}`, 'option_id=4']) {
        const rows = ask(queries, '/trades', query).data
        assert.deepEqual(
          rows.map((row) => [row['trade_id'], row['symbol'], row['price'], row['size']]),
          [[16, perp, '98000', '0.5']],
          query,
        )
      }
      assert.equal(ask(queries, '/trades', 'underlying=BTC').data.length, 2)
      const database = openHistory(dataDir)
      const sql = 'select expiry_millis as expiry from instruments where symbol = ?'
      const { expiry: expiryMillis } = database.prepare(sql).get(perp) as { expiry: number }
      assert.equal(expiryMillis, neverMillis)
      database.close()
    },
  )
})

function statusOf(reply: { status: number; isLagging: boolean }): [number, boolean] {
  return [reply.status, reply.isLagging]
}
