import { factsBytes } from '../../schemas/events.js'
import { copyWords } from './bytes.js'
import { grown } from './instruments.js'
import type { StateReader, StateWriter } from './state-codec.js'

/** Result of `KeptOutcomes.find`. */
export const Repeat = { Unknown: -1, OtherPayload: -2 } as const

const digestWords = 8
const factsWords = factsBytes / 4

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
  /** Sequence and engine time of each, in turn. */
  #stamps: Float64Array
  #digests: Uint32Array
  #facts: Int32Array

  /** @param kept at least 1. */
  constructor(kept: number) {
    this.#kept = kept
    this.#capacity = Math.min(kept, 8)
    this.#nonces = new Uint32Array(this.#capacity * 2)
    this.#commands = new Int32Array(this.#capacity)
    this.#results = new Int32Array(this.#capacity)
    this.#stamps = new Float64Array(this.#capacity * 2)
    this.#digests = new Uint32Array(this.#capacity * digestWords)
    this.#facts = new Int32Array(this.#capacity * factsWords)
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
   * @param digest words of the digest from `digestAt` on.
   * @returns the place of the action with this nonce and digest, `OtherPayload` when the nonce was used for
   * another one, `Unknown` when no kept action has it.
   */
  find(high: number, low: number, digest: Uint32Array, digestAt: number): number {
    const oldest = this.total - this.count
    for (let number = this.total - 1; number >= oldest; number--) {
      const place = number % this.#capacity
      if (this.#nonces[place * 2 + 1] !== low || this.#nonces[place * 2] !== high) continue
      for (let i = 0; i < digestWords; i++) {
        if (this.#digests[place * digestWords + i] !== digest[digestAt + i])
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

  /** 52 bits of the action's digest. */
  digestNumber(place: number): number {
    const first = place * digestWords
    return this.#digests[first] * 1_048_576 + (this.#digests[first + 1] & 0xfffff)
  }

  command(place: number): number {
    return this.#commands[place]
  }

  result(place: number): number {
    return this.#results[place]
  }

  /** Sequence of the outcome's event. */
  seq(place: number): number {
    return this.#stamps[place * 2]
  }

  /** Engine time of the outcome. */
  millis(place: number): number {
    return this.#stamps[place * 2 + 1]
  }

  /** Copies the facts of the remembered outcome to the begin of `target`. */
  copyFacts(place: number, target: Int32Array): void {
    copyWords(this.#facts, place * factsWords, target, 0, factsWords)
  }

  /**
   * Remembers an accepted action.
   * @param digest words of the digest from `digestAt` on.
   * @param facts words of its outcome's facts block from `factsAt` on; copied.
   */
  remember(
    high: number,
    low: number,
    digest: Uint32Array,
    digestAt: number,
    command: number,
    result: number,
    facts: Int32Array,
    factsAt: number,
    seq: number,
    millis: number,
  ): void {
    if (this.total === this.#capacity && this.#capacity < this.#kept) this.#grow()
    const place = this.total++ % this.#capacity
    this.#nonces[place * 2] = high
    this.#nonces[place * 2 + 1] = low
    this.#commands[place] = command
    this.#results[place] = result
    this.#stamps[place * 2] = seq
    this.#stamps[place * 2 + 1] = millis
    const first = place * digestWords
    for (let i = 0; i < digestWords; i++) this.#digests[first + i] = digest[digestAt + i]
    copyWords(facts, factsAt, this.#facts, place * factsWords, factsWords)
  }

  save(writer: StateWriter): void {
    writer.i32(this.count)
    for (let number = this.total - this.count; number < this.total; number++) {
      const place = number % this.#capacity
      writer.i32(this.#nonces[place * 2] | 0)
      writer.i32(this.#nonces[place * 2 + 1] | 0)
      writer.i32(this.#commands[place])
      writer.i32(this.#results[place])
      writer.f64(this.seq(place))
      writer.f64(this.millis(place))
      for (let i = 0; i < digestWords; i++) writer.i32(this.#digests[place * digestWords + i] | 0)
      for (let i = 0; i < factsWords; i++) writer.i32(this.#facts[place * factsWords + i])
    }
  }

  static load(reader: StateReader, kept: number): KeptOutcomes {
    const outcomes = new KeptOutcomes(kept)
    const digest = new Uint32Array(digestWords)
    const facts = new Int32Array(factsWords)
    const count = reader.i32()
    for (let i = 0; i < count; i++) {
      const high = reader.i32() >>> 0
      const low = reader.i32() >>> 0
      const command = reader.i32()
      const result = reader.i32()
      const seq = reader.f64()
      const millis = reader.f64()
      for (let word = 0; word < digestWords; word++) digest[word] = reader.i32()
      for (let word = 0; word < factsWords; word++) facts[word] = reader.i32()
      outcomes.remember(high, low, digest, 0, command, result, facts, 0, seq, millis)
    }
    return outcomes
  }

  /** The same outcomes, the latest `kept` of them, in a window of another length. */
  resized(kept: number): KeptOutcomes {
    const outcomes = new KeptOutcomes(kept)
    for (let number = this.total - this.count; number < this.total; number++) {
      const place = number % this.#capacity
      outcomes.remember(
        this.nonceHigh(place),
        this.nonceLow(place),
        this.#digests,
        place * digestWords,
        this.#commands[place],
        this.#results[place],
        this.#facts,
        place * factsWords,
        this.seq(place),
        this.millis(place),
      )
    }
    return outcomes
  }

  // Only called when exactly full and never yet wrapped, so places and numbers still agree.
  #grow(): void {
    this.#capacity = Math.min(this.#kept, this.#capacity * 2)
    this.#nonces = grown(this.#nonces, new Uint32Array(this.#capacity * 2))
    this.#commands = grown(this.#commands, new Int32Array(this.#capacity))
    this.#stamps = grown(this.#stamps, new Float64Array(this.#capacity * 2))
    this.#results = grown(this.#results, new Int32Array(this.#capacity))
    this.#digests = grown(this.#digests, new Uint32Array(this.#capacity * digestWords))
    this.#facts = grown(this.#facts, new Int32Array(this.#capacity * factsWords))
  }
}
