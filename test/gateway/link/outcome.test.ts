import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EventScript, type OrderFacts, smallMemory, walletOf } from '../../../bench/event-script.js'
import { EventLogReader } from '../../../engine/memory/event-log.js'
import { logReaders } from '../../../engine/memory/exchange-memory.js'
import { infoOfCancel, orderUpdateText } from '../../../gateway/http/order-update.js'
import { InstrumentNames } from '../../../gateway/link/instrument-names.js'
import {
  isErrorResult,
  readFacts,
  readOutcome,
  reasonOf,
  valuesOfFacts,
} from '../../../gateway/link/outcome.js'
import { OrderFlag, OrderStatus, Side, Tif } from '../../../schemas/domain.js'
import { InstrumentEvent, OutcomeEvent } from '../../../schemas/generated/events.js'
import { OutcomeFlag } from '../../../schemas/record-values.js'
import { isRejection, Result, resultRows } from '../../../schemas/results.js'
import { testExpiryMillis, testSymbol } from '../../support/gateway-rig.js'

const scenarios = [undefined, { id: 'V4', kind: 'VolChange' }]

/** Writes an acknowledgement, and reads it back in the terms of the wire. */
function outcomeOf(order: Partial<OrderFacts>) {
  const memory = smallMemory()
  const script = new EventScript(memory, 1_700_000_000_123)
  script.instrument(0, testSymbol, 0, testExpiryMillis)
  script.order({ orderId: 77, wallet: walletOf(1), account: 0, instrument: 0, ...order })
  script.commit()
  const log = new EventLogReader(memory.eventLog, logReaders.gateway(0))
  const names = { instruments: new InstrumentNames(), scenarios }
  names.instruments.take(new InstrumentEvent().over(log, log.next()))
  const event = new OutcomeEvent().over(log, log.next())
  const outcome = readOutcome(event, names)
  const facts = readFacts(event, names.instruments)
  const reason = reasonOf(outcome, () => ({ ...valuesOfFacts(facts), nonce: '5', route: 'x' }))
  return { outcome, facts, reason }
}

/** A cancel of an option, as far as `info` needs it. */
const cancel = { perp: null, terms: null, clientId: '' }

test('an accepted order has no reason', () => {
  const { outcome, reason } = outcomeOf({ status: OrderStatus.PartiallyFilled, filledLots: 5e7 })
  assert.equal(outcome.status, 'PARTIALLY_FILLED')
  assert.equal(outcome.filledLots, 5e7)
  assert.equal(outcome.seq, 2)
  assert.equal(outcome.timeMillis, 1_700_000_000_123)
  assert.deepEqual(reason, { reason: null, code: null, details: null })
})

test('a cancelled remainder is CANCELED with its cause, not REJECTED', () => {
  const causes = [
    Result.IocRemainder,
    Result.FokNotFilled,
    Result.SelfTrade,
    Result.MmpTriggered,
    Result.ReduceOnly,
    Result.InstrumentExpired,
    Result.AccountInLiquidation,
    Result.TradingHalted,
    Result.CancelOnly,
    Result.RfqNoEligibleQuote,
  ]
  for (const result of causes) {
    const { outcome, reason } = outcomeOf({ status: OrderStatus.Canceled, result })
    assert.equal(outcome.status, 'CANCELED')
    assert.equal(reason.code, resultRows[result].code)
    assert.equal(reason.reason, resultRows[result].text.replace('{underlying}', 'BTC'))
  }
})

test('a cancel on request has no reason', () => {
  const { outcome, reason } = outcomeOf({
    status: OrderStatus.Canceled,
    result: Result.CanceledOnRequest,
  })
  assert.equal(outcome.status, 'CANCELED')
  assert.deepEqual(reason, { reason: null, code: null, details: null })
})

test('cancelling a final order is REJECTED, whatever the state of the order', () => {
  const filled = outcomeOf({ status: OrderStatus.Filled, result: Result.OrderAlreadyFilled })
  assert.equal(filled.outcome.status, 'REJECTED')
  assert.equal(filled.reason.reason, 'Order 77 is already filled and cannot be cancelled')
  const gone = outcomeOf({ status: OrderStatus.Canceled, result: Result.OrderAlreadyCanceled })
  assert.equal(gone.outcome.status, 'REJECTED')
  assert.equal(gone.reason.code, 'order_already_canceled')
})

test('the text of every reason finds all its values', () => {
  for (const result of Object.values(Result)) {
    if (!isRejection(result) || result === Result.SymbolUnparseable) continue
    const { reason } = outcomeOf({ status: OrderStatus.Rejected, result })
    assert.doesNotMatch(reason.reason ?? '', /\{/, `${resultRows[result].code}`)
  }
})

test('a failed margin check carries the engine’s values, exactly', () => {
  const { outcome, reason } = outcomeOf({
    status: OrderStatus.Rejected,
    result: Result.InsufficientMargin,
    details: [10_948_215_100, 1e10, 948_215_100, 0, 10_948_215_100, 0, 8_758_363_676, 1, 0],
  })
  assert.equal(outcome.status, 'REJECTED')
  assert.equal(
    reason.reason,
    'Insufficient margin: required=10948.2151, equity=10000, shortfall=948.2151, ' +
      'consumed_im=0, incremental_im=10948.2151, consumed_mm=0, incremental_mm=8758.363676',
  )
  assert.equal(reason.code, 'insufficient_margin')
  assert.deepEqual(reason.details, {
    required: '10948.2151',
    equity: '10000',
    shortfall: '948.2151',
    consumed_im: '0',
    incremental_im: '10948.2151',
    consumed_mm: '0',
    incremental_mm: '8758.363676',
    scenario: { id: 'V4', kind: 'VolChange' },
    bound_by: 'scenario',
  })
})

test('a margin check without a scenario has null', () => {
  const details = [1, 1, 1, 1, 1, 1, 1, -1, 3]
  const { reason } = outcomeOf({ result: Result.InsufficientMargin, details })
  assert.equal(reason.details!['scenario'], null)
  assert.equal(reason.details!['bound_by'], 'max_loss')
})

test('a missing mark or spot price is named, also if it is not the order’s own', () => {
  const mark = outcomeOf({ result: Result.NoMarkPrice, instrument: -1, details: [0] })
  assert.match(mark.reason.reason!, new RegExp(`for instrument: ${testSymbol}$`))
  const spot = outcomeOf({ result: Result.NoSpotPrice, instrument: -1, details: [0] })
  assert.match(spot.reason.reason!, /for underlying: BTC$/)
})

test('a naked short names its cause, with the expiry as in the symbol', () => {
  const { reason } = outcomeOf({ result: Result.NakedShortCalls, details: [0, 20_300_629] })
  assert.equal(
    reason.reason,
    'Insufficient margin: naked short calls are not allowed for BTC 20300629',
  )
  assert.deepEqual(reason.details, {
    cause: 'naked_short',
    underlying: 'BTC',
    expiry: 20_300_629,
  })
})

test('only rows with an error status are errors', () => {
  assert.equal(isErrorResult(Result.Accepted), false)
  assert.equal(isErrorResult(Result.NonceUsed), false)
  assert.equal(isErrorResult(Result.Unauthorized), true)
  assert.equal(isErrorResult(Result.LimitExceeded), true)
})

test('an order update has the specified fields, and numbers without an exponent', () => {
  const { outcome, facts, reason } = outcomeOf({
    status: OrderStatus.Canceled,
    result: Result.IocRemainder,
    filledLots: 1,
    sizeLots: 3,
    side: Side.Sell,
    tif: Tif.Ioc,
    flags: OrderFlag.MmpEnabled | OrderFlag.HasBuilder,
    builder: walletOf(9),
    clientId: 'a"b',
    outcomeFlags: OutcomeFlag.MmpTriggered,
  })
  const frame = { wallet: walletOf(1), requestId: 'r"1', hasDecimalStrings: false }
  const text = orderUpdateText(outcome, reason, infoOfCancel(facts, cancel), frame)
  assert.match(text, /"filled_size":0\.00000001,/)
  assert.deepEqual(JSON.parse(text), {
    timestamp: 1_700_000_000_123,
    info: {
      symbol: testSymbol,
      price: '100',
      size: '0.00000003',
      side: 'Sell',
      tif: 'ioc',
      client_id: 'a"b',
      underlying: 'BTC',
      builder_code_address: walletOf(9),
      order_id: 77,
      is_perp: false,
      mmp_enabled: true,
      reduce_only: false,
      nonce: null,
      signature: null,
    },
    status: 'CANCELED',
    reason: 'Immediate-or-cancel remainder cancelled',
    reason_code: 'ioc_remainder',
    details: null,
    filled_size: 1e-8,
    order_id: 77,
    wallet_address: walletOf(1),
    mmp_triggered: true,
    seq: 2,
    request_id: 'r"1',
  })
})

test('with decimal strings filled_size is text', () => {
  const { outcome, facts, reason } = outcomeOf({ filledLots: 150_000_000 })
  const frame = { wallet: walletOf(1), requestId: '', hasDecimalStrings: true }
  const update = JSON.parse(orderUpdateText(outcome, reason, infoOfCancel(facts, cancel), frame))
  assert.equal(update.filled_size, '1.5')
  assert.equal('request_id' in update, false)
})

test('info of an unknown order has placeholder values', () => {
  const { facts } = outcomeOf({ orderId: 0, instrument: -1, result: Result.OrderNotFound })
  const {
    symbol,
    price,
    size,
    side,
    tif,
    order_id: orderId,
  } = JSON.parse(infoOfCancel(facts, cancel))
  assert.deepEqual([symbol, price, size, side, tif, orderId], ['', '0', '0', 'Buy', 'gtc', null])
})
