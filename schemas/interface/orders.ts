import { deadManMillisMax, deadManMillisMin } from '../bounds.js'
import {
  instrumentTypeNames,
  marginModelNames,
  optionTifNames,
  orderStatusNames,
  scenarioKindNames,
  sideNames,
} from '../domain.js'
import { marginBounds, Result } from '../results.js'
import { data, Envelope, row, rows, whole } from './answer.js'
import * as body from './body.js'
import {
  errorCode,
  reasonCode,
  reasonDetails,
  signatureDetails,
  unrecordedCodes,
} from './errors.js'
import {
  cancelByClientIdBody,
  cancelEitherBody,
  orderStructs,
  placeBody,
  replaceBody,
} from './order-bodies.js'
import * as param from './parameter.js'
import { read, walletRead } from './read.js'
import {
  address,
  anyOf,
  anything,
  count,
  decimal,
  described,
  digest,
  exactly,
  flag,
  iso,
  type JsonOf,
  list,
  lowerCase,
  mapOf,
  millis,
  named,
  nonce,
  nothing,
  nullable,
  number,
  object,
  oneOf,
  positiveInteger,
  seq,
  text,
  uuid,
} from './shape.js'
import { accountWrite, write } from './write.js'

export const tifFields = {
  'tif?': oneOf(
    optionTifNames,
    'Time in force. `gtc`: works until it is cancelled; `ioc`: the part that does not trade at once is cancelled; `fok`: trades whole at once or not at all',
  ),
  'add_liquidity_only?': exactly(
    true,
    'True if the order is rejected instead of trading on arrival',
  ),
}

export const order = named('Order', {
  order_id: count('Id of the order; null: none'),
  wallet_address: address('Wallet of the account'),
  symbol: text('Canonical symbol of the instrument'),
  side: oneOf(sideNames, 'Side: `Buy` or `Sell`'),
  price: decimal('Its limit in USD'),
  size: decimal('Size in contracts'),
  ...tifFields,
  status: oneOf(lowerCase(orderStatusNames), 'Status in lower case; see `x-states`'),
  created_at: millis('Time of creation'),
  updated_at: iso('Time of the latest change'),
  filled_size: decimal('Contracts filled so far'),
  client_id: nullable(text('Client id of the order; null or empty: none')),
  reduce_only: flag('True if the order may only reduce a position'),
  mmp_enabled: flag('True if market-maker protection counts and cancels it'),
  instrument_type: oneOf(instrumentTypeNames, '`option` or `perp`'),
  reason: nullable(text('Reason as text for people, which may change; null: none')),
  reason_code: nullable(reasonCode, 'Stable code of the reason; null: none'),
  avg_fill_price: nullable(decimal('Mean price of its fills in USD; null without one')),
})
export type Order = JsonOf<typeof order>

export const fillSource = named('FillSource', {
  type: oneOf(['orderbook', 'rfq'], '`orderbook`, or `rfq`'),
  'rfq_id?': uuid('Id of the request, chosen by its taker'),
  'quote_id?': uuid('Id of the quote, assigned by the venue'),
})
export type FillSource = JsonOf<typeof fillSource>

export const fill = named('Fill', {
  fill_id: count(
    'Id of the fill; for a package, the trade id of its first leg; empty or null: no fill',
  ),
  trade_id: count('Id of the trade, rising; both sides have the same'),
  order_id: positiveInteger(
    'Id of the filled order. Fills of a package have no order: their value here is 2^52 + fill_id, which no order has',
  ),
  wallet_address: address('Wallet of the account'),
  symbol: text('Canonical symbol of the instrument'),
  side: oneOf(sideNames, 'Side: `Buy` or `Sell`'),
  price: decimal('Price in USD per contract'),
  size: decimal('Size in contracts'),
  fee: decimal('Fee in USD; negative: a rebate'),
  is_taker: flag('True if this wallet was the taker'),
  timestamp: millis('Time of the event'),
  created_at: iso('Time of creation'),
  builder_code_address: nullable(address('Builder that earns the builder fee; null: none')),
  builder_code_fee: nullable(decimal('Builder fee in USD; null: none')),
  realized_pnl: decimal('Realized profit in USD'),
  explorer_url: nothing('Always null: trades are on no chain'),
  instrument_type: oneOf(instrumentTypeNames, '`option` or `perp`'),
  fill_source: described(fillSource, 'Origin: the book or a request for quote'),
})
export type Fill = JsonOf<typeof fill>

export const reasonFields = {
  reason: nullable(text('Reason as text for people, which may change; null: none')),
  reason_code: nullable(reasonCode, 'Stable code of the reason; null: none'),
  details: nullable(reasonDetails, 'Values that the reason names'),
}

export const orderUpdate = named('OrderUpdate', {
  timestamp: millis('Time of the event'),
  info: object(
    {
      symbol: text('Canonical symbol of the instrument'),
      price: text('Price in USD per contract'),
      size: text('Size in contracts'),
      side: oneOf(sideNames, 'Side: `Buy` or `Sell`'),
      ...tifFields,
      client_id: nullable(text('Client id of the order; null or empty: none')),
      underlying: nullable(text('Name of the underlying')),
      builder_code_address: nullable(address('Builder that earns the builder fee; null: none')),
      order_id: nullable(count('Id of the order; null: none')),
      is_perp: flag('True for a perp'),
      mmp_enabled: flag('True if market-maker protection counts and cancels it'),
      reduce_only: nullable(flag('True if the order may only reduce a position')),
      nonce: nullable(nonce('Nonce of the signed request')),
      signature: nullable(text('Signature as received; null for cancels')),
    },
    'Order as received; for a cancel, the order concerned',
  ),
  status: oneOf(orderStatusNames, 'Status, one of `x-states`'),
  ...reasonFields,
  filled_size: anyOf([number(), decimal()], 'Contracts filled so far'),
  order_id: nullable(count('Id of the order; null: none')),
  wallet_address: address('Wallet of the account'),
  mmp_triggered: flag('True if market-maker protection canceled the order'),
  seq: seq('Sequence of the event'),
  'request_id?': text('`X-Request-Id` of the request'),
})
export type OrderUpdate = JsonOf<typeof orderUpdate>

export const canceledUpdate = named('CanceledUpdate', {
  timestamp: millis('Time of the event'),
  info: object(
    {
      symbol: text('Canonical symbol of the instrument'),
      price: text('Price in USD per contract'),
      size: text('Size in contracts'),
      side: oneOf(sideNames, 'Side: `Buy` or `Sell`'),
      ...tifFields,
      client_id: nullable(text('Client id of the order; null or empty: none')),
      underlying: nullable(text('Name of the underlying')),
      builder_code_address: nullable(address('Builder that earns the builder fee; null: none')),
      order_id: nullable(count('Id of the order; null: none')),
      is_perp: flag('True for a perp'),
      mmp_enabled: flag('True if market-maker protection counts and cancels it'),
      reduce_only: nullable(flag('True if the order may only reduce a position')),
      nonce: nullable(nonce('Nonce of the signed request')),
      signature: nullable(text('Signature as received; null for cancels')),
    },
    'Order as received; for a cancel, the order concerned',
  ),
  status: oneOf(orderStatusNames, 'Status'),
  ...reasonFields,
  filled_size: anyOf([number(), decimal()], 'Contracts filled so far'),
  order_id: nullable(count('Id of the order; null: none')),
  wallet_address: address('Wallet of the account'),
  mmp_triggered: flag('True if market-maker protection canceled the order'),
  seq: seq('Sequence of the event'),
  'request_id?': text('`X-Request-Id` of the request'),
  success: flag('True if the request succeeded'),
  data: described(orderUpdate, 'Order that was canceled'),
  error: nullable(text('Reason of the failure; null: the request succeeded')),
})
export type CanceledUpdate = JsonOf<typeof canceledUpdate>

export const bulkResult = named('BulkResult', {
  index: count('Place in the list that was sent, from 0'),
  success: flag('True if the request succeeded'),
  data: nullable(orderUpdate, 'Result of the item; null: the item failed'),
  'error?': nullable(text('Reason of the failure; null: the request succeeded')),
  'code?': nullable(anyOf([errorCode, reasonCode]), 'Code of the error or the reason; null: none'),
  'details?': anyOf([reasonDetails, signatureDetails], 'Values that the reason names'),
})
export type BulkResult = JsonOf<typeof bulkResult>

export const canceledAll = {
  wallet: address('Wallet of the account'),
  scope: text('Scope of the request: `all`, an underlying or a symbol'),
  canceled: count('Number of canceled orders'),
}

export const deadMan = {
  wallet: address('Wallet of the account'),
  timeout_ms: count('Timeout in milliseconds; 0: no timer'),
  fires_at: nullable(
    millis('Time at which the timer fires unless the wallet signs an action; null: never'),
  ),
}

export const ordersReads = {
  'GET /orders': walletRead({
    group: 'Account',
    summary: 'Returns orders of a wallet, newest first',
    answeredBy: 'history',
    query: { status: param.orderStatus, ...param.page(50, 50) },
    answer: rows(order, 'Orders, newest first'),
  }),
  'GET /orders/status': walletRead({
    group: 'Account',
    summary: 'Returns an order by its id or client id',
    answeredBy: 'history',
    query: {
      order_id: param.requiredText('Id of the order, or its client id: the latest such order'),
    },
    answer: row(nullable(order, 'The order; null: unknown')),
  }),
  'GET /fills': walletRead({
    group: 'Account',
    summary: 'Returns fills of a wallet, newest first',
    answeredBy: 'history',
    query: { ...param.page(100, 50) },
    answer: rows(fill, 'Fills, newest first'),
  }),
  'GET /profile/trades': walletRead({
    group: 'Account',
    summary: 'Returns fills of a wallet in a time range, newest first',
    answeredBy: 'history',
    query: {
      symbol: param.text(
        'Option: `UNDERLYING-YYYYMMDD-STRIKE-C` or `-P`; its date also as `30JUN26`. Signed exactly as sent',
      ),
      ...param.span,
      ...param.page(100, 50),
    },
    answer: rows(fill, 'Fills, newest first'),
  }),
  'GET /orders/why': read({
    group: 'Account',
    summary: 'Explains a recent order: its stages, its batch, and the check that failed',
    answeredBy: 'gateway',
    reader: 'named',
    either: [['order_id'], ['wallet', 'nonce']],
    query: {
      order_id: param.integer(
        [1, Number.MAX_SAFE_INTEGER],
        null,
        'Id of the order, assigned by the venue; signed as decimal text',
      ),
      wallet: param.address('Wallet that acts, or that is read'),
      nonce: param.nonce('Nonce of the order or cancel'),
    },
    errors: [Result.MissingField, Result.NotFound],
    answer: data(
      object({
        order_id: nullable(count('Id of the order; null: none')),
        wallet: nullable(address('Wallet concerned. null, as the nonce: asked for by its id')),
        nonce: nullable(nonce('Nonce of the signed request')),
        action: nullable(text('Name of the signed struct')),
        symbol: nullable(text('Canonical symbol of the instrument')),
        seq: nullable(seq('Sequence of the event')),
        status: oneOf(
          ['ACKED', 'OPEN', 'PARTIALLY_FILLED', 'FILLED', 'CANCELED', 'REJECTED', 'IN_FLIGHT'],
          'Result; `IN_FLIGHT`: not yet decided',
        ),
        reason: nullable(
          anyOf([reasonCode, oneOf(unrecordedCodes)]),
          'Reason as text for people, which may change; null: none',
        ),
        source: oneOf(
          ['measured', 'store'],
          '`measured`: its times were measured; `store`: it comes from the history',
        ),
        gateway: nullable(count('Gateway that received it; null: unknown')),
        received_at: nullable(millis('Time of receipt; null: unknown')),
        stages: object(
          {
            socket_micros: nullable(
              count(
                'From the moment that the request was there to the look at its signature; null: not measured',
              ),
            ),
            recovery_micros: nullable(
              count('Until its command was in the ring to the core; null: not measured'),
            ),
            ring_micros: nullable(count('Until a batch began; null: not measured')),
            batch_micros: nullable(
              count('Until the commands of the batch were all decided; null: not measured'),
            ),
            match_micros: nullable(
              count('Until the batch was matched, applied and published; null: not measured'),
            ),
            flush_micros: nullable(count('Until the batch was durable; null: not measured')),
            pump_micros: nullable(count('Until the answer had left; null: not measured')),
            total_micros: nullable(count('All of it; null: not measured')),
          },
          'Duration of each stage in microseconds',
        ),
        batch: nullable(
          object(
            {
              number: count('Number of the batch, rising'),
              first_seq: seq('Sequence of its first event'),
              last_seq: seq('Sequence of its last event'),
              commands: count('Commands in the batch'),
              place: count('Place in the batch. From 1, in the order of the answers'),
              time: millis('Time of the batch'),
            },
            'Engine step (batch) that decided it; null: unknown',
          ),
        ),
        neighbours: list(
          object({
            seq: seq('Sequence of the event'),
            place: count('Place in the batch'),
            order_id: nullable(count('Id of the order; null: none')),
            action: nullable(text('Name of the signed struct')),
            gateway: nullable(count('Gateway that received it; null: unknown')),
            status: nullable(oneOf(orderStatusNames, 'Result; `IN_FLIGHT`: not yet decided')),
          }),
          'Other commands of the same batch',
        ),
        check: nullable(
          object(
            {
              name: anyOf([reasonCode, oneOf(unrecordedCodes)], 'Code of the check'),
              has: nullable(
                anyOf([decimal(), number()]),
                'Actual value; null: the check compares no numbers',
              ),
              needs: nullable(
                anyOf([decimal(), number()]),
                'Required value; null: the check compares no numbers',
              ),
              details: nullable(
                anyOf([reasonDetails, signatureDetails]),
                'Numbers of the check, by name; null: it has none',
              ),
              note: nullable(text('Further explanation; null: none')),
            },
            'Check that failed; null: it was accepted',
          ),
        ),
        margin: nullable(
          object(
            {
              model: oneOf(marginModelNames, 'Margin model'),
              scenario: nullable(
                object(
                  {
                    kind: oneOf(scenarioKindNames, 'Kind of the shock'),
                    id: text('Its id'),
                    spot_shift: number('Change of the index as a fraction'),
                    vol_shift: number('Change of volatility as a fraction'),
                    skew: number('Change of the skew of the smile'),
                    kurtosis: number('Change of the wings of the smile'),
                    weight: number('Share of the loss that counts'),
                    loss: decimal('Loss of the account in the scenario, in USD'),
                  },
                  'Binding scenario; null: none',
                ),
              ),
              binding: nullable(
                oneOf(marginBounds, 'Term that determines the margin; null: unknown'),
              ),
            },
            'Term that determined the margin; null: unknown',
          ),
        ),
      }),
    ),
  }),
}

/** Results of a bulk. A bare list of items has a bare list of results. */
const bulkAnswer = whole(
  anyOf([
    object({ results: list(bulkResult, 'One result for each item, in the order of the request') }),
    list(bulkResult),
  ]),
)

export const ordersWrites = {
  'POST /order': write({
    group: 'Orders',
    summary: 'Places an order of an option',
    body: placeBody,
    structs: [
      orderStructs.PlaceOrder,
      orderStructs.PlaceOrderWithoutRoute,
      orderStructs.PlaceOrderReduceOnly,
    ],
    categories: ['OrderPlacement'],
    latency: 'place',
    example: {
      symbol: 'BTC-20301227-100000-C',
      side: 'Buy',
      size: '0.5',
      price: '1250',
      tif: 'gtc',
      route: 'book_only',
      client_id: 'first-1',
    },
    answer: whole(orderUpdate),
  }),
  'PUT /order': write({
    group: 'Orders',
    summary: 'Replaces an order with a new one, atomically',
    body: replaceBody,
    structs: [orderStructs.ReplaceOrder, orderStructs.ReplaceOrderReduceOnly],
    categories: ['OrderPlacement'],
    latency: 'replace',
    example: {
      symbol: 'BTC-20301227-100000-C',
      side: 'Buy',
      size: '0.5',
      price: '1240',
      tif: 'gtc',
      order_id: 4096,
    },
    answer: whole(orderUpdate),
  }),
  'DELETE /order': write({
    group: 'Orders',
    summary: 'Cancels an order by order id or client id',
    body: cancelEitherBody,
    structs: [orderStructs.CancelOrder, orderStructs.CancelOrderByClientId],
    categories: ['OrderCancellation'],
    latency: 'cancel',
    example: { order_id: 4096 },
    answer: whole(canceledUpdate),
  }),
  'DELETE /order_cloid': write({
    group: 'Orders',
    summary: 'Cancels an order by client id',
    body: cancelByClientIdBody,
    structs: [orderStructs.CancelOrderByClientId],
    categories: ['OrderCancellation'],
    latency: 'cancel',
    example: { client_id: 'first-1' },
    answer: whole(
      object({
        success: flag('True if the request succeeded'),
        data: described(orderUpdate, 'Order that was canceled'),
        error: nullable(text('Reason of the failure; null: the request succeeded')),
      }),
      Envelope.Data,
    ),
  }),
  'POST /order/debug': write({
    group: 'Orders',
    summary: 'Returns the hashed values of an order and its recovered signer; places nothing',
    body: placeBody,
    structs: [
      orderStructs.PlaceOrder,
      orderStructs.PlaceOrderWithoutRoute,
      orderStructs.PlaceOrderReduceOnly,
    ],
    categories: null,
    latency: null,
    example: {
      symbol: 'BTC-20301227-100000-C',
      side: 'Buy',
      size: '0.5',
      price: '1250',
      tif: 'gtc',
      route: 'book_only',
      client_id: 'first-1',
    },
    answer: whole(
      object({
        layout: text('The struct that was signed'),
        fields: mapOf(anything(), 'Fields of the struct as the venue hashed them'),
        digest: digest('Signed EIP-712 digest'),
        recovered_address: nullable(
          address('Recovered signer; null: the signature recovers no address'),
        ),
        domain: object(
          {
            name: text('Name of the domain'),
            version: text('Version of the domain'),
            chain_id: text('Chain of the signing domain'),
          },
          'The EIP-712 domain that signatures are made under',
        ),
        is_wallet: flag('True if the signer is the wallet'),
        matches_other_layout: nullable(
          text('Another struct that matches the signature; null: none does'),
        ),
      }),
    ),
  }),
  'POST /bulk_order': write({
    group: 'Orders',
    summary: 'Places up to 50 orders',
    body: placeBody,
    structs: [
      orderStructs.PlaceOrder,
      orderStructs.PlaceOrderWithoutRoute,
      orderStructs.PlaceOrderReduceOnly,
    ],
    categories: ['OrderPlacement'],
    latency: 'bulk',
    list: 'orders',
    example: {
      symbol: 'BTC-20301227-100000-C',
      side: 'Buy',
      size: '0.5',
      price: '1250',
      tif: 'gtc',
      route: 'book_only',
      client_id: 'first-1',
    },
    answer: bulkAnswer,
  }),
  'PUT /bulk_order': write({
    group: 'Orders',
    summary: 'Replaces up to 50 orders',
    body: replaceBody,
    structs: [orderStructs.ReplaceOrder, orderStructs.ReplaceOrderReduceOnly],
    categories: ['OrderPlacement'],
    latency: 'bulk',
    list: 'replacements',
    example: {
      symbol: 'BTC-20301227-100000-C',
      side: 'Buy',
      size: '0.5',
      price: '1240',
      tif: 'gtc',
      order_id: 4096,
    },
    answer: bulkAnswer,
  }),
  'DELETE /bulk_order': write({
    group: 'Orders',
    summary: 'Cancels up to 50 orders',
    body: cancelEitherBody,
    structs: [orderStructs.CancelOrder, orderStructs.CancelOrderByClientId],
    categories: ['OrderCancellation'],
    latency: 'bulk',
    list: 'cancels',
    example: { order_id: 4096 },
    answer: bulkAnswer,
  }),
  'DELETE /bulk_order_cloid': write({
    group: 'Orders',
    summary: 'Cancels up to 50 orders; another path of DELETE /bulk_order',
    body: cancelEitherBody,
    structs: [orderStructs.CancelOrder, orderStructs.CancelOrderByClientId],
    categories: ['OrderCancellation'],
    latency: 'bulk',
    list: 'cancels',
    example: { client_id: 'first-1' },
    answer: bulkAnswer,
  }),
  'POST /orders': write({
    group: 'Orders',
    summary: 'Places up to 50 orders; another path of POST /bulk_order',
    body: placeBody,
    structs: [
      orderStructs.PlaceOrder,
      orderStructs.PlaceOrderWithoutRoute,
      orderStructs.PlaceOrderReduceOnly,
    ],
    categories: ['OrderPlacement'],
    latency: 'bulk',
    list: 'orders',
    example: {
      symbol: 'BTC-20301227-100000-C',
      side: 'Buy',
      size: '0.5',
      price: '1250',
      tif: 'gtc',
      route: 'book_only',
      client_id: 'first-1',
    },
    answer: bulkAnswer,
  }),
  'POST /orders/cancel': write({
    group: 'Orders',
    summary: 'Cancels up to 50 orders; another path of DELETE /bulk_order',
    body: cancelEitherBody,
    structs: [orderStructs.CancelOrder, orderStructs.CancelOrderByClientId],
    categories: ['OrderCancellation'],
    latency: 'bulk',
    list: 'cancels',
    example: { order_id: 4096 },
    answer: bulkAnswer,
  }),
  'POST /cancel-all': accountWrite({
    group: 'Orders',
    summary: 'Cancels all working orders, requests and quotes of a scope in one step',
    action: 'CancelAll',
    body: {
      wallet: body.wallet('Wallet whose orders end'),
      scope: body.cancelScope('`all`, an underlying, or a symbol'),
    },
    errors: [Result.NotFound],
    example: { scope: 'all' },
    answer: data(
      object({
        ...canceledAll,
      }),
    ),
  }),
  'POST /dead-man': accountWrite({
    group: 'Orders',
    summary: 'Sets a timer that cancels all orders of an inactive wallet; 0 ends it',
    action: 'SetDeadMan',
    body: {
      wallet: body.wallet('Wallet whose orders end'),
      timeout_ms: body.integer(
        0,
        deadManMillisMax,
        `Milliseconds without a newly accepted signed action after which the venue cancels the orders of the wallet; at least ${deadManMillisMin}. 0 ends the timer`,
      ),
    },
    example: { timeout_ms: 60000 },
    answer: data(
      object({
        ...deadMan,
      }),
    ),
  }),
}
