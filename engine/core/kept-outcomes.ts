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
  #capacity = 8
  #nonces = new Uint32Array(8 * 2)
  #commands = new Int32Array(8)
  #results = new Int32Array(8)
  #digests = new Uint8Array(8 * digestBytes)
  #facts = new Uint8Array(8 * factsBytes)

  constructor(kept: number) {
    this.#kept = kept
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
