import {
  deliveryStatusNames,
  domainStatusNames,
  orderStatusNames,
  rfqStatusNames,
  sideNames,
} from '../../../schemas/domain.js'
import { anyCode, errorDetails, reasonCode, reasonDetails } from '../shapes/errors.js'
import {
  address,
  component,
  count,
  decimal,
  digest,
  exactly,
  flag,
  list,
  mapOf,
  millis,
  nonce,
  nothing,
  nullable,
  number,
  object,
  oneOf,
  seq,
  text,
  uuid,
} from '../shapes/shape.js'
import { mmpConfig, referralCode, selfTradeMode, tifFields, userTier } from './account-answers.js'
import { bare, data } from './envelopes.js'
import { marginMode } from './risk-answers.js'

// Answers of writes.

/** Why an order or a request was refused, or has ended. */
export const reasonFields = {
  reason: nullable(text),
  reason_code: nullable(reasonCode),
  details: nullable(reasonDetails),
}

const info = object({
  symbol: text,
  price: text,
  size: text,
  side: oneOf(sideNames),
  ...tifFields,
  client_id: nullable(text),
  underlying: nullable(text),
  builder_code_address: nullable(address),
  order_id: nullable(count),
  is_perp: flag,
  mmp_enabled: flag,
  reduce_only: nullable(flag),
  nonce: nullable(nonce),
  signature: nullable(text),
})

const update = {
  timestamp: millis,
  info,
  status: oneOf(orderStatusNames),
  ...reasonFields,
  filled_size: { anyOf: [number, decimal] },
  order_id: nullable(count),
  wallet_address: address,
  mmp_triggered: flag,
  seq,
  'request_id?': text,
}
/** Answer of every order write. `REJECTED` is an answer, not an error. */
const orderUpdate = component('OrderUpdate', object(update))
const canceled = { success: flag, data: orderUpdate, error: nullable(text) }
const canceledUpdate = component('CanceledUpdate', object({ ...update, ...canceled }))

const bulkResult = component(
  'BulkResult',
  object({
    index: count,
    success: flag,
    data: nullable(orderUpdate),
    'error?': nullable(text),
    'code?': nullable(anyCode),
    'details?': errorDetails,
  }),
)
/** A bare array of items is answered by a bare array. */
const bulk = { anyOf: [object({ results: list(bulkResult) }), list(bulkResult)] }

const leg = { instrument: text, side: oneOf(sideNames), size: decimal }
const rfq = {
  rfq_id: uuid,
  status: oneOf(rfqStatusNames),
  underlying: text,
  legs: list(object(leg)),
  quotes: list(
    object({
      quote_id: uuid,
      net_premium: decimal,
      legs: list(object({ ...leg, price: decimal })),
      expires_at: millis,
    }),
  ),
  created_at: millis,
  expires_at: millis,
}
const endedRfq = {
  ...rfq,
  'reason?': nullable(text),
  'reason_code?': nullable(reasonCode),
  'fill_id?': text,
  'fallback_order_id?': count,
}

const directiveAnswer = component(
  'DirectiveAnswer',
  object({
    stage: oneOf(['rejected', 'submitted']),
    directiveId: uuid,
    actionKey: text,
    account: address,
    nonce,
    recoveredSigner: address,
    txHash: nothing,
    rejection: nullable(object({ code: text, message: text })),
    fills: nullable(
      list(
        object({ coin: text, side: oneOf(sideNames), size: decimal, price: decimal, time: millis }),
      ),
    ),
    'orderId?': count,
    'orderStatus?': oneOf(orderStatusNames),
    seq,
  }),
)

const agentAnswer = object({ success: exactly(true), error: nothing, wallet: address, seq })
const preferences = object({ fills: flag, liquidations: flag, settlements: flag })

/** Answer of a CancelAll. */
export const canceledAll = { wallet: address, scope: text, canceled: count }
/** Answer of a SetDeadMan. */
export const deadMan = { wallet: address, timeout_ms: count, fires_at: nullable(millis) }

/** Answers by method and path. */
export const writeAnswers = {
  'POST /order': orderUpdate,
  'PUT /order': orderUpdate,
  'DELETE /order': canceledUpdate,
  'POST /order/debug': object({
    layout: text,
    fields: mapOf({}),
    digest,
    recovered_address: nullable(address),
    domain: object({ name: text, version: text, chain_id: text }),
    is_wallet: flag,
    matches_other_layout: nullable(text),
  }),
  'DELETE /order_cloid': object(canceled),
  'POST /perp-order': { anyOf: [orderUpdate, canceledUpdate] },
  'POST /bulk_order': bulk,
  'PUT /bulk_order': bulk,
  'DELETE /bulk_order': bulk,
  'DELETE /bulk_order_cloid': bulk,
  'POST /orders': bulk,
  'POST /orders/cancel': bulk,
  'POST /rfq/request': object({ ...endedRfq, 'details?': nullable(reasonDetails), seq }),
  'POST /rfq/accept': object({
    rfq_id: uuid,
    quote_id: uuid,
    status: oneOf(['executed', 'failed']),
    fill_id: text,
    'reason?': nullable(text),
    'reason_code?': nullable(reasonCode),
    'details?': nullable(reasonDetails),
    seq,
  }),
  'GET /rfq': bare({ rfqs: list(object(endedRfq)) }),
  'GET /rfq/': bare(endedRfq),
  'POST /v1/actions/hl_limit_order': directiveAnswer,
  'POST /v1/actions/hl_cancel_by_oid': directiveAnswer,
  'POST /v1/actions/hl_cancel_by_cloid': directiveAnswer,
  'POST /v1/actions/hl_set_abstraction': directiveAnswer,
  'POST /v1/actions/hc_update_api_wallet': directiveAnswer,
  'POST /faucet': object({ wallet: address, amount: decimal, seq }),
  'POST /margin-mode': data(
    object({ wallet: address, margin_mode: marginMode, previous_mode: marginMode }),
  ),
  'POST /self-trade-prevention': data(selfTradeMode),
  'POST /cancel-all': data(object(canceledAll)),
  'POST /dead-man': data(object(deadMan)),
  'POST /user-tier': data(userTier),
  'POST /mmp-config': data(mmpConfig),
  'DELETE /mmp-config': data(exactly('deleted')),
  'POST /mmp-config/reset': data(exactly('reset')),
  'POST /approve-agent': agentAnswer,
  'DELETE /revoke-agent': agentAnswer,
  'DELETE /revoke-all-agents': agentAnswer,
  'POST /submitUsernameRequest': data(
    object({
      wallet_address: address,
      requested_username: text,
      status: oneOf(['approved', 'pending']),
    }),
  ),
  'POST /settlement-payouts/seen': object({
    success: exactly(true),
    requested: count,
    affected: count,
    error: nothing,
    seq,
  }),
  'POST /push/subscribe': data(object({ wallet: address, endpoint: text, preferences })),
  'POST /push/unsubscribe': data(object({ wallet: address, removed: count })),
  'POST /push/preferences': data(object({ wallet: address, preferences })),
  'POST /referrals/code': bare(referralCode),
  'POST /referrals/set-referrer': bare({ referred_wallet: address, referrer_wallet: address }),
  'POST /withdraw/usdc': object({
    success: exactly(true),
    request_id: uuid,
    directive_id: uuid,
    domain_status: oneOf(domainStatusNames),
    delivery_status: oneOf(deliveryStatusNames),
    balance_after: decimal,
    message: text,
    seq,
  }),
  'POST /liquidation/standard-margin': data(
    object({
      request_id: text,
      auction_id: text,
      liquidated_wallet: address,
      liquidator_wallet: address,
    }),
  ),
}
