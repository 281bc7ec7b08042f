import type { Config } from '../config/config-schema.js'
import type { ClientAddresses } from '../transport/client-address.js'
import type { ConnectionLedger } from '../transport/connection-ledger.js'
import { addressKeyOf, bucketOf, connectionBuckets } from './address-limits.js'

/** Limits of the connections of a venue. */
export interface SocketLimits {
  /** Connections of every kind from one address. */
  readonly perAddressMax: number
  /** Bytes of unfinished bodies, of all clients. */
  readonly unfinishedBytesMax: number
  /** Bytes of unread answers, of all clients. */
  readonly unreadBytesMax: number
  /** True if the limits of an address also apply to clients of this machine. */
  readonly holdsOnLoopback: boolean
  /** Returns true if an address is a trusted proxy, which has the connections of many clients. */
  readonly isProxy: (peer: Uint8Array) => boolean
}

//  One block of memory for all gateway threads:
//  +-------+-----+-------+--------+-------------+----------------------+-----------------+-----------------+
//  | total | max | ended | census | both totals | connections a bucket | bodies a bucket | unread a bucket |   32-bit words
//  +-------+-----+-------+--------+-------------+----------------------+-----------------+-----------------+
const totalWord = 0
const maxWord = 1
const endedWord = 2
const censusWord = 3
const tracksWord = 5
const connectionsWord = 16
/** A sum of bytes: the word of its total, and the first of its words per bucket. */
interface Sum {
  readonly total: number
  readonly buckets: number
}
const unfinished: Sum = { total: 4, buckets: connectionsWord + connectionBuckets }
const unread: Sum = { total: 6, buckets: unfinished.buckets + connectionBuckets }
const words = unread.buckets + connectionBuckets

// Connections of an address over its limit that still get an error, instead of being closed without an answer.
const extraConnectionsMax = 16
// Share of the bytes of unfinished bodies, and of unread answers, that one address may have.
const addressShare = 8

export function allocateSocketCounts(): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(words * 4)
  new Int32Array(memory)[maxWord] = 0x7fffffff
  return memory
}

export function socketLimitsOf({ limits, http }: Config, clients: ClientAddresses): SocketLimits {
  return {
    perAddressMax: limits.connectionsPerAddressMax,
    unfinishedBytesMax: http.unfinishedBytesMax,
    unreadBytesMax: http.unreadBytesMax,
    holdsOnLoopback: limits.addressLimitsOnLoopback,
    isProxy: (peer) => clients.isProxy(peer),
  }
}

/**
 * Counts connections of every kind, in all and per address, and the bytes of unfinished bodies and frames, and of unread
 * answers. The socket library reports the end of a connection, but without its address unless a request was in progress.
 * So counts per address rise until `SocketCensus` reads the kernel's table.
 */
export class SocketCounts implements ConnectionLedger {
  readonly #words: Int32Array
  readonly #limits: SocketLimits

  constructor(memory: SharedArrayBuffer, limits: SocketLimits) {
    this.#words = new Int32Array(memory)
    this.#limits = limits
  }

  /** Open connections. */
  get total(): number {
    return Atomics.load(this.#words, totalWord)
  }

  /** Most connections in all. */
  get max(): number {
    return Atomics.load(this.#words, maxWord)
  }

  /** Sets that bound to the number that the descriptors of the process allow. */
  setMax(max: number): void {
    Atomics.store(this.#words, maxWord, max)
  }

  /** Enables the limits per address: from now on a census corrects the counts. */
  trackAddresses(): void {
    Atomics.store(this.#words, tracksWord, 1)
  }

  begin(peer: Uint8Array): boolean {
    const words = this.#words
    const total = Atomics.add(words, totalWord, 1) + 1
    const bucket = this.#bucketOf(peer)
    const own = bucket < 0 ? 0 : Atomics.add(words, connectionsWord + bucket, 1) + 1
    const { perAddressMax } = this.#limits
    if (own > perAddressMax >> 1) Atomics.store(words, censusWord, 1)
    if (total > this.max) return false
    return own <= perAddressMax + extraConnectionsMax || Atomics.load(words, tracksWord) === 0
  }

  ended(peer: Uint8Array | null): void {
    Atomics.sub(this.#words, totalWord, 1)
    if (peer === null) Atomics.add(this.#words, endedWord, 1)
    else this.#release(peer)
  }

  attribute(peer: Uint8Array): void {
    Atomics.sub(this.#words, endedWord, 1)
    this.#release(peer)
  }

  takeBytes(client: Uint8Array, bytes: number): boolean {
    return this.#take(unfinished, client, bytes, this.#limits.unfinishedBytesMax)
  }

  giveBytes(client: Uint8Array, bytes: number): void {
    this.#give(unfinished, client, bytes)
  }

  takeFrame(client: Uint8Array, bytes: number): boolean {
    return this.#take(unfinished, client, bytes, this.#limits.unfinishedBytesMax / 2)
  }

  takeUnread(client: Uint8Array, bytes: number): boolean {
    return this.#take(unread, client, bytes, this.#limits.unreadBytesMax)
  }

  giveUnread(client: Uint8Array, bytes: number): void {
    this.#give(unread, client, bytes)
  }

  /** Returns true if counts may be too high: always for a caller that must know at once, else now and then. */
  needsCensus(): 'now' | 'soon' | null {
    if (Atomics.load(this.#words, endedWord) <= 0) return null
    return Atomics.load(this.#words, censusWord) === 1 ? 'now' : 'soon'
  }

  /** Returns the counts per bucket, for `correct`. */
  begun(): { readonly ended: number; readonly counts: Int32Array } {
    Atomics.store(this.#words, censusWord, 0)
    const ended = Atomics.load(this.#words, endedWord)
    return { ended, counts: this.#words.slice(connectionsWord, unfinished.buckets) }
  }

  /** Corrects the counts by the connections at the call of `begun`. @param peers of all connections then. */
  correct(begun: ReturnType<SocketCounts['begun']>, peers: Iterable<Uint8Array>): void {
    const found = new Int32Array(connectionBuckets)
    for (const peer of peers) {
      const bucket = this.#bucketOf(peer)
      if (bucket >= 0) found[bucket]!++
    }
    for (let bucket = 0; bucket < connectionBuckets; bucket++) {
      const change = found[bucket]! - begun.counts[bucket]!
      if (change !== 0) Atomics.add(this.#words, connectionsWord + bucket, change)
    }
    Atomics.sub(this.#words, endedWord, begun.ended)
  }

  #take(sum: Sum, client: Uint8Array, bytes: number, bytesMax: number): boolean {
    const bucket = this.#bucketOf(client)
    const total = Atomics.add(this.#words, sum.total, bytes) + bytes
    const own = bucket < 0 ? 0 : Atomics.add(this.#words, sum.buckets + bucket, bytes) + bytes
    if (total <= bytesMax && own <= bytesMax / addressShare) return true
    this.#give(sum, client, bytes)
    return false
  }

  #give(sum: Sum, client: Uint8Array, bytes: number): void {
    const bucket = this.#bucketOf(client)
    Atomics.sub(this.#words, sum.total, bytes)
    if (bucket >= 0) Atomics.sub(this.#words, sum.buckets + bucket, bytes)
  }

  #release(peer: Uint8Array): void {
    const bucket = this.#bucketOf(peer)
    if (bucket >= 0) Atomics.sub(this.#words, connectionsWord + bucket, 1)
  }

  /** Returns the bucket of an address; -1 for an address without limits. */
  #bucketOf(peer: Uint8Array): number {
    const { holdsOnLoopback, isProxy } = this.#limits
    const key = addressKeyOf(peer)
    if ((key.isLoopback && !holdsOnLoopback) || isProxy(peer)) return -1
    return bucketOf(key)
  }
}
