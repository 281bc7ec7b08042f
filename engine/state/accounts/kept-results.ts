import { assert } from '../../../schemas/assert.js'
import { clientIdBytesMax } from '../../../schemas/bounds.js'
import type { OrderStatus, Side, Tif } from '../../../schemas/domain.js'
import { AnyCommand } from '../../../schemas/generated/commands.js'
import { OrderFacts } from '../../../schemas/generated/events.js'
import { viewsOf } from '../../../schemas/record-views.js'
import type { Result } from '../../../schemas/results.js'
import { copyWords } from '../../memory/bytes.js'
import { grown } from '../../memory/grown.js'
import { StateReader, type StateSink, StateWriter } from '../../memory/state-codec.js'
import { elementLanes, HashKind, rowWords, type StateHash } from '../../memory/state-hash.js'
import { builderWords, clientIdWords } from '../orders/order-texts.js'

/** Result of `KeptResults.find`. */
export const Repeat = { Unknown: -1, OtherPayload: -2 } as const

/** Sequence and engine time of an event. */
export interface EventStamp {
  readonly seq: number
  readonly timeMillis: number
}

/** Identifies a stored action. Its nonce alone may belong to two actions: one of the owner and one of an agent. */
export interface ActionName {
  readonly nonceHigh: number
  readonly nonceLow: number
  readonly orderId: number
}

// One action, 128 bytes: two cache lines, if the memory begins at one.
//  0     8        16        24      32     40       48       56       64      72       104    108
//  +-----+--------+---------+-------+------+--------+--------+--------+-------+--------+------+----
//  | seq | millis | order id| price | size | filled | filled | created| nonce | digest | inst-| kinds, command,
//  |     |        |         |       |      | lots   | micros | millis | hi lo |        | rument result, lanes
//  +-----+--------+---------+-------+------+--------+--------+--------+-------+--------+------+----
//  kinds: bit fields of side, tif, flags, status, length of the client id, presence of a builder
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
/**
 * The hash covers an action from its time on, and its texts. It omits the sequence of its answer, which is not part of
 * the state of any wallet.
 */
const hashedAt = 2 * millisAt
const hashedWords = resultAt + 1 - hashedAt
/** Hash lanes of the element, so that it can be removed without being computed again. */
const lanesAt = 30
const wordsPerOutcome = 32
const kindsBuilderBit = 1 << 31

/** Memory of a wallet without actions. */
const nothing = new Float64Array(0)
const nothingWords = new Int32Array(nothing.buffer)

const digestWords = 8
const textWords = clientIdWords + builderWords
const factsWords = OrderFacts.bytes / 4

/**
 * Latest accepted actions of one wallet with their results, so that a duplicate of a signed payload gets the first
 * answer. It is a ring that doubles up to `kept` actions, and then overwrites the oldest. The search begins with the
 * newest, because duplicates are retries, which come soon.
 *
 * The wallet is not stored. Memory for client ids and builders is allocated by the first action that has one.
 */
export class KeptResults {
  /** Number of actions ever stored; the newest is number `total - 1`. */
  total = 0
  readonly #kept: number
  readonly #hash: StateHash
  readonly #account: number
  #capacity = 0
  #f64 = nothing
  #i32 = nothingWords
  /** Client id and builder of each action; null while no action had one. */
  #texts: Int32Array | null = null

  /**
   * @param kept at least 1.
   * @param hash has an element for each action.
   */
  constructor(kept: number, hash: StateHash, account: number) {
    assert(kept >= 1, 'results: at least one is kept')
    this.#kept = kept
    this.#hash = hash
    this.#account = account
  }

  /** Number of actions stored now. */
  get count(): number {
    return Math.min(this.total, this.#capacity)
  }

  /** Prefetches both cache lines that the next action overwrites; returns a sum of their words. */
  get nextWord(): number {
    if (this.#capacity === 0) return 0
    const first = (this.total % this.#capacity) * wordsPerOutcome
    return this.#i32[first + nonceAt] + this.#i32[first]
  }

  /**
   * @returns the place of the action with the command's nonce and digest, `OtherPayload` if the nonce was used for
   * another payload, `Unknown` if no stored action has it.
   */
  find(command: AnyCommand): number {
    const words = this.#i32
    const { i32, nonceHigh, nonceLow } = command
    const digest = command.digestAt >> 2
    const oldest = this.total - this.count
    let found: number = Repeat.Unknown
    for (let number = this.total - 1; number >= oldest; number--) {
      const place = number % this.#capacity
      const first = place * wordsPerOutcome
      if (words[first + nonceAt + 1] !== nonceLow || words[first + nonceAt] !== nonceHigh) continue
      if (this.#hasDigest(place, i32, digest)) return place
      // An owner may revoke under a nonce that an agent has used; then two actions have the nonce.
      found = Repeat.OtherPayload
    }
    return found
  }

  /** @returns the place of the action with the digest at word `digest` of `source`, or `Unknown`. */
  findDigest(source: Int32Array, digest: number): number {
    const oldest = this.total - this.count
    for (let number = this.total - 1; number >= oldest; number--) {
      const place = number % this.#capacity
      if (this.#hasDigest(place, source, digest)) return place
    }
    return Repeat.Unknown
  }

  /** Place of the oldest stored action; there must be one. */
  get oldestPlace(): number {
    return (this.total - this.count) % this.#capacity
  }

  nonceHigh(place: number): number {
    return this.#i32[place * wordsPerOutcome + nonceAt] >>> 0
  }

  nonceLow(place: number): number {
    return this.#i32[place * wordsPerOutcome + nonceAt + 1] >>> 0
  }

  /** Returns 52 bits of the action's digest, as in state hashes of version 1. */
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

  /** Returns the sequence of the answer. */
  seq(place: number): number {
    return this.#f64[place * doublesPerOutcome + seqAt]
  }

  /** Returns the engine time of the answer. */
  millis(place: number): number {
    return this.#f64[place * doublesPerOutcome + millisAt]
  }

  /** Writes the facts of the stored result to `out`, except the wallet. */
  copyFacts(place: number, out: OrderFacts): void {
    const f64 = this.#f64
    const at = place * doublesPerOutcome
    out.orderId = f64[at + orderIdAt]
    out.priceMicros = f64[at + priceMicrosAt]
    out.sizeLots = f64[at + sizeLotsAt]
    out.filledLots = f64[at + filledLotsAt]
    out.filledMicros = f64[at + filledMicrosAt]
    out.createdMillis = f64[at + createdMillisAt]
    const kinds = this.#i32[place * wordsPerOutcome + kindsAt]
    out.instrument = this.#i32[place * wordsPerOutcome + instrumentAt]
    out.side = (kinds & 15) as Side
    out.tif = ((kinds >> 4) & 15) as Tif
    out.flags = (kinds >> 8) & 255
    out.status = ((kinds >> 16) & 255) as OrderStatus
    out.clientIdBytes = (kinds >>> 24) & 127
    this.#copyTexts(place, kinds, out)
  }

  /**
   * Stores an accepted action; copies everything.
   * @param timestamp Sequence and time of its answer.
   */
  remember(command: AnyCommand, result: Result, facts: OrderFacts, timestamp: EventStamp): void {
    assert(facts.clientIdBytes <= clientIdBytesMax, 'results: the client id fits')
    if (this.total === this.#capacity && this.#capacity < this.#kept) this.#grow()
    const isOverwriting = this.total >= this.#capacity
    const place = this.total++ % this.#capacity
    if (isOverwriting) this.#takeOut(place)
    const first = place * wordsPerOutcome
    const words = this.#i32
    words[first + nonceAt] = command.nonceHigh
    words[first + nonceAt + 1] = command.nonceLow
    copyWords(command.i32, command.digestAt >> 2, words, first + digestAt, digestWords)
    words[first + commandAt] = command.recordType
    words[first + resultAt] = result
    const timestamps = place * doublesPerOutcome
    this.#f64[timestamps + seqAt] = timestamp.seq
    this.#f64[timestamps + millisAt] = timestamp.timeMillis
    this.#setFacts(place, facts)
    this.#put(place)
  }

  /** Replaces the stored result of an accepted order by its final one, if the action is still stored. */
  amend(action: ActionName, result: Result, facts: OrderFacts, timestamp: EventStamp): void {
    assert(action.orderId > 0, 'results: only the result of an order changes')
    const words = this.#i32
    const oldest = this.total - this.count
    for (let number = this.total - 1; number >= oldest; number--) {
      const place = number % this.#capacity
      const first = place * wordsPerOutcome
      const isNamed =
        words[first + nonceAt + 1] === action.nonceLow &&
        words[first + nonceAt] === action.nonceHigh &&
        this.#f64[place * doublesPerOutcome + orderIdAt] === action.orderId
      if (!isNamed) continue
      this.#takeOut(place)
      words[first + resultAt] = result
      this.#f64[place * doublesPerOutcome + seqAt] = timestamp.seq
      this.#f64[place * doublesPerOutcome + millisAt] = timestamp.timeMillis
      this.#setFacts(place, facts)
      this.#put(place)
      return
    }
  }

  /** Removes all elements from the hash, because another window has them. */
  leave(): void {
    for (let place = 0; place < this.count; place++) this.#takeOut(place)
  }

  save(sink: StateSink): void {
    const facts = ownFacts()
    sink.i32(this.count)
    for (let number = this.total - this.count; number < this.total; number++) {
      const place = number % this.#capacity
      const first = place * wordsPerOutcome
      sink.i32(this.#i32[first + nonceAt])
      sink.i32(this.#i32[first + nonceAt + 1])
      sink.i32(this.command(place))
      sink.i32(this.result(place))
      sink.f64(this.seq(place))
      sink.f64(this.millis(place))
      for (let i = 0; i < digestWords; i++) sink.i32(this.#i32[first + digestAt + i])
      this.copyFacts(place, facts)
      for (let i = 0; i < factsWords; i++) sink.i32(facts.i32[i])
    }
  }

  /** Reads what `save` wrote into an empty window. */
  load(reader: StateReader): void {
    assert(this.total === 0, 'results: the window is empty before it is loaded')
    const command = new AnyCommand().over(viewsOf(new ArrayBuffer(AnyCommand.bytes)), 0)
    const facts = ownFacts()
    const count = reader.i32()
    for (let i = 0; i < count; i++) {
      command.nonceHigh = reader.i32()
      command.nonceLow = reader.i32()
      command.recordType = reader.i32()
      const result = reader.i32() as Result
      const timestamp = { seq: reader.f64(), timeMillis: reader.f64() }
      const digest = command.digestAt >> 2
      for (let word = 0; word < digestWords; word++) command.i32[digest + word] = reader.i32()
      for (let word = 0; word < factsWords; word++) facts.i32[word] = reader.i32()
      this.remember(command, result, facts, timestamp)
    }
  }

  /** Returns a window of another length with the latest `kept` of these results. */
  resized(kept: number): KeptResults {
    const writer = new StateWriter()
    this.save(writer)
    this.leave()
    const outcomes = new KeptResults(kept, this.#hash, this.#account)
    outcomes.load(new StateReader(writer.result()))
    return outcomes
  }

  #hasDigest(place: number, source: Int32Array, digest: number): boolean {
    const first = place * wordsPerOutcome + digestAt
    let i = 0
    while (i < digestWords && this.#i32[first + i] === source[digest + i]) i++
    return i === digestWords
  }

  #takeOut(place: number): void {
    const lanes = place * wordsPerOutcome + lanesAt
    this.#hash.takeOut(this.#i32[lanes], this.#i32[lanes + 1])
  }

  #put(place: number): void {
    const first = place * wordsPerOutcome
    rowWords[0] = this.#account
    copyWords(this.#i32, first + hashedAt, rowWords, 1, hashedWords)
    let words = 1 + hashedWords
    const kinds = this.#i32[first + kindsAt]
    const texts = this.#texts ?? noTexts
    const from = place * textWords
    const clientIdLength = (((kinds >>> 24) & 127) + 3) >> 2
    copyWords(texts, from, rowWords, words, clientIdLength)
    words += clientIdLength
    if ((kinds & kindsBuilderBit) !== 0) {
      copyWords(texts, from + clientIdWords, rowWords, words, builderWords)
      words += builderWords
    }
    this.#hash.put(HashKind.Outcome, words, true)
    this.#i32[first + lanesAt] = elementLanes[0]
    this.#i32[first + lanesAt + 1] = elementLanes[1]
  }

  #setFacts(place: number, facts: OrderFacts): void {
    const f64 = this.#f64
    const at = place * doublesPerOutcome
    f64[at + orderIdAt] = facts.orderId
    f64[at + priceMicrosAt] = facts.priceMicros
    f64[at + sizeLotsAt] = facts.sizeLots
    f64[at + filledLotsAt] = facts.filledLots
    f64[at + filledMicrosAt] = facts.filledMicros
    f64[at + createdMillisAt] = facts.createdMillis
    const first = place * wordsPerOutcome
    const { clientIdBytes } = facts
    const builderBit = hasBuilder(facts) ? kindsBuilderBit : 0
    this.#i32[first + instrumentAt] = facts.instrument
    this.#i32[first + kindsAt] =
      facts.side |
      (facts.tif << 4) |
      (facts.flags << 8) |
      (facts.status << 16) |
      (clientIdBytes << 24) |
      builderBit
    if (clientIdBytes === 0 && builderBit === 0) return
    this.#texts ??= new Int32Array(this.#capacity * textWords)
    const to = place * textWords
    copyWords(facts.i32, facts.clientIdAt >> 2, this.#texts, to, (clientIdBytes + 3) >> 2)
    if (builderBit === 0) return
    copyWords(facts.i32, facts.builderAt >> 2, this.#texts, to + clientIdWords, builderWords)
  }

  /**
   * Copies client id and builder of an action, zeros if it has none. Texts of an earlier action in this place are
   * ignored.
   */
  #copyTexts(place: number, kinds: number, out: OrderFacts): void {
    const { i32 } = out
    const texts = this.#texts ?? noTexts
    const from = place * textWords
    const count = (((kinds >>> 24) & 127) + 3) >> 2
    const clientId = out.clientIdAt >> 2
    copyWords(texts, from, i32, clientId, count)
    i32.fill(0, clientId + count, clientId + clientIdWords)
    const builder = out.builderAt >> 2
    if ((kinds & kindsBuilderBit) === 0) i32.fill(0, builder, builder + builderWords)
    else copyWords(texts, from + clientIdWords, i32, builder, builderWords)
  }

  // Called only when the ring is exactly full and has never wrapped, so places and numbers agree.
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

/** Returns facts with memory of their own. They are written even if no reader exists, because the result is stored. */
export function ownFacts(): OrderFacts {
  return new OrderFacts().over(viewsOf(new ArrayBuffer(OrderFacts.bytes)), 0)
}

function hasBuilder({ i32, builderAt }: OrderFacts): boolean {
  const first = builderAt >> 2
  for (let i = 0; i < builderWords; i++) if (i32[first + i] !== 0) return true
  return false
}
