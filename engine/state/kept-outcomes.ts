import { assert } from '../../schemas/assert.js'
import { commandDigestAt, commandNonceHighAt } from '../../schemas/commands.js'
import {
  factsBuilderAt,
  factsBytes,
  factsClientIdAt,
  factsClientIdBytesAt,
  factsCreatedMillisAt,
  factsFilledLotsAt,
  factsFilledMicrosAt,
  factsFlagsAt,
  factsInstrumentAt,
  factsOrderIdAt,
  factsPriceMicrosAt,
  factsSideAt,
  factsSizeLotsAt,
  factsStatusAt,
  factsTifAt,
} from '../../schemas/events.js'
import { copyWords } from '../memory/bytes.js'
import { grown } from '../memory/grown.js'
import type { StateReader, StateWriter } from '../memory/state-codec.js'
import { builderWords, clientIdWords } from './order-texts.js'

/** Result of `KeptOutcomes.find`. */
export const Repeat = { Unknown: -1, OtherPayload: -2 } as const

/** A facts block (schemas/events.ts) at the begin of both views. */
export interface FactsViews {
  readonly i32: Int32Array
  readonly f64: Float64Array
}

/** Sequence and engine time of an event. */
export interface EventStamp {
  readonly seq: number
  readonly timeMillis: number
}

// One action, 128 bytes: two cache lines, where the memory begins with one.
//  0     8        16        24      32     40       48       56       64      72       104    108
//  +-----+--------+---------+-------+------+--------+--------+--------+-------+--------+------+----
//  | seq | millis | order id| price | size | filled | filled | created| nonce | digest | inst-| kinds,
//  |     |        |         |       |      | lots   | micros | millis | hi lo |        | rument command, result
//  +-----+--------+---------+-------+------+--------+--------+--------+-------+--------+------+----
//  kinds: side, tif, flags, status, bytes of the client id, whether there is a builder, each in bits of its own
const seqAt = 0
const millisAt = 1
const orderIdAt = 2
const priceMicrosAt = 3
const sizeLotsAt = 4
const filledLotsAt = 5
const filledMicrosAt = 6
const createdMillisAt = 7
const doublesPerOutcome = 16
const nonceAt = 16
const digestAt = 18
const instrumentAt = 26
const kindsAt = 27
const commandAt = 28
const resultAt = 29
const wordsPerOutcome = 32
const kindsBuilderBit = 1 << 31

/** Of a wallet that has done nothing yet. */
const nothing = new Float64Array(0)
const nothingWords = new Int32Array(nothing.buffer)

const digestWords = 8
/**
 * Nonce and digest stand side by side in a command, and are compared and copied as one run of
 * words.
 */
const signedWords = 2 + digestWords
assert(commandNonceHighAt + 8 === commandDigestAt, 'kept outcomes: the digest follows the nonce')

const textWords = clientIdWords + builderWords
const factsWords = factsBytes / 4

/**
 * The latest accepted actions of one wallet with their outcomes, so that the same signed payload
 * sent again is answered as it was the first time. A ring that doubles up to `kept`
 * and then overwrites the oldest. Searched from the newest: repeats are retries, and those come
 * soon.
 *
 * The wallet is not kept, and client ids and builders only by wallets that use any.
 */
export class KeptOutcomes {
  /** Actions ever remembered; the newest is number `total - 1`. */
  total = 0
  readonly #kept: number
  #capacity = 0
  #f64 = nothing
  #i32 = nothingWords
  /** Client id and builder of each; null while no action had one. */
  #texts: Int32Array | null = null

  /** @param kept at least 1. */
  constructor(kept: number) {
    this.#kept = kept
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

  /** A word of either line that the next action overwrites, for whoever wants them at hand by then. */
  get nextWord(): number {
    if (this.#capacity === 0) return 0
    const first = (this.total % this.#capacity) * wordsPerOutcome
    return this.#i32[first + nonceAt] + this.#i32[first]
  }

  /**
   * @param signed words of nonce (high, low) and digest from `at` on, as in a command's header.
   * @returns the place of the action with this nonce and digest, `OtherPayload` when the nonce was
   * used for another one, `Unknown` when no kept action has it.
   */
  find(signed: Int32Array, at: number): number {
    const words = this.#i32
    const oldest = this.total - this.count
    let found: number = Repeat.Unknown
    for (let number = this.total - 1; number >= oldest; number--) {
      const place = number % this.#capacity
      const first = place * wordsPerOutcome + nonceAt
      if (words[first + 1] !== signed[at + 1] || words[first] !== signed[at]) continue
      let i = 2
      while (i < signedWords && words[first + i] === signed[at + i]) i++
      if (i === signedWords) return place
      // An owner may revoke under a nonce that an agent has used: then two actions have it.
      found = Repeat.OtherPayload
    }
    return found
  }

  nonceHigh(place: number): number {
    return this.#i32[place * wordsPerOutcome + nonceAt] >>> 0
  }

  nonceLow(place: number): number {
    return this.#i32[place * wordsPerOutcome + nonceAt + 1] >>> 0
  }

  /** 52 bits of the action's digest. */
  digestNumber(place: number): number {
    const first = place * wordsPerOutcome + digestAt
    return (this.#i32[first] >>> 0) * 1_048_576 + (this.#i32[first + 1] & 0xfffff)
  }

  command(place: number): number {
    return this.#i32[place * wordsPerOutcome + commandAt]
  }

  result(place: number): number {
    return this.#i32[place * wordsPerOutcome + resultAt]
  }

  /** Sequence of the outcome's answer. */
  seq(place: number): number {
    return this.#f64[place * doublesPerOutcome + seqAt]
  }

  /** Engine time of the outcome. */
  millis(place: number): number {
    return this.#f64[place * doublesPerOutcome + millisAt]
  }

  /** Writes the facts of the remembered outcome to `out`, all but the wallet. */
  copyFacts(place: number, out: FactsViews): void {
    const f64 = this.#f64
    const at = place * doublesPerOutcome
    out.f64[factsOrderIdAt >> 3] = f64[at + orderIdAt]
    out.f64[factsPriceMicrosAt >> 3] = f64[at + priceMicrosAt]
    out.f64[factsSizeLotsAt >> 3] = f64[at + sizeLotsAt]
    out.f64[factsFilledLotsAt >> 3] = f64[at + filledLotsAt]
    out.f64[factsFilledMicrosAt >> 3] = f64[at + filledMicrosAt]
    out.f64[factsCreatedMillisAt >> 3] = f64[at + createdMillisAt]
    const kinds = this.#i32[place * wordsPerOutcome + kindsAt]
    out.i32[factsInstrumentAt >> 2] = this.#i32[place * wordsPerOutcome + instrumentAt]
    out.i32[factsSideAt >> 2] = kinds & 15
    out.i32[factsTifAt >> 2] = (kinds >> 4) & 15
    out.i32[factsFlagsAt >> 2] = (kinds >> 8) & 255
    out.i32[factsStatusAt >> 2] = (kinds >> 16) & 255
    out.i32[factsClientIdBytesAt >> 2] = (kinds >>> 24) & 127
    this.#copyTexts(place, kinds, out.i32)
  }

  /**
   * Remembers an accepted action; everything is copied.
   * @param signed words of nonce (high, low) and digest from `at` on, as in a command's header.
   * @param before its sequence is the one before that of the answer.
   */
  remember(
    signed: Int32Array,
    at: number,
    command: number,
    result: number,
    facts: FactsViews,
    before: EventStamp,
  ): void {
    if (this.total === this.#capacity && this.#capacity < this.#kept) this.#grow()
    const place = this.total++ % this.#capacity
    const first = place * wordsPerOutcome
    const words = this.#i32
    copyWords(signed, at, words, first + nonceAt, signedWords)
    words[first + commandAt] = command
    words[first + resultAt] = result
    const stamps = place * doublesPerOutcome
    this.#f64[stamps + seqAt] = before.seq + 1
    this.#f64[stamps + millisAt] = before.timeMillis
    this.#setFacts(place, facts)
  }

  save(writer: StateWriter): void {
    const facts = new Float64Array(factsBytes / 8)
    const views = { f64: facts, i32: new Int32Array(facts.buffer) }
    writer.i32(this.count)
    for (let number = this.total - this.count; number < this.total; number++) {
      const place = number % this.#capacity
      const first = place * wordsPerOutcome
      writer.i32(this.#i32[first + nonceAt])
      writer.i32(this.#i32[first + nonceAt + 1])
      writer.i32(this.command(place))
      writer.i32(this.result(place))
      writer.f64(this.seq(place))
      writer.f64(this.millis(place))
      for (let i = 0; i < digestWords; i++) writer.i32(this.#i32[first + digestAt + i])
      this.copyFacts(place, views)
      for (let i = 0; i < factsWords; i++) writer.i32(views.i32[i])
    }
  }

  static load(reader: StateReader, kept: number): KeptOutcomes {
    const outcomes = new KeptOutcomes(kept)
    const signed = new Int32Array(signedWords)
    const facts = new Float64Array(factsBytes / 8)
    const views = { f64: facts, i32: new Int32Array(facts.buffer) }
    const count = reader.i32()
    for (let i = 0; i < count; i++) {
      signed[0] = reader.i32()
      signed[1] = reader.i32()
      const command = reader.i32()
      const result = reader.i32()
      const before = { seq: reader.f64() - 1, timeMillis: reader.f64() }
      for (let word = 0; word < digestWords; word++) signed[2 + word] = reader.i32()
      for (let word = 0; word < factsWords; word++) views.i32[word] = reader.i32()
      outcomes.remember(signed, 0, command, result, views, before)
    }
    return outcomes
  }

  /** The same outcomes, the latest `kept` of them, in a window of another length. */
  resized(kept: number): KeptOutcomes {
    const outcomes = new KeptOutcomes(kept)
    const facts = new Float64Array(factsBytes / 8)
    const views = { f64: facts, i32: new Int32Array(facts.buffer) }
    for (let number = this.total - this.count; number < this.total; number++) {
      const place = number % this.#capacity
      this.copyFacts(place, views)
      const signedAt = place * wordsPerOutcome + nonceAt
      const before = { seq: this.seq(place) - 1, timeMillis: this.millis(place) }
      const [command, result] = [this.command(place), this.result(place)]
      outcomes.remember(this.#i32, signedAt, command, result, views, before)
    }
    return outcomes
  }

  #setFacts(place: number, { f64, i32 }: FactsViews): void {
    const at = place * doublesPerOutcome
    this.#f64[at + orderIdAt] = f64[factsOrderIdAt >> 3]
    this.#f64[at + priceMicrosAt] = f64[factsPriceMicrosAt >> 3]
    this.#f64[at + sizeLotsAt] = f64[factsSizeLotsAt >> 3]
    this.#f64[at + filledLotsAt] = f64[factsFilledLotsAt >> 3]
    this.#f64[at + filledMicrosAt] = f64[factsFilledMicrosAt >> 3]
    this.#f64[at + createdMillisAt] = f64[factsCreatedMillisAt >> 3]
    const first = place * wordsPerOutcome
    const clientIdBytes = i32[factsClientIdBytesAt >> 2]
    const builderBit = hasBuilder(i32) ? kindsBuilderBit : 0
    this.#i32[first + instrumentAt] = i32[factsInstrumentAt >> 2]
    this.#i32[first + kindsAt] =
      i32[factsSideAt >> 2] |
      (i32[factsTifAt >> 2] << 4) |
      (i32[factsFlagsAt >> 2] << 8) |
      (i32[factsStatusAt >> 2] << 16) |
      (clientIdBytes << 24) |
      builderBit
    if (clientIdBytes === 0 && builderBit === 0) return
    this.#texts ??= new Int32Array(this.#capacity * textWords)
    const to = place * textWords
    copyWords(i32, factsClientIdAt >> 2, this.#texts, to, (clientIdBytes + 3) >> 2)
    if (builderBit === 0) return
    copyWords(i32, factsBuilderAt >> 2, this.#texts, to + clientIdWords, builderWords)
  }

  /** Client id and builder of an action, zeros where it has none: what an earlier one left there is not read. */
  #copyTexts(place: number, kinds: number, out: Int32Array): void {
    const texts = this.#texts ?? noTexts
    const from = place * textWords
    const count = (((kinds >>> 24) & 127) + 3) >> 2
    const clientIdAt = factsClientIdAt >> 2
    copyWords(texts, from, out, clientIdAt, count)
    out.fill(0, clientIdAt + count, clientIdAt + clientIdWords)
    const builderAt = factsBuilderAt >> 2
    if ((kinds & kindsBuilderBit) === 0) out.fill(0, builderAt, builderAt + builderWords)
    else copyWords(texts, from + clientIdWords, out, builderAt, builderWords)
  }

  // Only called when exactly full and never yet wrapped, so places and numbers still agree.
  #grow(): void {
    this.#capacity = Math.min(this.#kept, Math.max(4, this.#capacity * 2))
    this.#f64 = grown(this.#f64, new Float64Array(this.#capacity * doublesPerOutcome))
    this.#i32 = new Int32Array(this.#f64.buffer)
    if (this.#texts !== null) {
      this.#texts = grown(this.#texts, new Int32Array(this.#capacity * textWords))
    }
  }
}

const noTexts = new Int32Array(0)

function hasBuilder(facts: Int32Array): boolean {
  const first = factsBuilderAt >> 2
  for (let i = 0; i < builderWords; i++) if (facts[first + i] !== 0) return true
  return false
}
