import { parsePriceMicros, parseSizeLots } from '../../schemas/decimal.js'
import { Route, Side, sideNames, Tif, tifNames } from '../../schemas/domain.js'
import { PerpScheme } from '../../schemas/record-values.js'
import type {
  PerpAction,
  PerpActionContext,
  PerpTif,
} from '../../schemas/signing/perp-action-hash.js'
import { formatSymbol, type InstrumentSymbol, perpOf } from '../../schemas/symbol.js'
import { parseAddress, sameAddress } from '../../schemas/wallet.js'
import type { Signing } from '../actions/signing.js'
import type { Fault } from '../wire/fault.js'
import { objectIn, ShapeFaults } from '../wire/json-shape.js'
import {
  badNonce,
  decimalDetail,
  isJsonObject,
  type JsonObject,
  optionalText,
  takeWallet,
} from '../wire/request-fields.js'
import { quoted } from '../wire/shown-text.js'
import { instrumentOfWireId } from '../wire/wire-ids.js'
import type { CancelRequest } from './cancel-request.js'
import { notionalFault, OrderRequest } from './order-request.js'

/**
 * Perp action as requested: an order or a cancel for the rest of the gateway, and the signed action. Its wallet and
 * nonce are also in `Signing`.
 */
export interface PerpRequest {
  readonly action: PerpAction
  readonly context: PerpActionContext
  /** Names the perp like an option order its option; no name if the gateway does not know the asset. */
  readonly request: OrderRequest | CancelRequest
}

/** Fields that orders and cancels have in common. */
type CommonFields = Omit<CancelRequest, 'orderId' | 'clientId'>

const bodyShape = {
  wallet: 'text',
  action: 'object',
  nonce: 'any',
  signature: 'any',
  'vaultAddress?': 'text',
  'expiresAfter?': 'integer',
  // Ignored: the signer is always recovered.
  'signer?': 'any',
} as const

/** By action type: name of the list, and shapes of action and entry. */
const actionShapes = {
  order: {
    list: 'orders',
    action: { type: 'text', orders: 'list', grouping: 'text' },
    // biome-ignore format: the order of the wire, as in the specification
    entry: { a: 'integer', b: 'boolean', p: 'text', s: 'text', r: 'boolean', t: 'object', 'c?': 'text' },
  },
  cancel: {
    list: 'cancels',
    action: { type: 'text', cancels: 'list' },
    entry: { a: 'integer', o: 'integer' },
  },
  cancelByCloid: {
    list: 'cancels',
    action: { type: 'text', cancels: 'list' },
    entry: { asset: 'integer', cloid: 'text' },
  },
} as const
type ActionType = keyof typeof actionShapes

const tifsOfWire: Readonly<Record<PerpTif, Tif>> = { Gtc: Tif.Gtc, Ioc: Tif.Ioc, Alo: Tif.Alo }
const canonicalPattern = /^(0|[1-9][0-9]*)(\.[0-9]{0,7}[1-9])?$/
const canonicalText =
  'must be canonical: at most 8 decimals, no leading or trailing zeros, no exponent'
const cloidPattern = /^0x[0-9a-fA-F]{32}$/
const cloidText = 'must be 0x followed by 32 hexadecimal digits'
/** Replaces a malformed signature. Never valid, because signatures are longer. */
const invalidSignature = '0x'
/** Instrument ids are signed 32-bit. */
export const assetMax = 2 ** 31 - 1
const hexPattern = /^0x[0-9a-fA-F]{1,64}$/

/** True if a body requests a new order, as far as its action type shows. */
export function asksForPerpOrder(body: JsonObject): boolean {
  return objectIn(body, 'action')?.['type'] === 'order'
}

/**
 * Reads a perp action from JSON.
 * @param underlyingOf Returns the underlying of a perp by its asset number, or null. The engine decides whether the
 * perp is listed and the action in time, because only the engine knows whether it is a duplicate.
 * @returns The action, or the first fault: missing fields, then types, then values.
 */
export function readPerpRequest(
  body: JsonObject,
  signing: Signing,
  underlyingOf: (asset: number) => string | null,
): PerpRequest | Fault {
  const faults = new ShapeFaults()
  faults.check(body, '', bodyShape)
  if (isGiven(body['nonce'])) faults.noteType(badNonce(body, signing.nonce))
  const signature = readSignature(body['signature'], faults)
  const action = objectIn(body, 'action')
  const entry = action === null ? null : readEntry(action, faults)
  if (action === null || entry === null || faults.isMisshapen) return faults.first!
  const { wallet } = signing
  const walletText = body['wallet'] as string
  faults.note(takeWallet(walletText, wallet))
  const vault = readVault(body, signing, faults)
  const expiresAfterMillis = (body['expiresAfter'] ?? null) as number | null
  // An expiry of 0 has always passed. To the engine 0 means none, so use another time in the past.
  const expiresMillis = expiresAfterMillis === null ? 0 : Math.max(1, expiresAfterMillis)
  const number = (entry['a'] ?? entry['asset']) as number
  const asset = number <= assetMax ? instrumentOfWireId(number) : -1
  const underlying = underlyingOf(asset)
  const [nonceHigh, nonceLow] = signing.nonce as unknown as [number, number]
  const common: CommonFields = {
    ...{ wallet, walletText: walletText.toLowerCase(), nonceHigh, nonceLow, signature },
    isOwnersOnly: !isGiven(body['vaultAddress']),
    terms: { asset, expiresMillis, scheme: PerpScheme.Action },
    perp: underlying === null ? null : perpOf(underlying),
  }
  const request =
    action['type'] === 'order'
      ? readPerpOrder(common, body['nonce'] as number | string, action, entry, faults)
      : readPerpCancel(common, entry, faults)
  if (faults.first !== null) return faults.first
  const context = { nonceHigh, nonceLow, vault, expiresAfterMillis }
  return { action: action as unknown as PerpAction, context, request }
}

/**
 * Reads the wallet again, as an agent signs it, so that a signature of an agent of two wallets is valid for only one.
 * The wallet itself may omit it.
 */
function readVault(body: JsonObject, signing: Signing, faults: ShapeFaults): Uint8Array | null {
  const text = body['vaultAddress']
  if (!isGiven(text)) return null
  const vault = parseAddress(text as string)
  if (vault !== null && sameAddress(vault, 0, signing.wallet, 0)) return vault
  faults.value('vaultAddress', 'must equal wallet')
  return null
}

function readSignature(signature: unknown, faults: ShapeFaults): string {
  if (typeof signature === 'string') return signature
  if (!isJsonObject(signature)) {
    if (isGiven(signature)) faults.type('signature', 'must be a string, or an object of r, s and v')
    return invalidSignature
  }
  faults.check(signature, 'signature.', { r: 'text', s: 'text', v: 'integer' })
  if (faults.isMisshapen) return invalidSignature
  const [r, s, v] = ['r', 's', 'v'].map((name) => signature[name]) as [string, string, number]
  if (!hexPattern.test(r) || !hexPattern.test(s) || v > 255) return invalidSignature
  // Some clients write r and s as numbers, without leading zeros.
  const word = (text: string) => text.slice(2).padStart(64, '0')
  return `0x${word(r)}${word(s)}${v.toString(16).padStart(2, '0')}`
}

function readEntry(action: JsonObject, faults: ShapeFaults): JsonObject | null {
  faults.check({ type: action['type'] }, 'action.', { type: 'text' })
  const type = action['type']
  if (typeof type !== 'string') return null
  if (!Object.hasOwn(actionShapes, type)) {
    faults.value('action.type', 'must be order, cancel or cancelByCloid')
    return null
  }
  const shape = actionShapes[type as ActionType]
  faults.check(action, 'action.', shape.action)
  const list = action[shape.list]
  if (!Array.isArray(list)) return null
  const entry: unknown = list[0]
  if (list.length !== 1 || !isJsonObject(entry)) {
    faults.type(`action.${shape.list}`, 'must be a list of exactly one object')
    return null
  }
  const path = `action.${shape.list}[0].`
  faults.check(entry, path, shape.entry)
  const kind = objectIn(entry, 't')
  if (type === 'order' && kind !== null) checkKind(kind, `${path}t.`, faults)
  return entry
}

function checkKind(kind: JsonObject, path: string, faults: ShapeFaults): void {
  if (isGiven(kind['trigger'])) {
    faults.value(`${path}trigger`, 'trigger orders are not served')
    return
  }
  faults.check(kind, path, { limit: 'object' })
  const limit = objectIn(kind, 'limit')
  if (limit !== null) faults.check(limit, `${path}limit.`, { tif: 'text' })
}

function readPerpOrder(
  { perp, ...common }: CommonFields,
  nonce: number | string,
  action: JsonObject,
  entry: JsonObject,
  faults: ShapeFaults,
): OrderRequest {
  const order = Object.assign(new OrderRequest(common.wallet), common)
  namePerp(order, perp)
  order.sideIndex = entry['b'] === true ? Side.Buy : Side.Sell
  order.side = sideNames[order.sideIndex]
  order.routeIndex = Route.BookOnly
  order.reduceOnly = order.reduceOnlyGiven = entry['r'] === true
  order.nonce = nonce
  if (action['grouping'] !== 'na') faults.value('action.grouping', 'must be na')
  readTif(entry, order, faults)
  readAmounts(entry, order, faults)
  order.clientId = optionalText(entry, 'c') ?? ''
  if (isGiven(entry['c']) && !cloidPattern.test(order.clientId)) {
    faults.value('action.orders[0].c', cloidText)
  }
  return order
}

/** Names the perp of an order, for its answer. */
export function namePerp(order: OrderRequest, perp: InstrumentSymbol | null): void {
  order.option = perp
  order.canonicalSymbol = order.symbol = perp === null ? '' : formatSymbol(perp)
}

function readTif(entry: JsonObject, order: OrderRequest, faults: ShapeFaults): void {
  const tif = String(objectIn(objectIn(entry, 't') ?? {}, 'limit')?.['tif'])
  if (!Object.hasOwn(tifsOfWire, tif)) {
    faults.value('action.orders[0].t.limit.tif', `must be Gtc, Ioc or Alo, not ${quoted(tif)}`)
    return
  }
  order.tifIndex = tifsOfWire[tif as PerpTif]
  order.tif = tifNames[order.tifIndex]
}

function readAmounts(entry: JsonObject, order: OrderRequest, faults: ShapeFaults): void {
  const [size, price] = ['action.orders[0].s', 'action.orders[0].p']
  order.size = entry['s'] as string
  order.price = entry['p'] as string
  order.sizeLots = parseSizeLots(order.size)
  order.priceMicros = parsePriceMicros(order.price)
  if (!canonicalPattern.test(order.size)) faults.value(size, canonicalText)
  if (!canonicalPattern.test(order.price)) faults.value(price, canonicalText)
  if (order.sizeLots < 0) {
    faults.value(size, decimalDetail(order.size, order.sizeLots, parseSizeLots))
  } else if (order.priceMicros < 0) {
    faults.value(price, decimalDetail(order.price, order.priceMicros, parsePriceMicros))
  } else {
    const large = notionalFault(order.priceMicros, order.sizeLots)
    if (large !== null) faults.value(size, large)
  }
}

function readPerpCancel(
  common: CommonFields,
  entry: JsonObject,
  faults: ShapeFaults,
): CancelRequest {
  const { o: orderId, cloid } = entry
  if (cloid === undefined) return { ...common, orderId: String(orderId), clientId: '' }
  const clientId = cloid as string
  if (!cloidPattern.test(clientId)) faults.value('action.cancels[0].cloid', cloidText)
  return { ...common, orderId: '', clientId }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}
