import { bulkItemsMax, deadManMillisMax, deadManMillisMin, orderTracesKept } from '../bounds.js'
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

const wallet = address('Wallet of the order')
const symbol = text('Canonical symbol')
export const clientId = nullable(text('Client id of the order; null: none'))
const side = oneOf(sideNames, 'Side of the order')
const eventSeq = seq('Sequence of the event')

export const tifFields = {
  'tif?': oneOf(
    optionTifNames,
    'Time in force. `gtc` rests until it is canceled. `ioc` cancels the part that does not trade on arrival. `fok` ' +
      'trades in full on arrival or not at all. Absent for an order that only adds liquidity',
  ),
  'add_liquidity_only?': exactly(
    true,
    'True for a perp order that the venue rejects if it would trade on arrival; absent for any other order',
  ),
}

/** Reason for the end or the rejection of an order. */
export const whyFields = {
  reason: nullable(
    text('Reason for the rejection or cancellation, for people; may change; null: none'),
  ),
  reason_code: nullable(reasonCode, 'Stable code of the reason; null: none'),
}
export const reasonFields = {
  ...whyFields,
  details: nullable(reasonDetails, 'Values of the reason, by name; null: none'),
}

export const order = named('Order', {
  order_id: count('Id of the order, assigned by the venue'),
  wallet_address: wallet,
  symbol,
  side,
  price: decimal('Limit price in USD per contract'),
  size: decimal('Size in contracts'),
  ...tifFields,
  status: oneOf(lowerCase(orderStatusNames), 'Status in lower case; see `x-states`'),
  created_at: millis('Time of acceptance'),
  updated_at: iso('Time of the latest change'),
  filled_size: decimal('Contracts filled so far'),
  client_id: clientId,
  reduce_only: flag('True if the order may only reduce a position'),
  mmp_enabled: flag('True if market-maker protection counts fills of the order and may cancel it'),
  instrument_type: oneOf(instrumentTypeNames, 'Type of the instrument'),
  ...whyFields,
  avg_fill_price: nullable(decimal('Average fill price in USD per contract; null: no fill')),
})
export type Order = JsonOf<typeof order>

export const fillSource = named('FillSource', {
  type: oneOf(['orderbook', 'rfq'], '`orderbook`; `rfq`: a request for quote or an auction'),
  'rfq_id?': uuid('Id of the request or the auction; absent for a trade on the book'),
  'quote_id?': uuid('Id of the executed quote; absent for a trade on the book'),
})
export type FillSource = JsonOf<typeof fillSource>

/** Fields of a fill, in answers and in messages. */
export const fillFields = {
  fill_id: count('Id of the fill; each side of a trade has its own'),
  trade_id: count('Id of the trade, common to both sides; ids rise with time'),
  order_id: positiveInteger(
    'Id of the order. Requests for quote and quotes are not orders: their fills carry 2^52 + `fill_id`, which no ' +
      'order ' +
      'uses',
  ),
  wallet_address: address('Wallet of the fill'),
  symbol,
  side: oneOf(sideNames, 'Side of the wallet'),
  price: decimal('Price in USD per contract'),
  size: decimal('Contracts'),
  fee: decimal('Fee in USD; negative: a rebate'),
  is_taker: flag('True if the wallet was the taker'),
  timestamp: millis('Time of the fill'),
  builder_code_address: nullable(address('Builder that earned the builder fee; null: none')),
  builder_code_fee: nullable(
    decimal('Share of the fee that the builder earned, in USD; null: none'),
  ),
  instrument_type: oneOf(instrumentTypeNames, 'Type of the instrument'),
  fill_source: described(fillSource, 'Origin of the fill'),
}

export const fill = named('Fill', {
  ...fillFields,
  created_at: iso('Time of the fill'),
  realized_pnl: decimal('Realized profit of the fill in USD, before fees'),
  explorer_url: nothing('Always null: trades are not on a chain'),
})
export type Fill = JsonOf<typeof fill>

const updateFields = {
  timestamp: millis('Engine time of the result'),
  info: object(
    {
      symbol: text('Canonical symbol; empty: a cancel of an unknown order'),
      price: text('Limit price in USD per contract, as received'),
      size: text('Contracts, as received'),
      side,
      ...tifFields,
      client_id: clientId,
      underlying: nullable(text('Name of the underlying; null: unknown')),
      builder_code_address: nullable(address('Builder that the order names; null: none')),
      order_id: nullable(
        count('Id of the order; for a replacement, the id of the old order; null: none'),
      ),
      is_perp: flag('True for a perp order'),
      mmp_enabled: flag(
        'True if market-maker protection counts fills of the order and may cancel it',
      ),
      reduce_only: nullable(
        flag(
          'True if the order may only reduce a position; null: the request omits it, or unknown',
        ),
      ),
      nonce: nullable(nonce('Signed nonce; null for a cancel')),
      signature: nullable(text('Signature as received; null for a cancel')),
    },
    'The order as received; for a cancel, the order to cancel',
  ),
  status: oneOf(
    orderStatusNames,
    'Status after the first pass through auction and book, or `REJECTED`; see `x-states`',
  ),
  ...reasonFields,
  filled_size: anyOf(
    [number(), decimal()],
    'Contracts filled so far: a number, or decimal text where `compat.decimalStrings` is true',
  ),
  order_id: nullable(
    count('Id of the order; for a replacement, the id of the new order; null: rejected'),
  ),
  wallet_address: wallet,
  mmp_triggered: flag('True if a fill of the order triggered market-maker protection'),
  seq: eventSeq,
  'request_id?': text('`X-Request-Id` of the request; absent: none'),
}

export const orderUpdate = named('OrderUpdate', updateFields)
export type OrderUpdate = JsonOf<typeof orderUpdate>

/** Envelope of an answer to a cancel. */
const canceledFields = {
  success: flag('True if the order was canceled'),
  data: described(orderUpdate, 'Update of the order'),
  error: nullable(text('Reason for a rejection, for people; may change; null: none')),
}

export const canceledUpdate = named('CanceledUpdate', { ...updateFields, ...canceledFields })

const canceledByClientId = object(canceledFields)

export const bulkResult = named('BulkResult', {
  index: count('Position in the list of the request, from 0'),
  success: flag('True if the venue accepted the item or, for a cancel, canceled the order'),
  data: nullable(orderUpdate, 'Update of the order; null: the item failed before the engine'),
  'error?': nullable(
    text('Reason for a failure or a rejection, for people; may change; absent: success'),
  ),
  'code?': nullable(
    anyOf([errorCode, reasonCode]),
    'Code of the error, or `reason_code` of the rejection; absent: success',
  ),
  'details?': anyOf(
    [reasonDetails, signatureDetails],
    'Values of the error, by name; absent: none',
  ),
})

/** Results of a bulk, as an object or as a list, like the body of the request. */
const bulkResults = anyOf([
  object({ results: list(bulkResult, 'One result per item, in the order of the request') }),
  list(bulkResult),
])

export const canceledAll = {
  wallet: address('Wallet of the orders'),
  scope: text('Scope of the request: `all`, an underlying or a symbol'),
  canceled: count('Number of canceled orders, without requests for quote and quotes'),
}

export const deadMan = {
  wallet: address('Wallet of the timer'),
  timeout_ms: count('Timeout in milliseconds; 0: no timer'),
  fires_at: nullable(
    millis('Time at which the timer fires unless the wallet signs an action; null: no timer'),
  ),
}

/** Hashed values of an order, and the signer. */
const signedOrder = object({
  layout: text('Name of the signed struct, with or without `route`'),
  fields: mapOf(anything(), 'Fields of the struct, as hashed'),
  digest: digest('EIP-712 digest'),
  recovered_address: nullable(address('Recovered signer; null: the signature recovers no address')),
  domain: object(
    {
      name: text('Name of the domain'),
      version: text('Version of the domain'),
      chain_id: text('Chain id of the domain, as decimal text'),
    },
    'EIP-712 domain of the digest',
  ),
  is_wallet: flag('True if the wallet itself is the signer'),
  matches_other_layout: nullable(
    text('Layout that the wallet did sign, with or without `route`; null: none'),
  ),
})
export type SignedOrder = JsonOf<typeof signedOrder>

const whyCode = anyOf([reasonCode, oneOf(unrecordedCodes)])
const orderId = nullable(count('Id of the order; null: none'))
const action = nullable(
  text('Name of the signed struct; a perp order has the name of an option order; null: unknown'),
)
const micros = (words: string) => nullable(count(`${words}, in microseconds; null: not measured`))

const orderStages = object(
  {
    socket_micros: micros('Time from the arrival of the request to its signature check'),
    recovery_micros: micros(
      'Time of the signature recovery, until the write into the command ring',
    ),
    ring_micros: micros('Wait in the command ring, until the batch began'),
    batch_micros: micros('Time to decide all commands of the batch'),
    match_micros: micros('Time to match, apply and publish the batch'),
    flush_micros: micros('Journal flush, until the batch was durable'),
    pump_micros: micros('Delivery, until the answer left the gateway'),
    total_micros: micros('Total of all stages'),
  },
  'Duration of each stage',
)
export type OrderStages = JsonOf<typeof orderStages>

const orderBatch = object(
  {
    number: count('Number of the batch; numbers rise'),
    first_seq: seq('Sequence of the first event of the batch'),
    last_seq: seq('Sequence of the last event of the batch'),
    commands: count('Number of commands in the batch; each item of a bulk counts'),
    place: count('Position of the command in the batch, from 1, in the order of the answers'),
    time: millis('Engine time of the batch'),
  },
  'Batch that decided the command; null: unknown, or an auction decided it later',
)
export type OrderBatch = JsonOf<typeof orderBatch>

const batchNeighbour = object({
  seq: eventSeq,
  place: count('Position in the batch, from 1'),
  order_id: orderId,
  action,
  gateway: nullable(count('Number of the gateway that received it; null: the operator')),
  status: nullable(
    oneOf(orderStatusNames, 'Status of the order; null: neither an order nor a cancel'),
  ),
})
export type BatchNeighbour = JsonOf<typeof batchNeighbour>

const failedCheck = object(
  {
    name: described(whyCode, 'Code of the check'),
    has: nullable(anyOf([decimal(), number()]), 'Actual value; null: the check compares no values'),
    needs: nullable(
      anyOf([decimal(), number()]),
      'Required value or limit; null: the check compares no values',
    ),
    details: nullable(
      anyOf([reasonDetails, signatureDetails]),
      'Values of the check, by name; null: none',
    ),
    note: nullable(text('Explanation for people; may change; null: none')),
  },
  'Check that rejected the command; null: not rejected',
)
export type FailedCheck = JsonOf<typeof failedCheck>

const bindingScenario = object(
  {
    kind: oneOf(scenarioKindNames, 'Kind of the shock'),
    id: text('Id of the scenario'),
    spot_shift: number('Relative change of the index; -0.4 is a fall of 40 %'),
    vol_shift: number('Relative change of implied volatility'),
    skew: number('Change of the skew of the smile'),
    kurtosis: number('Change of the wings of the smile'),
    weight: number('Fraction of the loss that counts'),
    loss: decimal(
      'Loss of the wallet in the underlying under this scenario, including the order and before the weight, in USD',
    ),
  },
  'Scenario with the largest loss; null: the model has none',
)
export type BindingScenario = JsonOf<typeof bindingScenario>

const bindingMargin = object(
  {
    model: oneOf(marginModelNames, 'Margin model of the wallet'),
    scenario: nullable(bindingScenario),
    binding: nullable(oneOf(marginBounds, 'Term that determines the margin; null: unknown')),
  },
  'Margin of an order rejected with `insufficient_margin`; null for any other command',
)
export type BindingMargin = JsonOf<typeof bindingMargin>

const orderWhy = object({
  order_id: orderId,
  wallet: nullable(address('Wallet of the command; null: the query names the order id')),
  nonce: nullable(nonce('Nonce of the command; null: the query names the order id')),
  action,
  symbol: nullable(text('Canonical symbol; null: unknown')),
  seq: nullable(
    seq(
      'Sequence in the answer to the command; null: no answer yet, or a gateway rejected the command',
    ),
  ),
  status: oneOf(
    ['ACKED', 'OPEN', 'PARTIALLY_FILLED', 'FILLED', 'CANCELED', 'REJECTED', 'IN_FLIGHT'],
    'Status in the answer to the command, or the current status if `source` is `store`; `IN_FLIGHT`: not decided yet',
  ),
  reason: nullable(whyCode, 'Stable code of the reason; null: none'),
  source: oneOf(
    ['measured', 'store'],
    '`measured`: timestamps of all threads; `store`: the history store, without timings',
  ),
  gateway: nullable(count('Number of the gateway that received the command; null: unknown')),
  received_at: nullable(millis('Engine time of arrival; null: unknown')),
  stages: orderStages,
  batch: nullable(orderBatch),
  neighbours: list(
    batchNeighbour,
    'Up to five commands before and five after it in the batch, in the order of the answers',
  ),
  check: nullable(failedCheck),
  margin: nullable(bindingMargin),
})
export type OrderWhy = JsonOf<typeof orderWhy>

export const ordersReads = {
  'GET /orders': walletRead({
    group: 'Account',
    summary: 'Returns the orders of a wallet',
    description:
      'Newest first. `status=open` selects all working orders, including partially filled ones. The answer has all ' +
      'working ' +
      'orders, and final ones while the venue retains them. The venue does not store rejected orders.',
    answeredBy: 'history',
    query: { status: param.orderStatus, ...param.page(50, 50) },
    answer: rows(order, 'Orders that match the filter'),
  }),
  'GET /orders/status': walletRead({
    group: 'Account',
    summary: 'Returns an order by its order id or client id',
    description:
      'Searches by order id first, then for the latest order with this client id. For a rejected order, use ' +
      'GET /orders/why.',
    answeredBy: 'history',
    query: { order_id: param.requiredText('Order id, or client id') },
    answer: row(nullable(order, 'The order; null: unknown')),
  }),
  'GET /fills': walletRead({
    group: 'Account',
    summary: 'Returns the fills of a wallet',
    description: 'Newest first. To follow fills, subscribe to the channel `fills` of the stream.',
    answeredBy: 'history',
    query: { ...param.page(100, 50) },
    answer: rows(fill, 'Fills of the wallet'),
  }),
  'GET /profile/trades': walletRead({
    group: 'Account',
    summary: 'Returns the fills of a wallet in an instrument or a time range',
    description: 'Newest first.',
    answeredBy: 'history',
    query: {
      symbol: param.text('Numeric id or symbol of an instrument; absent: all'),
      ...param.span,
      ...param.page(100, 50),
    },
    answer: rows(fill, 'Fills that match the filters'),
  }),
  'GET /orders/why': read({
    group: 'Account',
    summary: 'Explains the result of an order or a cancel: stages, batch and failed check',
    description:
      `Each gateway keeps the latest ${orderTracesKept} commands. An older order comes from the history store, ` +
      `without timings. A ` +
      'query by wallet and nonce also finds cancels, rejections, and failures of signature or rate limit. Where ' +
      'private ' +
      'reads are signed, a query by order id returns no amounts.',
    answeredBy: 'gateway',
    reader: 'named',
    either: [['order_id'], ['wallet', 'nonce']],
    query: {
      order_id: param.integer(
        [1, Number.MAX_SAFE_INTEGER],
        null,
        'Id of the order, assigned by the venue',
      ),
      wallet: param.address('Wallet of the order or cancel'),
      nonce: param.nonce('Signed nonce of the order or cancel'),
    },
    errors: [Result.MissingField, Result.NotFound],
    answer: data(described(orderWhy, 'Explanation of the command')),
  }),
}

const example = { symbol: 'BTC-20301227-100000-C', side: 'Buy', size: '0.5', tif: 'gtc' }
const placing = {
  body: placeBody,
  structs: [
    orderStructs.PlaceOrder,
    orderStructs.PlaceOrderWithoutRoute,
    orderStructs.PlaceOrderReduceOnly,
  ],
  categories: ['OrderPlacement'],
  example: { ...example, price: '1250', route: 'book_only', client_id: 'first-1' },
} as const
const replacing = {
  body: replaceBody,
  structs: [orderStructs.ReplaceOrder, orderStructs.ReplaceOrderReduceOnly],
  categories: ['OrderPlacement'],
  example: { ...example, price: '1240', order_id: 4096 },
} as const
const canceling = {
  body: cancelEitherBody,
  structs: [orderStructs.CancelOrder, orderStructs.CancelOrderByClientId],
  categories: ['OrderCancellation'],
  example: { order_id: 4096 },
} as const

export const ordersWrites = {
  'POST /order': write({
    group: 'Orders',
    summary: 'Places an option order',
    description:
      'The venue answers after the first pass through auction and book, so with `best_execution` the answer may ' +
      'take as ' +
      'long as an auction. If no answer arrives, retry with the same nonce: the venue returns the first result.',
    ...placing,
    latency: 'place',
    answer: whole(orderUpdate),
  }),
  'PUT /order': write({
    group: 'Orders',
    summary: 'Replaces a working order with a new one in one step',
    description:
      'The new order has a new id and a new place in the queue. If the old order cannot be canceled or the new one ' +
      'is ' +
      'rejected, nothing changes.',
    ...replacing,
    latency: 'replace',
    answer: whole(orderUpdate),
  }),
  'DELETE /order': write({
    group: 'Orders',
    summary: 'Cancels an order by order id or client id',
    description:
      'Also cancels perp orders. A cancel of an order that is already final is `REJECTED`.',
    ...canceling,
    latency: 'cancel',
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
    answer: whole(canceledByClientId, Envelope.Data),
  }),
  'POST /order/debug': write({
    group: 'Orders',
    summary: 'Shows the hash of a signed order and its recovered signer; places nothing',
    description:
      'Use it to find the cause of `signature_verification_failed`. Each call counts as a failed signature of the ' +
      'client ' +
      'address. The preset `mainnet-alpha` does not serve it.',
    ...placing,
    categories: null,
    latency: null,
    answer: whole(signedOrder),
  }),
  'POST /bulk_order': write({
    group: 'Orders',
    summary: `Places up to ${bulkItemsMax} option orders`,
    description:
      'The items run in order within one batch; each has its own result. The answer to a list is a list, the ' +
      'answer to an ' +
      'object is an object. Orders trade on the book only: the venue rejects any `route` other than `book_only`.',
    ...placing,
    latency: 'bulk',
    list: 'orders',
    answer: whole(bulkResults),
  }),
  'PUT /bulk_order': write({
    group: 'Orders',
    summary: `Replaces up to ${bulkItemsMax} orders`,
    description:
      'Each replacement is atomic; the list is not. The items run in order within one batch.',
    ...replacing,
    latency: 'bulk',
    list: 'replacements',
    answer: whole(bulkResults),
  }),
  'DELETE /bulk_order': write({
    group: 'Orders',
    summary: `Cancels up to ${bulkItemsMax} orders by order id or client id`,
    description: 'The items run in order within one batch; each has its own result.',
    ...canceling,
    latency: 'bulk',
    list: 'cancels',
    answer: whole(bulkResults),
  }),
  'DELETE /bulk_order_cloid': write({
    group: 'Orders',
    summary: `Cancels up to ${bulkItemsMax} orders by order id or client id; same as DELETE /bulk_order`,
    ...canceling,
    latency: 'bulk',
    list: 'cancels',
    example: { client_id: 'first-1' },
    answer: whole(bulkResults),
  }),
  'POST /orders': write({
    group: 'Orders',
    summary: `Places up to ${bulkItemsMax} option orders; same as POST /bulk_order`,
    ...placing,
    latency: 'bulk',
    list: 'orders',
    answer: whole(bulkResults),
  }),
  'POST /orders/cancel': write({
    group: 'Orders',
    summary: `Cancels up to ${bulkItemsMax} orders by order id or client id; same as DELETE /bulk_order`,
    ...canceling,
    latency: 'bulk',
    list: 'cancels',
    answer: whole(bulkResults),
  }),
  'POST /cancel-all': accountWrite({
    group: 'Orders',
    summary: 'Cancels all working orders, requests for quote and quotes of a scope in one step',
    action: 'CancelAll',
    body: {
      wallet: body.wallet('Wallet whose orders to cancel'),
      scope: body.cancelScope('`all`, an underlying, or a symbol'),
    },
    errors: [Result.NotFound],
    example: { scope: 'all' },
    answer: data(object(canceledAll, 'Canceled orders')),
  }),
  'POST /dead-man': accountWrite({
    group: 'Orders',
    summary: 'Sets or clears the dead-man timer, which cancels all orders of an inactive wallet',
    description:
      'When the timer fires, it does the same as POST /cancel-all with scope `all`, even during a halt. Every ' +
      'newly accepted ' +
      'signed action of the wallet restarts it; a retry does not.',
    action: 'SetDeadMan',
    body: {
      wallet: body.wallet('Wallet of the timer'),
      timeout_ms: body.integer(
        0,
        deadManMillisMax,
        `Milliseconds without a newly accepted signed action after which the timer fires: at least ` +
          `${deadManMillisMin}; 0 clears the timer`,
      ),
    },
    example: { timeout_ms: 60000 },
    answer: data(object(deadMan, 'Timer of the wallet')),
  }),
}
