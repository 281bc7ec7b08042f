import { encode } from '@msgpack/msgpack'
import { concatBytes } from '@noble/hashes/utils.js'
import { agentStruct } from '../interface/directives.js'
import { perpDomain } from '../typed-data.js'
import { keccak256 } from './keccak.js'
import { typedDataDigest } from './typed-data-digest.js'

export type PerpTif = 'Gtc' | 'Ioc' | 'Alo'
export type PerpOrderKind =
  | { readonly limit: { readonly tif: PerpTif } }
  | {
      readonly trigger: {
        readonly isMarket: boolean
        readonly triggerPx: string
        readonly tpsl: string
      }
    }

/** One perp order with the field names of the wire. */
export interface PerpOrderWire {
  readonly a: number
  readonly b: boolean
  readonly p: string
  readonly s: string
  readonly r: boolean
  readonly t: PerpOrderKind
  readonly c?: string | null
}

export type PerpAction =
  | { readonly type: 'order'; readonly orders: readonly PerpOrderWire[]; readonly grouping: string }
  | {
      readonly type: 'cancel'
      readonly cancels: readonly { readonly a: number; readonly o: number }[]
    }
  | {
      readonly type: 'cancelByCloid'
      readonly cancels: readonly { readonly asset: number; readonly cloid: string }[]
    }

/** Hashed values in addition to the action. */
export interface PerpActionContext {
  readonly nonceHigh: number
  readonly nonceLow: number
  /** 20 bytes, or null. */
  readonly vault: Uint8Array | null
  readonly expiresAfterMillis: number | null
}

/** Configuration keys that determine the source of perp signatures. */
export interface PerpSourceKeys {
  readonly perp: { readonly source: string }
  readonly service: { readonly name: string }
  readonly chainId: number
}

/**
 * Returns `connectionId` of the perp struct `Agent`: keccak-256(MessagePack of the action ‖ nonce ‖ vault part ‖ expiry
 * part), 32 fresh bytes.
 */
export function perpConnectionId(action: PerpAction, context: PerpActionContext): Uint8Array {
  const { nonceHigh, nonceLow } = context
  const nonce = bigEndian64((BigInt(nonceHigh) << 32n) | BigInt(nonceLow))
  const parts: Uint8Array[] = [perpActionBytes(action), nonce]
  if (context.vault === null) parts.push(Uint8Array.of(0))
  else parts.push(Uint8Array.of(1), context.vault)
  if (context.expiresAfterMillis !== null) {
    parts.push(Uint8Array.of(0), bigEndian64(BigInt(context.expiresAfterMillis)))
  }
  return keccak256(concatBytes(...parts))
}

/** Returns `source` of the struct. By default, no two services or chains share one. */
export function perpSourceOf({ perp, service, chainId }: PerpSourceKeys): string {
  return perp.source === '' ? `${service.name}/${chainId}` : perp.source
}

/** Returns the struct `Agent` of an action, as its signer signs it. */
export function perpActionMessage(action: PerpAction, context: PerpActionContext, source: string) {
  return { source, connectionId: perpConnectionId(action, context) }
}

/** Returns the digest of the struct `Agent` that the signer signs, 32 fresh bytes. */
export function perpActionDigest(
  action: PerpAction,
  context: PerpActionContext,
  source: string,
): Uint8Array {
  const message = perpActionMessage(action, context, source)
  return typedDataDigest(perpDomain, agentStruct, message)
}

/**
 * Returns the MessagePack of an action: keys in the specified order, regardless of the JSON; other keys are omitted.
 */
export function perpActionBytes(action: PerpAction): Uint8Array {
  return encode(inOrder(action))
}

function inOrder(action: PerpAction): object {
  const type = action.type
  if (type === 'order') {
    return { type, orders: action.orders.map(orderInOrder), grouping: action.grouping }
  }
  if (type === 'cancel') return { type, cancels: action.cancels.map(({ a, o }) => ({ a, o })) }
  return { type, cancels: action.cancels.map(({ asset, cloid }) => ({ asset, cloid })) }
}

function orderInOrder({ a, b, p, s, r, t, c }: PerpOrderWire): object {
  const kind =
    'limit' in t ? { limit: { tif: t.limit.tif } } : { trigger: triggerInOrder(t.trigger) }
  return { a, b, p, s, r, t: kind, ...(c === undefined || c === null ? {} : { c }) }
}

function triggerInOrder(trigger: { isMarket: boolean; triggerPx: string; tpsl: string }): object {
  return { isMarket: trigger.isMarket, triggerPx: trigger.triggerPx, tpsl: trigger.tpsl }
}

function bigEndian64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, value)
  return bytes
}
