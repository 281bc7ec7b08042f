import { assert } from '../../schemas/assert.js'
import { highPart, lowPart, readSum, writeSum } from '../memory/exact-sum.js'
import type { StateReader, StateWriter } from '../memory/state-codec.js'
import { HashKind, type StateHash } from '../memory/state-hash.js'
import { moveElement } from '../risk/hash-elements.js'
import { PerpFunding } from '../tables/generated/perp-funding.js'
import { type FundingParameters, fundingParametersDefault } from './funding-parameters.js'

/** Place of what is paid in among the elements of a round. */
const clearingField = 2
const clearingHighField = 5

/** What a round of payments is about, fixed at its begin. */
export interface FundingTerms {
  readonly instrument: number
  /** End of the period. */
  readonly endMillis: number
  /** Above 0: longs pay. */
  readonly rateNanos: number
  readonly indexMicros: number
  readonly sampleCount: number
  /** Holders, those who had their turn among them. */
  readonly holderCount: number
}

/** One period of one perp, being paid. */
export interface FundingRound extends FundingTerms {
  /** Who held the perp when its rate was fixed, by rising account. */
  readonly accounts: readonly number[]
  /** What each of them held, signed. */
  readonly lots: readonly number[]
  /** Place of the holder whose turn it is; those before it are done. */
  next: number
  /** What those have paid in, less what they were paid. */
  clearingMicros: bigint
}

/**
 * Perps that may be funded (changed by `amend` only, which keeps the state hash), and the rounds of payments that are not over, in the order in which they were fixed. While
 * funding is off the perps have no samples and no elements, and cost nothing.
 */
export class FundingTable {
  readonly perps: PerpFunding[] = []
  /** First come, first served. */
  readonly rounds: FundingRound[] = []
  /** Holders whose turn has come so far, in all rounds. */
  paymentCount = 0
  /** When the next sample or period of any perp begins; Infinity while there is nothing to fund. */
  nextMillis = Number.POSITIVE_INFINITY
  #parameters: FundingParameters = fundingParametersDefault
  readonly #hash: StateHash

  constructor(hash: StateHash) {
    this.#hash = hash
  }

  get sampleMillis(): number {
    return this.#parameters.sampleSeconds * 1000
  }

  get periodMillis(): number {
    return this.#parameters.periodSeconds * 1000
  }

  /**
   * Takes other parameters. Samples are of one switch and one division of time: they are dropped when these change.
   * What is fixed already is paid, whatever they say.
   */
  configure(parameters: FundingParameters): void {
    const before = this.#parameters
    this.#parameters = parameters
    const isSame =
      before.enabled === parameters.enabled &&
      before.sampleSeconds === parameters.sampleSeconds &&
      before.periodSeconds === parameters.periodSeconds
    if (!isSame) for (const perp of this.perps) this.#put(perp, beginAnew)
    this.#schedule()
  }

  /** A perp is listed. */
  add(instrument: number): void {
    this.perps.push(new PerpFunding(instrument))
    this.#schedule()
  }

  /** An instrument is delisted: if it is a perp, nobody holds it, and its samples are of no use. */
  remove(instrument: number): void {
    const place = this.perps.findIndex((perp) => perp.instrument === instrument)
    if (place < 0) return
    this.#put(this.perps[place], (removed) => {
      beginAnew(removed)
      removed.rateNanos = 0
      removed.endMillis = 0
    })
    this.perps.splice(place, 1)
    this.#schedule()
  }

  /** The perp that is first in the list of those whose next sample or period has begun, or null. */
  firstDue(nowMillis: number): PerpFunding | null {
    return this.perps.find((perp) => this.#nextOf(perp) <= nowMillis) ?? null
  }

  /** Changes a perp. */
  amend(perp: PerpFunding, change: (changed: PerpFunding) => void): void {
    this.#put(perp, change)
    this.#schedule()
  }

  /** A perp's period is over: its holders take their turns from now on. */
  begin(terms: FundingTerms, accounts: readonly number[], lots: readonly number[]): void {
    const round = { ...terms, accounts, lots, next: 0, clearingMicros: 0n }
    this.rounds.push(round)
    this.#hashRound(round, true)
  }

  /** The next holder of a round is done. @param paidMicros that it has paid in; below 0: it was paid. */
  advance(round: FundingRound, paidMicros: bigint): void {
    const { accounts, lots, next, clearingMicros: before } = round
    this.#hashShare(round, accounts[next], lots[next], false)
    const after = before + paidMicros
    this.#moveRound(round, clearingField, lowPart(before), lowPart(after))
    this.#moveRound(round, clearingHighField, highPart(before), highPart(after))
    round.clearingMicros = after
    round.next++
    this.#setPaymentCount(this.paymentCount + 1)
  }

  /** The first round is over. */
  end(round: FundingRound): void {
    assert(this.rounds[0] === round, 'funding: rounds end in their order')
    this.#hashRound(round, false)
    this.rounds.shift()
  }

  save(writer: StateWriter): void {
    writer.f64(this.paymentCount)
    writer.i32(this.perps.length)
    for (const perp of this.perps) perp.save(writer)
    writer.i32(this.rounds.length)
    for (const round of this.rounds) saveRound(round, writer)
  }

  /** Reads what `save` wrote, when the instruments are listed, and adds its elements to the hash. */
  load(reader: StateReader): void {
    this.#setPaymentCount(reader.f64())
    const count = reader.i32()
    assert(count === this.perps.length, 'funding: a snapshot has all perps that are listed')
    for (const [place, { instrument }] of this.perps.entries()) {
      const perp = PerpFunding.load(reader)
      assert(perp.instrument === instrument, 'funding: perps stand in order of listing')
      this.perps[place] = perp
      this.#hashPerp(perp, factsOf(new PerpFunding(instrument)))
    }
    for (let i = reader.i32(); i > 0; i--) {
      const round = loadRound(reader)
      this.rounds.push(round)
      this.#hashRound(round, true)
    }
    this.#schedule()
  }

  #nextOf({ periodMillis, sampledMillis }: PerpFunding): number {
    return Math.min(periodMillis + this.periodMillis, sampledMillis + this.sampleMillis)
  }

  #schedule(): void {
    this.nextMillis = Number.POSITIVE_INFINITY
    if (!this.#parameters.enabled) return
    for (const perp of this.perps) this.nextMillis = Math.min(this.nextMillis, this.#nextOf(perp))
  }

  #put(perp: PerpFunding, change: (changed: PerpFunding) => void): void {
    const before = factsOf(perp)
    change(perp)
    this.#hashPerp(perp, before)
  }

  #hashPerp(perp: PerpFunding, before: readonly number[]): void {
    for (const [field, value] of factsOf(perp).entries()) {
      moveElement(this.#hash, HashKind.PerpFunding, perp.instrument, field, before[field], value)
    }
  }

  #setPaymentCount(count: number): void {
    moveElement(this.#hash, HashKind.PerpFunding, -1, 0, this.paymentCount, count)
    this.paymentCount = count
  }

  #hashRound(round: FundingRound, adds: boolean): void {
    const { rateNanos, indexMicros, clearingMicros, sampleCount, holderCount } = round
    const { accounts, lots } = round
    const sum = clearingMicros
    const values = [rateNanos, indexMicros, lowPart(sum), sampleCount, holderCount, highPart(sum)]
    for (const [field, value] of values.entries()) {
      this.#moveRound(round, field, adds ? 0 : value, adds ? value : 0)
    }
    for (let i = round.next; i < accounts.length; i++) {
      this.#hashShare(round, accounts[i], lots[i], adds)
    }
  }

  #moveRound({ instrument, endMillis }: FundingRound, field: number, from: number, to: number) {
    moveElement(this.#hash, HashKind.FundingRound, instrument * 8 + field, endMillis, from, to)
  }

  #hashShare(round: FundingRound, account: number, lots: number, adds: boolean): void {
    const a = round.instrument * 16_777_216 + account
    if (adds) this.#hash.add(HashKind.FundingShare, a, round.endMillis, lots)
    else this.#hash.remove(HashKind.FundingShare, a, round.endMillis, lots)
  }
}

function factsOf(perp: PerpFunding): number[] {
  const { periodMillis, sampledMillis, sampleCount, premiumNanos, rateNanos, endMillis } = perp
  return [periodMillis, sampledMillis, sampleCount, premiumNanos, rateNanos, endMillis]
}

function beginAnew(perp: PerpFunding): void {
  perp.periodMillis = 0
  perp.sampledMillis = 0
  perp.sampleCount = 0
  perp.premiumNanos = 0
}

/** The holders who have had their turn are no state any more. */
function saveRound(round: FundingRound, writer: StateWriter): void {
  const { accounts, lots, next } = round
  writer.i32(round.instrument)
  writer.f64(round.endMillis)
  writer.f64(round.rateNanos)
  writer.f64(round.indexMicros)
  writer.i32(round.sampleCount)
  writer.i32(round.holderCount)
  writeSum(writer, round.clearingMicros)
  writer.i32(accounts.length - next)
  for (let i = next; i < accounts.length; i++) {
    writer.i32(accounts[i])
    writer.f64(lots[i])
  }
}

function loadRound(reader: StateReader): FundingRound {
  const [instrument, endMillis, rateNanos] = [reader.i32(), reader.f64(), reader.f64()]
  const [indexMicros, sampleCount, holderCount] = [reader.f64(), reader.i32(), reader.i32()]
  const clearingMicros = readSum(reader)
  const accounts: number[] = []
  const lots: number[] = []
  for (let i = reader.i32(); i > 0; i--) {
    accounts.push(reader.i32())
    lots.push(reader.f64())
  }
  const terms = { instrument, endMillis, rateNanos, indexMicros, sampleCount, holderCount }
  return { ...terms, accounts, lots, next: 0, clearingMicros }
}
