import { factsBytes } from '../../schemas/events.js'
import { grown } from './instruments.js'
import type { StateReader, StateWriter } from './state-codec.js'

/** Result of `KeptOutcomes.find`. */
export const Repeat = { Unknown: -1, OtherPayload: -2 } as const

const digestBytes = 32

/**
 * The latest accepted actions of one wallet with their outcomes, so that the same signed payload sent again
 * is answered as it was the first time (decision 4). A ring that doubles up to `kept` and then overwrites
 * the oldest. Searched from the newest: repeats are retries, and those come soon.
 */
export class KeptOutcomes {
  /** Actions ever remembered; the newest is number `total - 1`. */
  total = 0
  readonly #kept: number
  #capacity: number
  #nonces: Uint32Array
  #commands: Int32Array
  #results: Int32Array
  #digests: Uint8Array
  #facts: Uint8Array

  /** @param kept at least 1. */
  constructor(kept: number) {
    this.#kept = kept
    this.#capacity = Math.min(kept, 8)
    this.#nonces = new Uint32Array(this.#capacity * 2)
    this.#commands = new Int32Array(this.#capacity)
    this.#results = new Int32Array(this.#capacity)
    this.#digests = new Uint8Array(this.#capacity * digestBytes)
    this.#facts = new Uint8Array(this.#capacity * factsBytes)
  }

  /** Actions remembered now. */
  get count(): number {
    return Math.min(this.total, this.#capacity)
  }

  /** Place of the action that the next one overwrites, or -1 while there is room. */
  get oldestPlace(): number {
    return this.total >= this.#kept ? this.total % this.#kept : -1
  }

  /** Place of the action remembered last; only with one remembered. */
  get newestPlace(): number {
    return (this.total - 1) % this.#capacity
  }

  /**
   * @returns the place of the action with this nonce and digest, `OtherPayload` when the nonce was used for
   * another one, `Unknown` when no kept action has it.
   */
  find(high: number, low: number, digest: Uint8Array, digestAt: number): number {
    const oldest = Math.max(0, this.total - this.#capacity)
    for (let number = this.total - 1; number >= oldest; number--) {
      const place = number % this.#capacity
      if (this.#nonces[place * 2 + 1] !== low || this.#nonces[place * 2] !== high) continue
      for (let i = 0; i < digestBytes; i++) {
        if (this.#digests[place * digestBytes + i] !== digest[digestAt + i])
          return Repeat.OtherPayload
      }
      return place
    }
    return Repeat.Unknown
  }

  nonceHigh(place: number): number {
    return this.#nonces[place * 2]
  }

  nonceLow(place: number): number {
    return this.#nonces[place * 2 + 1]
  }

  /** First 48 bits of the action's digest. */
  digestNumber(place: number): number {
    let number = 0
    for (let i = 0; i < 6; i++) number = number * 256 + this.#digests[place * digestBytes + i]
    return number
  }

  command(place: number): number {
    return this.#commands[place]
  }

  result(place: number): number {
    return this.#results[place]
  }

  /** Copies the facts of the remembered outcome to `target[at]`. */
  copyFacts(place: number, target: Uint8Array, at: number): void {
    const first = place * factsBytes
    for (let i = 0; i < factsBytes; i++) target[at + i] = this.#facts[first + i]
  }

  /** Remembers an accepted action; `facts[factsAt]` is its outcome's facts block, copied. */
  remember(
    high: number,
    low: number,
    digest: Uint8Array,
    digestAt: number,
    command: number,
    result: number,
    facts: Uint8Array,
    factsAt: number,
  ): void {
    if (this.total === this.#capacity && this.#capacity < this.#kept) this.#grow()
    const place = this.total++ % this.#capacity
    this.#nonces[place * 2] = high
    this.#nonces[place * 2 + 1] = low
    this.#commands[place] = command
    this.#results[place] = result
    for (let i = 0; i < digestBytes; i++)
      this.#digests[place * digestBytes + i] = digest[digestAt + i]
    for (let i = 0; i < factsBytes; i++) this.#facts[place * factsBytes + i] = facts[factsAt + i]
  }

  save(writer: StateWriter): void {
    const oldest = Math.max(0, this.total - this.#capacity)
    writer.i32(this.total - oldest)
    for (let number = oldest; number < this.total; number++) {
      const place = number % this.#capacity
      writer.i32(this.#nonces[place * 2] | 0)
      writer.i32(this.#nonces[place * 2 + 1] | 0)
      writer.i32(this.#commands[place])
      writer.i32(this.#results[place])
      writer.bytes(this.#digests.subarray(place * digestBytes, (place + 1) * digestBytes))
      writer.bytes(this.#facts.subarray(place * factsBytes, (place + 1) * factsBytes))
    }
  }

  static load(reader: StateReader, kept: number): KeptOutcomes {
    const outcomes = new KeptOutcomes(kept)
    const count = reader.i32()
    for (let i = 0; i < count; i++) {
      const high = reader.i32() >>> 0
      const low = reader.i32() >>> 0
      const command = reader.i32()
      const result = reader.i32()
      const digest = reader.bytes(digestBytes)
      outcomes.remember(high, low, digest, 0, command, result, reader.bytes(factsBytes), 0)
    }
    return outcomes
  }

  /** The same outcomes, the latest `kept` of them, in a window of another length. */
  resized(kept: number): KeptOutcomes {
    const outcomes = new KeptOutcomes(kept)
    for (let number = this.total - this.count; number < this.total; number++) {
      const place = number % this.#capacity
      const [high, low] = [this.nonceHigh(place), this.nonceLow(place)]
      const [command, result] = [this.#commands[place], this.#results[place]]
      const [digests, facts] = [this.#digests, this.#facts]
      outcomes.remember(high, low, digests, place * digestBytes, command, result, facts, place * factsBytes)
    }
    return outcomes
  }

  // Only called when exactly full and never yet wrapped, so places and numbers still agree.
  #grow(): void {
    this.#capacity = Math.min(this.#kept, this.#capacity * 2)
    this.#nonces = grown(this.#nonces, new Uint32Array(this.#capacity * 2))
    this.#commands = grown(this.#commands, new Int32Array(this.#capacity))
    this.#results = grown(this.#results, new Int32Array(this.#capacity))
    this.#digests = grown(this.#digests, new Uint8Array(this.#capacity * digestBytes))
    this.#facts = grown(this.#facts, new Uint8Array(this.#capacity * factsBytes))
  }
}
