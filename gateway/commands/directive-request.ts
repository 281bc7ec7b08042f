import { apiWalletNameBytes } from '../../schemas/bounds.js'
import { parsePriceMicros, parseSizeLots } from '../../schemas/decimal.js'
import { Route, Side, sideNames, Tif, tifNames } from '../../schemas/domain.js'
import { parseHex } from '../../schemas/hex.js'
import { formatNonce } from '../../schemas/nonce.js'
import { PerpScheme } from '../../schemas/record-values.js'
import { type SignedDirective, termsOf } from '../../schemas/signing/directive-actions.js'
import { perpOf } from '../../schemas/symbol.js'
import { parseAddress, sameAddress } from '../../schemas/wallet.js'
import type { Signing } from '../actions/signing.js'
import { textOfUnits } from '../wire/exact-decimal.js'
import type { Fault } from '../wire/fault.js'
import { isAbsent, type JsonShape, objectIn, ShapeFaults } from '../wire/json-shape.js'
import { badNonce, decimalDetail, type JsonObject, takeWallet } from '../wire/request-fields.js'
import { instrumentOfWireId } from '../wire/wire-ids.js'
import type { CancelRequest } from './cancel-request.js'
import { notionalFault, OrderRequest } from './order-request.js'
import { assetMax, namePerp } from './perp-request.js'

/** Trading key, under a name of its account. */
export interface ApiWalletTerms {
  /** 32 bytes. */
  readonly name: Uint8Array
  /** 20 bytes; zero removes the key. */
  readonly address: Uint8Array
}

/** Directive as requested: its signed message and its operation. Its account and nonce are also in `Signing`. */
export interface DirectiveRequest {
  readonly action: SignedDirective
  readonly message: DirectiveMessage
  /** Lower-case text. */
  readonly account: string
  /** Nonce as received: a number or its decimal text. */
  readonly nonce: number | string
  readonly signature: string
  readonly operation:
    | { readonly order: OrderRequest }
    | { readonly cancel: CancelRequest }
    | { readonly apiWallet: ApiWalletTerms }
    | { readonly abstraction: number }
}

/** Values of the action's terms, by name: large integers as bigints, hexadecimal values as bytes. */
type Terms = Readonly<Record<string, bigint | boolean | Uint8Array>>

/** Signed message. */
type DirectiveMessage = Readonly<Record<string, string | Terms>>

const bodyShape: JsonShape = {
  account: 'text',
  nonce: 'any',
  action: 'object',
  signature: 'text',
  // Ignored: the signer is always recovered.
  'signer?': 'any',
}
const digitsPattern = /^0*([0-9]{1,39})$/
const cloidPattern = /^0x[0-9a-fA-F]{32}$/
/** Default: the nonce. */
const optionalTerm = 'cloid'
const tifsByCode: readonly (Tif | undefined)[] = [undefined, Tif.Alo, Tif.Gtc, Tif.Ioc]
const abstractionOffered = 2
const orderIdMax = BigInt(Number.MAX_SAFE_INTEGER)
const unitDecimals = 8

/**
 * Reads a directive from JSON. Rejects unknown fields on every preset, because the signature does not cover them.
 * @param underlyingOf Returns the underlying of a perp by its asset number, or null. The engine decides what is listed.
 * @returns The directive, or the first fault: missing fields, then types, then values.
 */
export function readDirective(
  action: SignedDirective,
  body: JsonObject,
  signing: Signing,
  underlyingOf: (asset: number) => string | null,
): DirectiveRequest | Fault {
  const faults = new ShapeFaults()
  faults.check(body, '', bodyShape)
  const nonce = body['nonce'] as number | string
  if (!isAbsent(nonce)) faults.noteType(badNonce(body, signing.nonce))
  const given = objectIn(body, 'action')
  if (given !== null) checkTerms(action, given, faults)
  if (given === null || faults.isMisshapen) return faults.first!
  const { wallet } = signing
  const account = body['account'] as string
  faults.note(takeWallet(account, wallet))
  const nonceText = formatNonce(signing.nonce[0], signing.nonce[1])
  if (nonceText === '0') faults.value('nonce', 'must not be 0')
  const terms = readTerms(action, given, BigInt(nonceText), faults)
  const source = { signing, account, signature: body['signature'] as string, underlyingOf }
  const operation = faults.first === null ? operationOf(action, terms, source, faults) : null
  if (operation === null || faults.first !== null) return faults.first!
  return {
    action,
    message: { account: account.toLowerCase(), nonce: nonceText, action: terms },
    account: account.toLowerCase(),
    nonce,
    signature: source.signature,
    operation,
  }
}

/** Checks the JSON kinds, which follow from the signed types. */
function checkTerms(action: SignedDirective, given: JsonObject, faults: ShapeFaults): void {
  const kinds = termsOf(action).map(({ name, type }) => {
    const spelled = name === optionalTerm && isOptional(action) ? `${name}?` : name
    return [spelled, kindOf(type)] as const
  })
  faults.check(given, 'action.', Object.fromEntries(kinds))
  for (const { name, type } of termsOf(action)) {
    const value = given[name]
    if (!isLarge(type) || isAbsent(value) || isInteger(value)) continue
    if (name === 'cloid' && typeof value === 'string' && cloidPattern.test(value)) continue
    faults.type(`action.${name}`, 'must be an integer from 0 to 2^53 - 1, or decimal text')
  }
}

function isOptional({ key }: SignedDirective): boolean {
  return key === 'hl_limit_order'
}

function kindOf(type: string): 'any' | 'boolean' | 'integer' | 'text' {
  if (isLarge(type)) return 'any'
  if (type === 'bool') return 'boolean'
  return type.startsWith('uint') ? 'integer' : 'text'
}

function isLarge(type: string): boolean {
  return type === 'uint64' || type === 'uint128'
}

function isInteger(value: unknown): boolean {
  if (typeof value === 'string') return /^[0-9]+$/.test(value)
  return Number.isSafeInteger(value) && (value as number) >= 0 && !Object.is(value, -0)
}

/** Reads values of checked kinds. A value out of its type's range is a fault. */
function readTerms(
  action: SignedDirective,
  given: JsonObject,
  nonce: bigint,
  faults: ShapeFaults,
): Terms {
  const values = termsOf(action).map(({ name, type }) => {
    const value = isAbsent(given[name]) ? String(nonce) : given[name]
    const path = `action.${name}`
    if (type === 'bool') return [name, value as boolean] as const
    if (type === 'address') return [name, addressIn(value as string, path, faults)] as const
    if (type === 'bytes32') return [name, wordIn(value as string, path, faults)] as const
    return [name, integerIn(value as number | string, type, path, faults)] as const
  })
  return Object.fromEntries(values)
}

function addressIn(text: string, path: string, faults: ShapeFaults): Uint8Array {
  const bytes = parseAddress(text)
  if (bytes === null) faults.value(path, 'must be 0x followed by 40 hexadecimal digits')
  return bytes ?? new Uint8Array(0)
}

function wordIn(text: string, path: string, faults: ShapeFaults): Uint8Array {
  const bytes = parseHex(text)
  if (bytes?.length === apiWalletNameBytes) return bytes
  faults.value(path, 'must be 0x followed by 64 hexadecimal digits')
  return new Uint8Array(0)
}

function integerIn(
  value: number | string,
  type: string,
  path: string,
  faults: ShapeFaults,
): bigint {
  const bits = Number(type.slice('uint'.length))
  const digits = cloidPattern.test(String(value)) ? value : digitsPattern.exec(String(value))?.[1]
  const integer = digits === undefined ? null : BigInt(digits)
  if (integer !== null && BigInt.asUintN(bits, integer) === integer) return integer
  faults.value(path, `must be below 2^${bits}`)
  return 0n
}

/** Account and signature of a directive, and the lookup of perps. */
interface DirectiveSource {
  readonly signing: Signing
  readonly account: string
  readonly signature: string
  readonly underlyingOf: (asset: number) => string | null
}

function operationOf(
  { key }: SignedDirective,
  terms: Terms,
  source: DirectiveSource,
  faults: ShapeFaults,
): DirectiveRequest['operation'] {
  const { wallet } = source.signing
  if (key === 'hl_limit_order') return { order: readOrder(terms, source, faults) }
  if (key === 'hc_update_api_wallet') {
    const [name, address] = [terms['name'] as Uint8Array, terms['addr'] as Uint8Array]
    if (sameAddress(address, 0, wallet, 0))
      faults.value('action.addr', 'must not be the account itself')
    return { apiWallet: { name, address } }
  }
  if (key === 'hl_set_abstraction') {
    const abstraction = Number(terms['abstraction'])
    const isAccount = sameAddress(terms['user'] as Uint8Array, 0, wallet, 0)
    if (!isAccount) faults.value('action.user', 'must be the account')
    if (abstraction !== abstractionOffered) faults.value('action.abstraction', 'must be 2')
    return { abstraction }
  }
  return { cancel: readCancel(terms, source, faults) }
}

/** Returns the fields that orders and cancels have in common. */
function partsOf(terms: Terms, { signing, account, signature, underlyingOf }: DirectiveSource) {
  const number = terms['asset'] as bigint
  const asset = number <= BigInt(assetMax) ? instrumentOfWireId(Number(number)) : -1
  const underlying = underlyingOf(asset)
  return {
    ...{ wallet: signing.wallet, walletText: account.toLowerCase(), signature },
    ...{ nonceHigh: signing.nonce[0]!, nonceLow: signing.nonce[1]!, isOwnersOnly: false },
    terms: { asset, expiresMillis: 0, scheme: PerpScheme.Directive },
    perp: underlying === null ? null : perpOf(underlying),
  }
}

function readOrder(terms: Terms, source: DirectiveSource, faults: ShapeFaults): OrderRequest {
  const { perp, ...parts } = partsOf(terms, source)
  const order = Object.assign(new OrderRequest(parts.wallet), parts)
  namePerp(order, perp)
  order.sideIndex = terms['isBuy'] === true ? Side.Buy : Side.Sell
  order.side = sideNames[order.sideIndex]
  order.routeIndex = Route.BookOnly
  order.reduceOnly = order.reduceOnlyGiven = terms['reduceOnly'] === true
  order.clientId = clientIdOf(terms, faults)
  const tif = tifsByCode[Number(terms['encodedTif'])]
  if (tif === undefined) faults.value('action.encodedTif', 'must be 1, 2 or 3')
  else {
    order.tifIndex = tif
    order.tif = tifNames[tif]
  }
  order.price = textOfUnits(terms['limitPx'] as bigint, unitDecimals)
  order.size = textOfUnits(terms['sz'] as bigint, unitDecimals)
  order.priceMicros = parsePriceMicros(order.price)
  order.sizeLots = parseSizeLots(order.size)
  if (order.sizeLots < 0) {
    faults.value('action.sz', decimalDetail(order.size, order.sizeLots, parseSizeLots))
  } else if (order.priceMicros < 0) {
    const detail = decimalDetail(order.price, order.priceMicros, parsePriceMicros)
    faults.value('action.limitPx', detail)
  } else {
    const large = notionalFault(order.priceMicros, order.sizeLots)
    if (large !== null) faults.value('action.sz', large)
  }
  return order
}

function readCancel(terms: Terms, source: DirectiveSource, faults: ShapeFaults): CancelRequest {
  const parts = partsOf(terms, source)
  const orderId = terms['oid'] as bigint | undefined
  if (orderId === undefined) return { ...parts, orderId: '', clientId: clientIdOf(terms, faults) }
  if (orderId === 0n) faults.value('action.oid', 'must not be 0')
  // No order has such an id.
  const known = orderId > orderIdMax ? orderIdMax : orderId
  return { ...parts, orderId: String(known), clientId: '' }
}

/** Returns the client id of a perp order: the number as 16 bytes, in hexadecimal digits. */
function clientIdOf(terms: Terms, faults: ShapeFaults): string {
  const cloid = terms['cloid'] as bigint
  if (cloid === 0n) faults.value('action.cloid', 'must not be 0')
  return `0x${cloid.toString(16).padStart(32, '0')}`
}
