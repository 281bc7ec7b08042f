import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountActions } from '../../../gateway/actions/account-actions.js'
import { type ActionRequest, readAction } from '../../../gateway/actions/action.js'
import { createSigning } from '../../../gateway/actions/signing.js'
import { Fault } from '../../../gateway/wire/fault.js'
import { resultRows } from '../../../schemas/results.js'
import { perpOf } from '../../../schemas/symbol.js'
import { formatAddress } from '../../../schemas/wallet.js'

const action = accountActions.StandardMarginLiquidationOrder
type BidRequest = ActionRequest<(typeof action)['body']>

const signing = createSigning('Strikebook', 31_337)
const sound = {
  wallet: `0x${'1'.repeat(40)}`,
  liquidated_wallet: `0x${'aB'.repeat(20)}`,
  request_id: '5b000000-0000-8000-8000-000000000001',
  auction_id: 'auction-1',
  bid_usdc: '1100.50',
  positions: [{ symbol: 'BTC-20260131-110000-C', quantity: '-1.5', entry_price: '3270.123456' }],
  portfolio_hash: `sha256:${'0f'.repeat(32)}`,
  auction_terms_hash: `sha256:${'1e'.repeat(32)}`,
  auction_version: 7,
  valuation_timestamp_ms: 1_700_000_000_000,
  bid_intent_hash: 'intent',
  nonce: 12,
  signature: '0x00',
}

test('a bid is parsed into numbers, and its texts are stored as received', () => {
  const bid = read({}) as BidRequest
  assert.ok(!(bid instanceof Fault))
  assert.equal(bid.values.bid_usdc, 1_100_500_000)
  assert.equal(bid.message['bidUsdc'], '1100.50')
  assert.equal(formatAddress(bid.values.liquidated_wallet, 0), `0x${'ab'.repeat(20)}`)
  assert.equal(bid.message['liquidatedWallet'], sound.liquidated_wallet)
  const [position] = bid.values.positions
  assert.deepEqual([position!.lots, position!.entryMicros], [-150_000_000, 3_270_123_456])
})

test('a bid for an insolvent account may be below zero, an entry price may be zero', () => {
  const positions = [{ ...sound.positions[0]!, entry_price: '0' }]
  const bid = (read({ bid_usdc: '-250.5', positions }) as BidRequest).values
  assert.equal(bid.bid_usdc, -250_500_000)
  assert.equal(bid.positions[0]!.entryMicros, 0)
  assert.equal((read({ bid_usdc: '0' }) as BidRequest).values.bid_usdc, 0)
})

test('a position may be one of a perp', () => {
  const positions = [{ symbol: 'BTC-PERP', quantity: '-0.5', entry_price: '98000' }]
  const [position] = (read({ positions }) as BidRequest).values.positions
  assert.deepEqual(position, {
    ...{ symbol: 'BTC-PERP', quantity: '-0.5', entryPrice: '98000' },
    ...{ terms: perpOf('BTC'), lots: -50_000_000, entryMicros: 98_000_000_000 },
  })
  for (const symbol of ['BTC-perp', '-PERP', 'BTC-PERP ']) {
    const fault = read({ positions: [{ ...positions[0], symbol }] })
    assert.ok(fault instanceof Fault, symbol)
  }
})

test('missing, ill-typed and out-of-range fields fail with their codes', () => {
  const cases: [object, string][] = [
    [{ auction_id: undefined }, 'missing_field'],
    [{ positions: undefined }, 'missing_field'],
    [{ bid_usdc: 5 }, 'invalid_parameter'],
    [{ auction_version: '7' }, 'invalid_parameter'],
    [{ auction_version: -1 }, 'invalid_parameter'],
    [{ valuation_timestamp_ms: 1.5 }, 'invalid_parameter'],
    [{ positions: [] }, 'invalid_parameter'],
    [{ positions: {} }, 'invalid_parameter'],
    [{ positions: [5] }, 'invalid_field'],
    [{ positions: [{ ...sound.positions[0], quantity: '1e3' }] }, 'invalid_field'],
    [{ positions: [{ ...sound.positions[0], symbol: 'BTC' }] }, 'invalid_field'],
    [{ positions: [{ ...sound.positions[0], entry_price: '-1' }] }, 'invalid_field'],
    [{ request_id: 'no-uuid' }, 'invalid_field'],
    [{ bid_usdc: '1.0000001' }, 'invalid_field'],
    [{ bid_usdc: '--1' }, 'invalid_field'],
    [{ bid_intent_hash: '' }, 'invalid_field'],
    [{ portfolio_hash: `sha256:${'0'.repeat(63)}` }, 'invalid_field'],
    [{ portfolio_hash: '0'.repeat(71) }, 'invalid_field'],
    [{ auction_terms_hash: `sha256:${'0F'.repeat(32)}` }, 'invalid_field'],
    [{ auction_terms_hash: 'x'.repeat(200_000) }, 'invalid_field'],
    [{ bid_intent_hash: 'x'.repeat(129) }, 'invalid_field'],
    [{ auction_id: 'ü' }, 'invalid_field'],
    [{ liquidated_wallet: '0x12' }, 'invalid_wallet'],
    [{ nonce: -1 }, 'invalid_parameter'],
  ]
  for (const [patch, code] of cases) {
    const fault = read(patch)
    assert.ok(fault instanceof Fault, JSON.stringify(patch))
    assert.equal(resultRows[fault.result].code, code, JSON.stringify(patch))
  }
})

function read(patch: object): BidRequest | Fault {
  return readAction(action, JSON.parse(JSON.stringify({ ...sound, ...patch })), signing)
}
