import { formatMicros, parseSignedMicros } from '../../schemas/decimal.js'
import type { SigningDomain, StructType } from '../../schemas/typed-data.js'
import { typedStructs } from '../actions/typed-structs.js'
import { auctionTermsHash } from '../auth/auction-terms-hash.js'
import { typedDataDigest } from '../auth/typed-data-digest.js'
import type { Signer } from './signer.js'
import type {
  LiquidationStatus,
  MarginMode,
  MmpTerms,
  OrderTerms,
  ReplaceTerms,
} from './wire-types.js'

/** Who signs for which wallet, in which domain. */
export interface SigningContext {
  readonly domain: SigningDomain
  readonly signer: Signer
  /** The trading wallet: the signer's own, or one that approved the signer as its agent. */
  readonly wallet: string
}

/** A JSON body, ready to be sent. */
export type SignedBody = Readonly<Record<string, unknown>>

/**
 * Body of POST /order, also the fields of the stream's PlaceOrder.
 * @example
 * const body = signPlaceOrder(context, { symbol, side: 'Buy', size: '1', price: '250' }, nextNonce())
 */
export function signPlaceOrder(
  context: SigningContext,
  terms: OrderTerms,
  nonce: number,
): SignedBody {
  const { symbol, side, size, price, tif = 'gtc' } = terms
  const route = terms.route === undefined ? 'book_only' : terms.route
  const clientId = terms.clientId ?? ''
  const reduceOnly = terms.reduceOnly === true
  let struct: StructType =
    route === null ? typedStructs.PlaceOrderWithoutRoute : typedStructs.PlaceOrder
  if (reduceOnly) struct = typedStructs.PlaceOrderReduceOnly
  const message = { wallet: context.wallet, symbol, side, size, price, tif, clientId, nonce }
  const digest = typedDataDigest(context.domain, struct, {
    ...message,
    route: route ?? '',
    reduceOnly,
  })
  return {
    ...orderFields(context, terms, tif, nonce),
    ...(route === null ? {} : { route }),
    signature: context.signer.sign(digest),
  }
}

/** Body of PUT /order. */
export function signReplaceOrder(
  context: SigningContext,
  terms: ReplaceTerms,
  nonce: number,
): SignedBody {
  const { symbol, side, size, price, tif = 'gtc' } = terms
  const reduceOnly = terms.reduceOnly === true
  const struct = reduceOnly ? typedStructs.ReplaceOrderReduceOnly : typedStructs.ReplaceOrder
  const digest = typedDataDigest(context.domain, struct, {
    wallet: context.wallet,
    orderId: String(terms.orderId),
    symbol,
    side,
    size,
    price,
    tif,
    clientId: terms.clientId ?? '',
    reduceOnly,
    nonce,
  })
  return {
    ...orderFields(context, terms, tif, nonce),
    order_id: terms.orderId,
    signature: context.signer.sign(digest),
  }
}

/** Body of DELETE /order by order id. */
export function signCancelOrder(
  context: SigningContext,
  orderId: number,
  nonce: number,
): SignedBody {
  const { wallet, domain, signer } = context
  const message = { wallet, orderId: String(orderId), nonce }
  const signature = signer.sign(typedDataDigest(domain, typedStructs.CancelOrder, message))
  return { wallet, order_id: orderId, nonce, signature }
}

/** Body of DELETE /order by client id. */
export function signCancelByClientId(
  context: SigningContext,
  clientId: string,
  nonce: number,
): SignedBody {
  const { wallet, domain, signer } = context
  const message = { wallet, clientId, nonce }
  const digest = typedDataDigest(domain, typedStructs.CancelOrderByClientId, message)
  return { wallet, client_id: clientId, nonce, signature: signer.sign(digest) }
}

/**
 * Body of POST /liquidation/standard-margin: a bid on the terms of a status, which are copied as they are.
 * @param bidUsdc what is paid at most; below 0: what has to be paid by the insurance fund at least.
 */
export function signLiquidationBid(
  context: SigningContext,
  status: LiquidationStatus,
  bidUsdc: string,
  nonce: number,
  intent: string,
): SignedBody {
  const { wallet, domain, signer } = context
  const auction = status.full_liquidation
  if (auction === null) throw new Error('no auction runs for this wallet')
  const terms = {
    auctionId: auction.auction_id,
    liquidatedWallet: status.wallet,
    auctionVersion: auction.current_auction_version,
    portfolioHash: auction.current_portfolio_hash,
    bidUsdc: formatMicros(parseSignedMicros(bidUsdc)),
    valuationTimestampMillis: auction.current_valuation_timestamp_ms,
  }
  const hash = auctionTermsHash(terms)
  const digest = typedDataDigest(domain, typedStructs.StandardMarginLiquidationOrder, {
    wallet,
    liquidatedWallet: status.wallet,
    requestId: auction.request_id,
    auctionId: auction.auction_id,
    bidUsdc,
    portfolioHash: auction.current_portfolio_hash,
    auctionTermsHash: hash,
    bidIntentHash: intent,
    auctionVersion: auction.current_auction_version,
    nonce,
  })
  return {
    wallet,
    liquidated_wallet: status.wallet,
    request_id: auction.request_id,
    auction_id: auction.auction_id,
    bid_usdc: bidUsdc,
    positions: auction.current_positions,
    portfolio_hash: auction.current_portfolio_hash,
    auction_terms_hash: hash,
    auction_version: auction.current_auction_version,
    valuation_timestamp_ms: auction.current_valuation_timestamp_ms,
    bid_intent_hash: intent,
    nonce,
    signature: signer.sign(digest),
  }
}

/** Body of POST /approve-agent; the signer must be the owner. */
export function signApproveAgent(
  context: SigningContext,
  agent: string,
  nonce: number,
): SignedBody {
  const digest = typedDataDigest(context.domain, typedStructs.ApproveAgent, { agent, nonce })
  return { agent, nonce, signature: context.signer.sign(digest) }
}

/** Body of DELETE /revoke-agent; the signer must be the owner. */
export function signRevokeAgent(context: SigningContext, agent: string, nonce: number): SignedBody {
  const digest = typedDataDigest(context.domain, typedStructs.RevokeAgent, { agent, nonce })
  return { agent, nonce, signature: context.signer.sign(digest) }
}

/** Body of DELETE /revoke-all-agents; the signer must be the owner. */
export function signRevokeAllAgents(context: SigningContext, nonce: number): SignedBody {
  const digest = typedDataDigest(context.domain, typedStructs.RevokeAllAgents, { nonce })
  return { nonce, signature: context.signer.sign(digest) }
}

/** Body of POST /mmp-config. */
export function signSetMmpConfig(
  context: SigningContext,
  terms: MmpTerms,
  nonce: number,
): SignedBody {
  const { wallet, domain, signer } = context
  const { currency, intervalMs, frozenTimeMs, qtyLimit, deltaLimit, vegaLimit } = terms
  const limits = {
    qtyLimit: qtyLimit ?? '',
    deltaLimit: deltaLimit ?? '',
    vegaLimit: vegaLimit ?? '',
  }
  const message = { wallet, currency, intervalMs, frozenTimeMs, ...limits, nonce }
  const signature = signer.sign(typedDataDigest(domain, typedStructs.SetMmpConfig, message))
  return {
    wallet,
    currency,
    interval_ms: intervalMs,
    frozen_time_ms: frozenTimeMs,
    ...(qtyLimit === undefined ? {} : { qty_limit: qtyLimit }),
    ...(deltaLimit === undefined ? {} : { delta_limit: deltaLimit }),
    ...(vegaLimit === undefined ? {} : { vega_limit: vegaLimit }),
    nonce,
    signature,
  }
}

/** Body of DELETE /mmp-config. */
export function signDeleteMmpConfig(
  context: SigningContext,
  currency: string,
  nonce: number,
): SignedBody {
  return signMmpEnd(context, typedStructs.DeleteMmpConfig, currency, nonce)
}

/** Body of POST /mmp-config/reset. */
export function signResetMmp(context: SigningContext, currency: string, nonce: number): SignedBody {
  return signMmpEnd(context, typedStructs.ResetMmp, currency, nonce)
}

function signMmpEnd(
  { wallet, domain, signer }: SigningContext,
  struct: StructType,
  currency: string,
  nonce: number,
): SignedBody {
  const digest = typedDataDigest(domain, struct, { wallet, currency, nonce })
  return { wallet, currency, nonce, signature: signer.sign(digest) }
}

/** Body of POST /margin-mode. */
export function signSetMarginMode(
  context: SigningContext,
  marginMode: MarginMode,
  nonce: number,
): SignedBody {
  const { wallet, domain, signer } = context
  const digest = typedDataDigest(domain, typedStructs.SetMarginMode, { wallet, marginMode, nonce })
  return { wallet, margin_mode: marginMode, nonce, signature: signer.sign(digest) }
}

/** Body of POST /settlement-payouts/seen. @param ids of payouts, in any order, at most 100. */
export function signSetPayoutsSeen(
  context: SigningContext,
  ids: readonly number[],
  seen: boolean,
  nonce: number,
): SignedBody {
  const { wallet, domain, signer } = context
  const message = { wallet, payoutIds: ids.join(','), seen, nonce }
  const digest = typedDataDigest(domain, typedStructs.SetSettlementPayoutSeen, message)
  return { wallet, ids, seen, nonce, signature: signer.sign(digest) }
}

function orderFields(
  context: SigningContext,
  terms: Omit<OrderTerms, 'route'>,
  tif: string,
  nonce: number,
): SignedBody {
  const { symbol, side, size, price, clientId, reduceOnly, mmpEnabled } = terms
  const builder = terms.builderCodeAddress
  return {
    wallet: context.wallet,
    symbol,
    side,
    size,
    price,
    tif,
    nonce,
    ...(clientId ? { client_id: clientId } : {}),
    ...(reduceOnly ? { reduce_only: true } : {}),
    ...(mmpEnabled ? { mmp_enabled: true } : {}),
    ...(builder ? { builder_code_address: builder } : {}),
  }
}
