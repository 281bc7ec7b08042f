import { p256 } from '@noble/curves/nist.js'
import { pushKeyBytes, pushPointBytes, pushSecretBytes } from '../../schemas/bounds.js'
import type { SubscriptionJson } from '../../schemas/interface/body.js'
import type { Fault } from '../wire/fault.js'
import { isAbsent, objectIn, ShapeFaults } from '../wire/json-shape.js'
import { mustBePushUrl, pushUrlOf } from '../wire/push-url.js'
import { invalidField, type JsonObject } from '../wire/request-fields.js'

/** Push subscription of a browser. */
export interface PushTarget {
  readonly endpoint: string
  /** Public key and secret. */
  readonly keys: Uint8Array
}

const base64 = /^[A-Za-z0-9_-]+={0,2}$/

/** Reads a subscription whose shape was checked. */
export function readPushTarget(
  { endpoint, keys }: SubscriptionJson,
  name: string,
): PushTarget | Fault {
  if (pushUrlOf(endpoint) === null) return invalidField(`${name}.endpoint`, mustBePushUrl)
  const point = bytesOf(keys.p256dh, pushPointBytes)
  if (point === null || !isPoint(point)) {
    return invalidField(`${name}.keys.p256dh`, 'must be an uncompressed P-256 point in base64url')
  }
  const secret = bytesOf(keys.auth, pushSecretBytes)
  if (secret === null)
    return invalidField(`${name}.keys.auth`, `must be ${pushSecretBytes} bytes in base64url`)
  const both = new Uint8Array(pushKeyBytes)
  both.set(point)
  both.set(secret, pushPointBytes)
  return { endpoint, keys: both }
}

/** Returns the first missing field or wrong type of a subscription. Browsers may add fields. */
export function targetFault(value: unknown, name: string): Fault | null {
  const faults = new ShapeFaults()
  const target = value as JsonObject
  faults.check(target, `${name}.`, { endpoint: 'text', keys: 'object' })
  const keys = objectIn(target, 'keys')
  if (keys !== null) faults.check(keys, `${name}.keys.`, { p256dh: 'text', auth: 'text' })
  const { expirationTime } = target
  if (!isAbsent(expirationTime) && typeof expirationTime !== 'number') {
    faults.type(`${name}.expirationTime`, 'must be a number')
  }
  return faults.isMisshapen ? faults.first : null
}

/** Decodes base64 of either alphabet. @returns Null if it is malformed or of another length. */
function bytesOf(text: string, length: number): Uint8Array | null {
  if (!base64.test(text)) return null
  const bytes = Buffer.from(text, 'base64url')
  return bytes.length === length ? bytes : null
}

/** A point outside the curve would leak bits of our key (invalid-curve attack). No browser has one. */
function isPoint(point: Uint8Array): boolean {
  try {
    p256.Point.fromBytes(point)
    return true
  } catch {
    return false
  }
}
