import { RateCategory } from '../../schemas/domain.js'
import type { Config } from '../config/config-schema.js'
import { withoutMapping } from '../transport/client-address.js'
import { type RateVerdict, RateWindows } from './rate-windows.js'

/** Limits per client address. */
export type AddressLimitOptions = Pick<
  Config['limits'],
  | 'failedRecoveriesPerMinute'
  | 'connectionsPerAddressMax'
  | 'resumedMessagesPerMinute'
  | 'addressLimitsOnLoopback'
>

/**
 * Key of a client address: the count of the bytes that identify the client, then those bytes, in 20 bytes as for all
 * windows. An IPv6 address has 8 such bytes, because the client chooses the rest.
 */
export interface AddressKey {
  readonly bytes: Uint8Array
  readonly isLoopback: boolean
}

export const connectionBuckets = 1 << 16
const keyBytes = 20
const ipv6PrefixBytes = 8

/** Shared memory for the connection counts of all gateway threads. */
export function allocateConnectionCounts(): SharedArrayBuffer {
  return new SharedArrayBuffer(connectionBuckets * 4)
}

/** Makes the key of an address of 4 (IPv4) or 16 bytes; an IPv4 address inside IPv6 counts as itself. */
export function addressKeyOf(address: Uint8Array): AddressKey {
  const own = withoutMapping(address)
  const bytes = new Uint8Array(keyBytes)
  bytes[0] = Math.min(own.length, ipv6PrefixBytes)
  bytes.set(own.subarray(0, ipv6PrefixBytes), 1)
  const isLoopback =
    own.length === 4 ? own[0] === 127 : own.every((byte, i) => byte === (i === 15 ? 1 : 0))
  return { bytes, isLoopback }
}

/**
 * Limits of one client address: connections, and wasted signature recoveries (a failed one, or of a wallet without
 * funds). When the recoveries are used up, a signed write fails before its recovery.
 */
export class AddressLimits {
  readonly #options: AddressLimitOptions
  readonly #failures: RateWindows
  /** One count per bucket of addresses: two that share a bucket share its limit, one pair in 65,536. */
  readonly #connections: Int32Array

  constructor(
    failures: SharedArrayBuffer,
    connections: SharedArrayBuffer,
    options: AddressLimitOptions,
  ) {
    this.#options = options
    this.#failures = new RateWindows(failures)
    this.#connections = new Int32Array(connections)
  }

  /** Returns true if the address may have one more signature recovered; takes nothing. */
  mayRecover(address: AddressKey, nowMillis: number, out: RateVerdict): boolean {
    if (this.isUnlimited(address)) return true
    const limit = this.#options.failedRecoveriesPerMinute
    return this.#failures.hasRoom(address.bytes, RateCategory.ApiRequest, limit, nowMillis, out)
  }

  /** Counts a wasted recovery of this address. */
  countFailure(address: AddressKey, nowMillis: number, out: RateVerdict): void {
    if (this.isUnlimited(address)) return
    const limit = this.#options.failedRecoveriesPerMinute
    this.#failures.take(address.bytes, RateCategory.ApiRequest, 1, limit, nowMillis, out)
  }

  /**
   * Takes one action that an owner needs even when the window of its wallet is full. The limit equals that of wasted
   * recoveries and has its own count, so clients of the same address cannot use it up by failing.
   */
  takeOwnersResort(address: AddressKey, nowMillis: number, out: RateVerdict): boolean {
    if (this.isUnlimited(address)) return true
    const limit = this.#options.failedRecoveriesPerMinute
    const category = RateCategory.OrderCancellation
    return this.#failures.take(address.bytes, category, 1, limit, nowMillis, out)
  }

  /** Takes a connection if the address may have one more. */
  connect(address: AddressKey): boolean {
    if (this.isUnlimited(address)) return true
    const bucket = bucketOf(address)
    const before = Atomics.add(this.#connections, bucket, 1)
    if (before < this.#options.connectionsPerAddressMax) return true
    Atomics.sub(this.#connections, bucket, 1)
    return false
  }

  /** Gives a connection back that `connect` took. */
  disconnect(address: AddressKey): void {
    if (!this.isUnlimited(address)) Atomics.sub(this.#connections, bucketOf(address), 1)
  }

  /** Returns true if the limits of addresses do not apply to this one. */
  isUnlimited(address: AddressKey): boolean {
    return address.isLoopback && !this.#options.addressLimitsOnLoopback
  }
}

/** Returns the bucket of an address among `connectionBuckets`. Addresses of one bucket share its limit. */
export function bucketOf(address: AddressKey): number {
  let hash = 0x811c9dc5
  for (const byte of address.bytes) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash ^ (hash >>> 15)) & (connectionBuckets - 1)
}
