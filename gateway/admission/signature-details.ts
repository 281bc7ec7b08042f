import { routeNames } from '../../schemas/domain.js'
import { orderStructs } from '../../schemas/interface/order-bodies.js'
import type { SignedOrder } from '../../schemas/interface/orders.js'
import { formatNonce } from '../../schemas/nonce.js'
import type { Result } from '../../schemas/results.js'
import { cancelStructName, orderStructName } from '../../schemas/signing/order-actions.js'
import { perpSourceOf } from '../../schemas/signing/perp-action-hash.js'
import { digestBytes, type TypedMessage } from '../../schemas/signing/typed-data-digest.js'
import { perpDomain, type SigningDomain, type StructType } from '../../schemas/typed-data.js'
import type { Signing } from '../actions/signing.js'
import { typedStructs } from '../actions/typed-structs.js'
import type { CancelRequest } from '../commands/cancel-request.js'
import { OrderRequest } from '../commands/order-request.js'
import type { GatewayContext } from '../link/gateway-context.js'
import { Fault } from '../wire/fault.js'
import type { JsonValue } from '../wire/json-text.js'
import { printable } from '../wire/shown-text.js'

type Json = Readonly<Record<string, JsonValue>>

/** Characters of the longest text that a signed field may have: a SHA-256 digest with its prefix. */
const fieldCharsMax = 71

/** A message that was hashed as typed data, other than an order or a cancel. */
export interface SignedMessage {
  readonly struct: StructType
  readonly message: TypedMessage
  /** Absent: the domain of options, RFQ and account actions. */
  readonly domain?: SigningDomain
}

/** Content that was signed. */
export type SignedSubject = OrderRequest | CancelRequest | SignedMessage

/** Name of the hashed layout, and its texts. */
interface Layout {
  readonly layout: string
  readonly fields: Json
}

/**
 * Returns the details of a signature error: the hashed fields, the domain, and the recovered address. They follow from
 * the request alone, so they reveal nothing about a wallet. The digest is in the thread's `Signing`, and so is the signer
 * if the signature is sound.
 * @returns null on mainnet-alpha.
 */
export function signatureDetails(
  { config, signing }: GatewayContext,
  subject: SignedSubject,
  isSound: boolean,
): Json | null {
  if (config.preset === 'mainnet-alpha') return null
  const signer = isSound ? signing.signerText() : null
  if (isNewOrder(subject)) return orderDetails(signing, subject, signer)
  const isPerp = 'terms' in subject && subject.terms !== null
  const { domain = signing.domain } = 'struct' in subject ? subject : {}
  return {
    ...(isPerp
      ? { layout: typedStructs.Agent.primaryType, fields: { source: perpSourceOf(config) } }
      : layoutOf(subject)),
    ...recoveredFrom(signing, signer),
    domain: domainView(isPerp ? perpDomain : domain),
  }
}

/**
 * Returns the same details of a new option order. They also say if the signature matches the other layout of its body,
 * with a route or without one.
 * @param signer lower-case text of the address that its digest, in `Signing`, recovers to, or null.
 */
export function orderDetails(signing: Signing, order: OrderRequest, signer: string | null): Json {
  const isWallet = signer === order.walletText
  return {
    ...orderLayout(order, order.route),
    ...recoveredFrom(signing, signer),
    domain: domainView(signing.domain),
    is_wallet: isWallet,
    matches_other_layout: isWallet ? null : otherLayoutOf(signing, order),
  } satisfies SignedOrder
}

/** Returns the error of a signature, with its details if there are any. */
export function signatureFault(result: Result, details: Json | null, message?: string): Fault {
  return new Fault(result, {}, message, details)
}

function recoveredFrom({ digest }: Signing, signer: string | null) {
  return { digest: `0x${Buffer.from(digest).toString('hex')}`, recovered_address: signer }
}

/** Returns the name of the layout that the wallet has signed instead, or null. */
function otherLayoutOf(signing: Signing, order: OrderRequest): string | null {
  if (order.reduceOnly) return null
  const digest = new Uint8Array(digestBytes)
  for (const route of order.route === null ? routeNames : [null]) {
    signing.digester.order({ ...order, route }, digest)
    const isWallets = signing.signerOf(order.signature, digest) === order.walletText
    if (isWallets) return orderLayout(order, route).layout
  }
  return null
}

function domainView({ name, version, chainId }: SigningDomain) {
  return { name, version, chain_id: String(chainId) }
}

/** Returns the layout and texts of an option order, as they are hashed with this route. */
function orderLayout(order: OrderRequest, route: string | null): Layout {
  const { walletText: wallet, orderId, symbol, side, size, price, tif, clientId } = order
  const { reduceOnly } = order
  const struct = orderStructs[orderStructName({ orderId, route, reduceOnly })]
  const terms = { wallet, orderId, symbol, side, size, price, tif, clientId, reduceOnly }
  const nonce = String(order.nonce)
  const { layout, fields } = messageLayout({
    struct,
    message: { ...terms, route: route ?? '', nonce },
  })
  return { layout: `${layout}${layoutSuffix(order, route)}`, fields }
}

function layoutSuffix({ reduceOnly, orderId }: OrderRequest, route: string | null): string {
  if (reduceOnly || orderId !== '') return ''
  return route === null ? ' without route' : ' with route'
}

function isNewOrder(subject: SignedSubject): subject is OrderRequest {
  return subject instanceof OrderRequest && subject.terms === null && subject.orderId === ''
}

function layoutOf(subject: SignedSubject): Layout {
  if (subject instanceof OrderRequest) return orderLayout(subject, subject.route)
  return 'struct' in subject ? messageLayout(subject) : cancelLayout(subject)
}

function cancelLayout(cancel: CancelRequest): Layout {
  const { walletText: wallet, orderId, clientId, nonceHigh, nonceLow } = cancel
  const struct = orderStructs[cancelStructName(cancel)]
  const nonce = formatNonce(nonceHigh, nonceLow)
  return messageLayout({ struct, message: { wallet, orderId, clientId, nonce } })
}

function messageLayout({ struct, message }: SignedMessage): Layout {
  const texts = struct.fields.map(({ name }) => [name, textOf(message[name])] as const)
  return { layout: struct.primaryType, fields: Object.fromEntries(texts) }
}

/** Formats a value as it is hashed. Shortens a long text, and formats each field of a nested struct. */
function textOf(value: unknown): JsonValue {
  if (typeof value === 'boolean') return value
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString('hex')}`
  if (typeof value !== 'object' || value === null) {
    const text = String(value)
    return text.length > fieldCharsMax ? printable(text) : text
  }
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, textOf(part)]))
}
