import { assert } from '../../../schemas/assert.js'
import { readSum, writeSum } from '../../memory/exact-sum.js'
import type { StateReader, StateSink } from '../../memory/state-codec.js'
import {
  HashCell,
  HashKind,
  rowDoubles,
  rowWords,
  type StateHash,
} from '../../memory/state-hash.js'
import { PerpFunding } from '../../tables/generated/perp-funding.js'
import { type FundingParameters, fundingParametersDefault } from './funding-parameters.js'

/** Terms of a round of payments, fixed at its beginning. */
export interface FundingTerms {
  readonly instrument: number
  /** End of the period. */
  readonly endMillis: number
  /** Above 0 if longs pay. */
  readonly rateNanos: number
  readonly indexMicros: number
  readonly sampleCount: number
  /** Number of holders, including those already paid. */
  readonly holderCount: number
}

/** A period of one perp whose payments are in progress. */
export interface FundingRound extends FundingTerms {
  /** Holders of the perp when its rate was fixed, by account. */
  readonly accounts: readonly number[]
  /** Signed position of each holder. */
  readonly lots: readonly number[]
  /** Index of the next holder; those before it are done. */
  next: number
  /** Sum of payments received, less payments made. */
  clearingMicros: bigint
  /** Its element of the hash; each unpaid holder's position has an element of its own. */
  readonly cell: HashCell
}

/**
 * Perps that may be funded, and the rounds of payments that have not ended, in the order in which they were fixed.
 * Change a perp only through `amend`, which notes it for the hash. While funding is off, perps have no samples and cost
 * nothing.
 */
export class FundingTable {
  readonly perps: PerpFunding[] = []
  /** Oldest first; paid in this order. */
  readonly rounds: FundingRound[] = []
  /** Number of payments so far, in all rounds. */
  paymentCount = 0
  /** Time of the next sample or period of any perp; Infinity if there is nothing to fund. */
  nextMillis = Number.POSITIVE_INFINITY
  #parameters: FundingParameters = fundingParametersDefault
  readonly #hash: StateHash
  readonly #cell = new HashCell(HashKind.Fundings, {
    save: (sink) => this.#saveProgress(sink),
  })

  constructor(hash: StateHash) {
    this.#hash = hash
    hash.note(this.#cell)
  }

  get sampleMillis(): number {
    return this.#parameters.sampleSeconds * 1000
  }

  get periodMillis(): number {
    return this.#parameters.periodSeconds * 1000
  }

  /**
   * Sets the parameters. Samples are dropped if the switch or the division of time changes. Fixed rounds are paid in
   * any case.
   */
  configure(parameters: FundingParameters): void {
    const before = this.#parameters
    this.#parameters = parameters
    const isSame =
      before.enabled === parameters.enabled &&
      before.sampleSeconds === parameters.sampleSeconds &&
      before.periodSeconds === parameters.periodSeconds
    if (!isSame) for (const perp of this.perps) this.amend(perp, clearSamples)
    this.#schedule()
  }

  /** Adds a listed perp. */
  add(instrument: number): void {
    const last = this.perps.at(-1)
    assert(last === undefined || last.instrument < instrument, 'funding: a perp is listed once')
    const perp = new PerpFunding(instrument)
    this.perps.push(perp)
    this.#hash.note(perp.cell)
    this.#schedule()
  }

  /** Removes a delisted instrument if it is a perp; it has no holders, and its samples are useless. */
  remove(instrument: number): void {
    const place = this.perps.findIndex((perp) => perp.instrument === instrument)
    if (place < 0) return
    const [removed] = this.perps.splice(place, 1)
    this.#hash.drop(removed.cell)
    this.#schedule()
  }

  /** Returns the first listed perp whose next sample or period has begun, or null. */
  firstDue(nowMillis: number): PerpFunding | null {
    return this.perps.find((perp) => this.#nextOf(perp) <= nowMillis) ?? null
  }

  /** Changes a perp, and notes it for the hash. */
  amend(perp: PerpFunding, change: (changed: PerpFunding) => void): void {
    change(perp)
    this.#hash.note(perp.cell)
    this.#schedule()
  }

  /** Begins the payments of a perp's period, after it ended. */
  begin(terms: FundingTerms, accounts: readonly number[], lots: readonly number[]): void {
    assert(accounts.length === lots.length, 'funding: each holder has a position')
    assert(accounts.length <= terms.holderCount, 'funding: no more holders than the terms count')
    assert(Number.isSafeInteger(terms.rateNanos), 'funding: the rate is a safe integer')
    this.#add(roundOf(terms, accounts, lots, 0n))
  }

  /** Returns true if the wallet has an open payment in a round. */
  isAwaited(account: number): boolean {
    return this.rounds.some(({ accounts, next }) => accounts.indexOf(account, next) >= 0)
  }

  /**
   * Completes the payment of the next holder of a round.
   * @param paidMicros amount that it paid; below 0 if it received it.
   */
  advance(round: FundingRound, paidMicros: bigint): void {
    assert(this.rounds[0] === round, 'funding: rounds are paid in order')
    assert(round.next < round.accounts.length, 'funding: a holder is left to pay')
    this.#hashShare(round, round.next, false)
    round.clearingMicros += paidMicros
    round.next++
    this.paymentCount++
    this.#hash.note(round.cell)
    this.#hash.note(this.#cell)
  }

  /** Ends the first round. */
  end(round: FundingRound): void {
    assert(this.rounds[0] === round, 'funding: rounds end in their order')
    assert(
      round.next === round.accounts.length,
      'funding: every holder is paid before a round ends',
    )
    this.#hash.drop(round.cell)
    this.#hash.note(this.#cell)
    this.rounds.shift()
  }

  save(sink: StateSink): void {
    sink.f64(this.paymentCount)
    sink.i32(this.perps.length)
    for (const perp of this.perps) perp.save(sink)
    sink.i32(this.rounds.length)
    for (const round of this.rounds) saveRound(round, sink)
  }

  /** Reads what `save` wrote, after the instruments. */
  load(reader: StateReader): void {
    this.paymentCount = reader.f64()
    const count = reader.i32()
    assert(count === this.perps.length, 'funding: a snapshot has all perps that are listed')
    for (const [place, { instrument }] of this.perps.entries()) {
      const perp = PerpFunding.load(reader)
      assert(perp.instrument === instrument, 'funding: perps are in order of listing')
      this.#hash.drop(this.perps[place].cell)
      this.perps[place] = perp
      this.#hash.note(perp.cell)
    }
    for (let i = reader.i32(); i > 0; i--) this.#add(loadRound(reader))
    this.#hash.note(this.#cell)
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

  #add(round: FundingRound): void {
    this.rounds.push(round)
    for (let i = round.next; i < round.accounts.length; i++) this.#hashShare(round, i, true)
    this.#hash.note(round.cell)
    this.#hash.note(this.#cell)
  }

  /** Adds an unpaid holder's position to the hash, or removes it. */
  #hashShare({ instrument, endMillis, accounts, lots }: FundingRound, i: number, adds: boolean) {
    rowDoubles[0] = endMillis
    rowDoubles[1] = lots[i]
    rowWords[4] = instrument
    rowWords[5] = accounts[i]
    this.#hash.put(HashKind.FundingShare, 6, adds)
  }

  /** Saves the number of payments, and the order of the rounds in progress. */
  #saveProgress(sink: StateSink): void {
    sink.f64(this.paymentCount)
    for (const { instrument, endMillis } of this.rounds) {
      sink.i32(instrument)
      sink.f64(endMillis)
    }
  }
}

function clearSamples(perp: PerpFunding): void {
  perp.periodMillis = 0
  perp.sampledMillis = 0
  perp.sampleCount = 0
  perp.premiumNanos = 0
}

function roundOf(
  terms: FundingTerms,
  accounts: readonly number[],
  lots: readonly number[],
  clearingMicros: bigint,
): FundingRound {
  const cell = new HashCell(HashKind.FundingRound, { save: (sink) => saveTerms(round, sink) })
  const round = { ...terms, accounts, lots, next: 0, clearingMicros, cell }
  return round
}

function saveTerms(round: FundingRound, sink: StateSink): void {
  sink.i32(round.instrument)
  sink.f64(round.endMillis)
  sink.f64(round.rateNanos)
  sink.f64(round.indexMicros)
  sink.i32(round.sampleCount)
  sink.i32(round.holderCount)
  writeSum(sink, round.clearingMicros)
  sink.i32(round.accounts.length - round.next)
}

/** Saves a round without the holders that are done, which are no longer state. */
function saveRound(round: FundingRound, sink: StateSink): void {
  const { accounts, lots, next } = round
  saveTerms(round, sink)
  for (let i = next; i < accounts.length; i++) {
    sink.i32(accounts[i])
    sink.f64(lots[i])
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
  return roundOf(terms, accounts, lots, clearingMicros)
}
