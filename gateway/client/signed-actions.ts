import { camelCaseOf } from '../../schemas/camel-case.js'
import { formatMicros, parseSignedMicros } from '../../schemas/decimal.js'
import { formatHex } from '../../schemas/hex.js'
import type { SignedShape, TermsOf } from '../../schemas/interface/body.js'
import type { AccountActionName, AccountRows } from '../../schemas/interface/writes.js'
import { auctionTermsHash } from '../../schemas/signing/auction-terms-hash.js'
import { orderStructName } from '../../schemas/signing/order-actions.js'
import { legsHash, parsePremiumMicros, uuidToBytes32 } from '../../schemas/signing/rfq-encoding.js'
import { messageOf } from '../../schemas/signing/signed-message.js'
import { typedDataDigest } from '../../schemas/signing/typed-data-digest.js'
import type { SigningDomain, StructType } from '../../schemas/typed-data.js'
import type {
  OrderTerms,
  ReplaceTerms,
  RfqAcceptTerms,
  RfqTerms,
} from '../../schemas/wire-types.js'
import type { LiquidationStatus } from './answer-types.js'
import { type SignedWrite, signedAcceptance, signedWrites, structs } from './generated/interface.js'
import type { Signer } from './signer.js'
import { signTyped } from './typed-request.js'

/** Signer, wallet and domain of signatures. */
export interface SigningContext {
  readonly domain: SigningDomain
  readonly signer: Signer
  /** The trading wallet: the signer's own, or one that approved the signer as its agent. */
  readonly wallet: string
}

/** JSON body to send. If an account signs it, its signature is a promise until `settled` resolves it. */
export type SignedBody = Readonly<Record<string, unknown>>

/** Signed digest of each body. */
const digests = new WeakMap<SignedBody, string>()

/**
 * Returns the digest that a body of this module was signed over. `actionOutcome` of the client finds its result.
 * @returns `0x` and 64 hexadecimal digits; undefined if this module did not make the body.
 * @example
 * const body = signPlaceOrder(client.context, terms, client.nextNonce())
 * const digest = digestOfBody(body)
 */
export function digestOfBody(body: SignedBody): string | undefined {
  return digests.get(body)
}

const accountWrites = new Map(
  Object.values<SignedWrite>(signedWrites).map((write) => [write.action, write]),
)

/** Terms of an account action: its fields without the wallet. */
export type AccountTerms<Name extends AccountActionName> = TermsOf<AccountRows[Name]['body']>

/**
 * Signs the body of POST /order, which is also that of the stream's PlaceOrder.
 * @example
 * const terms = { symbol, side: 'Buy', size: '1', price: '250' } as const
 * const body = signPlaceOrder(client.context, terms, client.nextNonce())
 */
export function signPlaceOrder(
  context: SigningContext,
  terms: OrderTerms,
  nonce: number,
): SignedBody {
  const route = terms.route === undefined ? 'book_only' : terms.route
  const { reduceOnly = false } = terms
  const struct = structs[orderStructName({ orderId: '', route, reduceOnly })]
  return signBody(
    context,
    struct,
    signedWrites['POST /order'].body,
    { ...givenTerms(terms), route },
    nonce,
  )
}

/**
 * Signs the body of PUT /order, which is also that of the stream's ReplaceOrder.
 * @example
 * const body = signReplaceOrder(client.context, { orderId, ...terms }, client.nextNonce())
 */
export function signReplaceOrder(
  context: SigningContext,
  terms: ReplaceTerms,
  nonce: number,
): SignedBody {
  const { reduceOnly = false, orderId } = terms
  const struct = structs[orderStructName({ orderId: String(orderId), route: null, reduceOnly })]
  return signBody(context, struct, signedWrites['PUT /order'].body, givenTerms(terms), nonce)
}

/**
 * Signs the body of DELETE /order by order id, which is also that of the stream's CancelOrder.
 * @example
 * const body = signCancelOrder(client.context, orderId, client.nextNonce())
 */
export function signCancelOrder(
  context: SigningContext,
  orderId: number,
  nonce: number,
): SignedBody {
  return signBody(
    context,
    structs.CancelOrder,
    signedWrites['DELETE /order'].body,
    { orderId },
    nonce,
  )
}

/**
 * Signs the body of DELETE /order by client id, which is also that of the stream's CancelOrderByClientId.
 * @example
 * const body = signCancelByClientId(client.context, 'grid-17', client.nextNonce())
 */
export function signCancelByClientId(
  context: SigningContext,
  clientId: string,
  nonce: number,
): SignedBody {
  const struct = structs.CancelOrderByClientId
  return signBody(context, struct, signedWrites['DELETE /order_cloid'].body, { clientId }, nonce)
}

/**
 * Signs the body of an account action.
 * @example
 * const mode = { marginMode: 'portfolio' } as const
 * const body = signAction(client.context, 'SetMarginMode', mode, client.nextNonce())
 */
export function signAction<Name extends AccountActionName>(
  context: SigningContext,
  name: Name,
  terms: AccountTerms<Name>,
  nonce: number,
): SignedBody {
  const write = accountWrites.get(name)!
  return signBody(context, write.structs[0]!, write.body, terms, nonce)
}

/**
 * Signs the fields of the stream's SetCancelOnDisconnect, which binds the wallet to the connection that first sends it.
 * @example
 * const body = signCancelOnDisconnect(client.context, true, client.nextNonce())
 */
export function signCancelOnDisconnect(
  context: SigningContext,
  enabled: boolean,
  nonce: number,
): SignedBody {
  const { structs: signed, body } = signedWrites.SetCancelOnDisconnect
  return signBody(context, signed[0]!, body, { enabled }, nonce)
}

/**
 * Signs the body of POST /rfq/request.
 * @example
 * const legs = [{ instrument: symbol, side: 'Buy', size: '1' }] as const
 * const terms = { rfqId: randomUUID(), legs }
 * const body = signRfq(client.context, terms, client.nextNonce())
 */
export function signRfq(context: SigningContext, terms: RfqTerms, nonce: number): SignedBody {
  const isAuto = terms.autoAcceptLimit !== undefined
  const struct = isAuto ? structs.SubmitAutoExecuteRfq : structs.SubmitRFQ
  const named = { ...terms, walletAddress: context.wallet }
  return signBody(context, struct, signedWrites['POST /rfq/request'].body, named, nonce)
}

/**
 * Signs an RFQ as a frame of the stream, which names the limit differently.
 * @example
 * const terms = { rfqId: randomUUID(), legs, autoAcceptLimit: '1200' }
 * const frame = signRfqFrame(client.context, terms, client.nextNonce())
 */
export function signRfqFrame(
  context: SigningContext,
  terms: RfqTerms,
  nonce: number,
): SignedBody & { readonly type: string } {
  const { auto_accept_limit: limit, ...body } = signRfq(context, terms, nonce)
  if (limit === undefined) return { type: 'SubmitRfq', ...body }
  return { type: 'SubmitAutoExecuteRfq', ...body, limit_price: limit }
}

/**
 * Signs the body of POST /rfq/accept, which is also that of the stream's AcceptRfqQuote.
 * @example
 * const terms = { rfqId, quoteId, netPremium }
 * const body = signAcceptRfqQuote(client.context, terms, client.nextNonce())
 */
export function signAcceptRfqQuote(
  context: SigningContext,
  terms: RfqAcceptTerms,
  nonce: number,
): SignedBody {
  const named = { ...terms, walletAddress: context.wallet }
  const struct = structs.AcceptRFQQuote
  // The signature covers the premium, but the body omits it: the quote determines it.
  const signed = signBody(context, struct, signedAcceptance, named, nonce)
  const { net_premium: _, ...body } = signed
  digests.set(body, digests.get(signed)!)
  return body
}

/** A provider's firm quote for all legs of an RFQ. */
export interface RfqQuoteTerms {
  readonly rfqId: string
  /** The legs of the RFQ, in its order, each with a price: decimal text, USD per contract. */
  readonly legs: readonly (RfqLegTexts & { readonly price: string })[]
  /** Decimal text, from the taker's point of view: proceeds of its sells minus cost of its buys. */
  readonly netPremium: string
  /** Validity of the quote, at most 30,000. */
  readonly validForMillis: number
}

/** Leg as its RFQ states it. */
export interface RfqLegTexts {
  readonly instrument: string
  /** `buy` or `sell`, capitalized or not. */
  readonly side: string
  readonly size: string
}

/** Signs the frame with which a quote provider answers an RFQ. */
export function signRfqQuote(
  { domain, signer, wallet }: SigningContext,
  { rfqId, legs, netPremium, validForMillis }: RfqQuoteTerms,
  nonce: number,
): SignedBody {
  const message = {
    rfqId: uuidToBytes32(rfqId)!,
    legsHash: legsHash(legs),
    netPremium: parsePremiumMicros(netPremium, 'truncate')!,
    ...{ validForMs: validForMillis, qpWallet: wallet, nonce },
  }
  const struct = structs.SubmitRFQResponse
  const signature = signTyped(signer, { domain, struct, message })
  return {
    ...{ type: 'rfq_response', action: 'quote', rfq_id: rfqId, legs, net_premium: netPremium },
    ...{ valid_for_ms: validForMillis, nonce, signature },
  }
}

/**
 * Returns the terms of a bid on an auction, copied from its status.
 * @param bidUsdc Maximum that the bidder pays. A negative value is the minimum that the insurance fund must pay.
 * @throws Error if no auction runs for the wallet.
 */
export function bidTerms(
  status: LiquidationStatus,
  bidUsdc: string,
  bidIntentHash: string,
): AccountTerms<'StandardMarginLiquidationOrder'> {
  const auction = status.full_liquidation
  if (auction === null) throw new Error('no auction runs for this wallet')
  const terms = {
    auctionId: auction.auction_id,
    liquidatedWallet: status.wallet,
    auctionVersion: auction.current_auction_version,
    portfolioHash: auction.current_portfolio_hash,
  }
  const valuationTimestampMs = auction.current_valuation_timestamp_ms
  const hash = auctionTermsHash({
    ...terms,
    bidUsdc: formatMicros(parseSignedMicros(bidUsdc)),
    valuationTimestampMillis: valuationTimestampMs,
  })
  return {
    ...{ ...terms, bidUsdc, bidIntentHash, valuationTimestampMs },
    requestId: auction.request_id,
    positions: auction.current_positions,
    auctionTermsHash: hash,
  }
}

/** Signs a body of these terms, in camel case. Leaves out terms that are undefined or null. */
export function signBody(
  { wallet, domain, signer }: SigningContext,
  struct: StructType,
  fields: SignedShape,
  terms: object,
  nonce: number,
): SignedBody {
  // A wallet that signs only for itself does not need the optional wallet field.
  const isNamed = fields['wallet']?.isOptional === false
  const named = { ...terms, ...(isNamed ? { wallet } : {}) } as Readonly<Record<string, unknown>>
  const entries = Object.keys(fields).flatMap((name) => {
    const value = named[camelCaseOf(name)] ?? undefined
    return value === undefined ? [] : [[name, value] as const]
  })
  const body = Object.fromEntries(entries)
  const message = messageOf(fields, body, nonce)
  const digest = typedDataDigest(domain, struct, message)
  const signature = signer.signTyped?.({ domain, struct, message }) ?? signer.sign(digest)
  const signed = { ...body, nonce, signature }
  digests.set(signed, formatHex(digest, 0, digest.length))
  return signed
}

/** Returns the terms that an order states, without those that equal their defaults. */
function givenTerms(terms: Omit<OrderTerms, 'route'>): object {
  const defaults: readonly unknown[] = [undefined, null, false, '']
  const given = Object.entries(terms).filter(([, value]) => !defaults.includes(value))
  return { tif: 'gtc', ...Object.fromEntries(given) }
}
