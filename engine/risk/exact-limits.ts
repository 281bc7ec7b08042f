import { exactBound, lotsPerContract, moneyMicrosMax } from '../../schemas/bounds.js'
import { Side } from '../../schemas/domain.js'
import { Result } from '../../schemas/results.js'
import { grown } from '../memory/grown.js'
import { none } from '../memory/rows.js'
import type { InstrumentTable } from '../pricing/instruments.js'
import { mulDivUp } from './money.js'
import type { OrderCheck, PackageCheck } from './order-check.js'
import type { RiskLedger } from './risk-ledger.js'
import { closesOnly, isExempt } from './working-orders.js'

// Every sum over a wallet is exact while it stays below 2^53. What keeps it there is one bound, held when an order is
// admitted: cash, and everything that the wallet holds or could come to hold, each contract at the most that one of its
// underlying can ever be worth, stay below half of that. The other half is for what nobody asks the wallet about:
// premiums of its resting sells, deposits, settlements, funding. No price, mark or payoff goes beyond that most: an
// index above the underlying's highest is refused, and so is a bid.
//
// What an order can add is known at once, what fills and cancels free is not looked at: each wallet has a sum that
// only grows by its orders, and is computed anew from its positions when it would come to the bound. A wallet far from
// it pays an addition per order. The sum decides nothing alone, so it is no part of the state.

/** What a wallet comes to at most, with a request or without one. */
class Measure {
  micros = 0
  lots = 0
}

/** Working orders of one instrument that are taken to be more by so many lots; of `none`: nothing is. */
class Supposed {
  instrument: number = none
  buyLots = 0
  sellLots = 0
}

const nothing: Readonly<Supposed> = new Supposed()

export class ExactLimits {
  /** Highest value of the wallet's positions and orders at its latest `ValueLimit`, micros. */
  #usedMicros = 0
  /** Price × size of the order that failed; for a combo the sum of payments and fees. */
  #costMicros = 0
  /** Cash of its wallet. */
  #ownMicros = 0
  /** Bound of the latest failure: micros, or lots for `SizeLimit`. */
  #bound = 0
  readonly #ledger: RiskLedger
  /** By account, at least the true sum in micros and in lots; NaN: to be computed. */
  #spent = new Float64Array(64).fill(Number.NaN)
  readonly #with = new Measure()
  readonly #without = new Measure()
  readonly #supposed = new Supposed()

  constructor(ledger: RiskLedger) {
    this.#ledger = ledger
  }

  /** Whether everything that a wallet may come to with an order is within the range of exact sums. */
  check(request: OrderCheck): Result {
    const { instruments, cashMicros } = this.#ledger
    const { account, instrument, sizeLots } = request
    const indexMicros = instruments.maxIndexMicros[instruments.underlying[instrument]]
    // Nothing has a value without an index: the check for it refuses the order.
    if (indexMicros === 0) return Result.Accepted
    const strikeMicros = instruments.strikeMicros[instrument]
    const highestMicros = strikeMicros > indexMicros ? strikeMicros : indexMicros
    if (request.side === Side.Buy && request.priceMicros > highestMicros) {
      this.#bound = highestMicros
      return Result.PriceLimit
    }
    const contracts = sizeLots / lotsPerContract
    // A quotient and a product are rounded: one more micro is enough for both below the bound.
    const addedMicros = highestMicros * contracts + 2
    const added = addedMicros > sizeLots ? addedMicros : sizeLots
    if (account < this.#spent.length && strikeMicros <= indexMicros) {
      const spent = this.#spent[account] + added
      const cash = cashMicros[account]
      if (spent + (cash < 0 ? -cash : cash) < exactBound) {
        this.#spent[account] = spent
        return Result.Accepted
      }
    }
    return this.#checkAnew(request)
  }

  /** Writes the values that the text of a limit names, in the order of its row in schemas/results.ts, from `at` on. */
  tell(result: Result, details: Float64Array, at: number): void {
    if (result === Result.ValueLimit) {
      // An amount beyond any exact sum counts as the largest one.
      details[at] = Math.min(this.#usedMicros, Number.MAX_SAFE_INTEGER)
      details[at + 1] = this.#bound
      details[at + 2] = Math.min(this.#costMicros, Number.MAX_SAFE_INTEGER)
      details[at + 3] = this.#ownMicros
    } else {
      details[at] = result === Result.BookLimit ? exactBound : this.#bound
    }
  }

  /** What a wallet's positions and orders come to at most, micros; Infinity beyond any exact sum. */
  exposedMicros(account: number): number {
    this.#measure(account, nothing, this.#without)
    return this.#without.micros
  }

  /**
   * The same of a package, before anything of it is tried out: what closes adds nothing, all else is added in full, and
   * so is what is paid for the legs.
   */
  checkPackage({ account, legs }: PackageCheck): Result {
    const ledger = this.#ledger
    const { instruments, cashMicros } = ledger
    const [more, less] = [this.#with, this.#without]
    const cash = Math.abs(cashMicros[account])
    let costMicros = 0
    let addedLots = 0
    let highest = legs[0].instrument
    for (const leg of legs) {
      const { instrument, sizeLots } = leg
      this.#bound = highestValueOf(instruments, instrument)
      if (leg.side === Side.Buy && leg.priceMicros > this.#bound) return Result.PriceLimit
      if (instruments.strikeMicros[instrument] > instruments.strikeMicros[highest]) {
        highest = instrument
      }
      costMicros += leg.cashMicros + Math.abs(leg.feeMicros)
      if (!closesOnly(ledger, account, leg)) addedLots += sizeLots
    }
    this.#measure(account, nothing, less)
    this.#bound = exactBound
    if (cash + costMicros >= moneyMicrosMax) return this.#valueLimit(account, costMicros)
    if (addedLots === 0) return Result.Accepted
    this.#measureMore(account, highest, addedLots, more)
    if (cash + costMicros + more.micros >= exactBound) return this.#valueLimit(account, costMicros)
    if (more.lots >= exactBound) return Result.SizeLimit
    const isHeld = this.#realizedMax(account) + more.micros < moneyMicrosMax
    return isHeld ? Result.Accepted : this.#valueLimit(account, costMicros)
  }

  /** Positions of a wallet have changed otherwise than by its orders. */
  forget(account: number): void {
    if (account < this.#spent.length) this.#spent[account] = Number.NaN
  }

  /** The highest value of an underlying has changed. */
  forgetAll(): void {
    this.#spent.fill(Number.NaN)
  }

  #checkAnew(request: OrderCheck): Result {
    const { exposures, cashMicros, instruments, orders } = this.#ledger
    const { account, instrument, side, replacedSlot } = request
    const [more, less] = [this.#with, this.#without]
    this.#measure(account, nothing, less)
    // An exempt order is in no sum, so nothing is gone with it.
    const isCounted = replacedSlot !== none && !isExempt(orders, replacedSlot)
    const goneLots = isCounted ? orders.openLots[replacedSlot] : 0
    const isSameSide = replacedSlot !== none && orders.side[replacedSlot] === side
    const addedLots = request.sizeLots - (isSameSide ? goneLots : 0)
    const otherLots = isSameSide ? 0 : -goneLots
    const supposed = this.#supposed
    supposed.instrument = instrument
    supposed.buyLots = side === Side.Buy ? addedLots : otherLots
    supposed.sellLots = side === Side.Sell ? addedLots : otherLots
    this.#measure(account, supposed, more)
    const cash = Math.abs(cashMicros[account])
    this.#bound = exactBound
    // Whatever closes adds nothing: it passes, even where credits have taken the wallet beyond.
    if (more.lots > less.lots) {
      if (cash + more.micros >= exactBound)
        return this.#valueLimit(account, valueUp(request.priceMicros, request.sizeLots))
      if (more.lots >= exactBound) return Result.SizeLimit
      // What an instrument has realised is kept while it is held: all that is held may still be added to it.
      const row = exposures.find(account, instrument)
      const realized = row === none ? 0 : Math.abs(exposures.realizedMicros[row])
      if (realized + more.micros >= moneyMicrosMax) {
        return this.#valueLimit(account, valueUp(request.priceMicros, request.sizeLots))
      }
    }
    const isHigh =
      instruments.strikeMicros[instrument] > highestIndexOf(instruments, instrument) ||
      this.#hasHighStrike(account)
    // The request may yet be refused, and what it replaces stays: the sum holds either way.
    const known = Math.max(more.micros, more.lots, less.micros, less.lots)
    const spent = Math.max(known, 4 * this.#realizedMax(account))
    this.#setSpent(account, isHigh ? Number.NaN : spent)
    return Result.Accepted
  }

  /** Keeps the values that `tell` writes, for an order whose wallet is measured in `#without`. */
  #valueLimit(account: number, costMicros: number): Result {
    const ownMicros = this.#ledger.cashMicros[account]
    this.#usedMicros = Math.abs(ownMicros) + this.#without.micros
    this.#ownMicros = ownMicros
    this.#costMicros = costMicros
    return Result.ValueLimit
  }

  /**
   * Sums up what a wallet holds, the larger side of each instrument with its working orders filled. Instruments of an
   * underlying count at the highest value among those that the wallet has: at the strike of one of them all others
   * are valued, too, where margin is measured by payoffs.
   */
  #measure(account: number, supposed: Readonly<Supposed>, out: Measure): void {
    const { instrument, buyLots, sellLots } = supposed
    const { buckets, firstBucket, instruments, exposures } = this.#ledger
    out.micros = 0
    out.lots = 0
    if (account >= this.#ledger.accountCount) return
    const isNew = instrument !== none && exposures.find(account, instrument) === none
    const underlying = isNew ? instruments.underlying[instrument] : none
    let isCounted = !isNew
    let bucket = firstBucket[account]
    for (; bucket !== none; bucket = buckets.nextInAccount[bucket]) {
      let extraLots = 0
      if (buckets.underlying[bucket] === underlying) {
        isCounted = true
        extraLots = Math.max(buyLots, sellLots)
      }
      this.#addBucket(bucket, supposed, extraLots, out)
    }
    if (isCounted) return
    const lots = Math.max(buyLots, sellLots)
    addValue(highestValueOf(instruments, instrument), lots, out)
  }

  /** Sums up what a wallet holds, with more lots of an underlying than it has, one of its instruments among them. */
  #measureMore(account: number, instrument: number, moreLots: number, out: Measure): void {
    const { buckets, firstBucket, instruments } = this.#ledger
    const supposed = this.#supposed
    supposed.instrument = instrument
    supposed.buyLots = 0
    supposed.sellLots = 0
    out.micros = 0
    out.lots = 0
    let isCounted = false
    let bucket = firstBucket[account]
    for (; bucket !== none; bucket = buckets.nextInAccount[bucket]) {
      const isOwn = buckets.underlying[bucket] === instruments.underlying[instrument]
      if (isOwn) isCounted = true
      this.#addBucket(bucket, isOwn ? supposed : nothing, isOwn ? moreLots : 0, out)
    }
    if (!isCounted) addValue(highestValueOf(instruments, instrument), moreLots, out)
  }

  /** @param extraLots of a supposed instrument that the wallet has nothing of yet. */
  #addBucket(
    bucket: number,
    { instrument, buyLots, sellLots }: Readonly<Supposed>,
    extraLots: number,
    out: Measure,
  ): void {
    const { buckets, groups, exposures, instruments } = this.#ledger
    const underlying = buckets.underlying[bucket]
    let highestMicros = instruments.maxIndexMicros[underlying]
    if (extraLots > 0) highestMicros = Math.max(highestMicros, instruments.strikeMicros[instrument])
    let lots = extraLots
    let group = buckets.firstGroup[bucket]
    for (; group !== none; group = groups.nextInBucket[group]) {
      let row = groups.firstExposure[group]
      for (; row !== none; row = exposures.nextInGroup[row]) {
        const own = exposures.instrument[row]
        const isChanged = own === instrument
        const held = exposures.positionLots[row]
        const buys = exposures.workingBuyLots[row] + (isChanged ? buyLots : 0)
        const sells = exposures.workingSellLots[row] + (isChanged ? sellLots : 0)
        lots += Math.max(Math.abs(held), Math.abs(held + buys), Math.abs(held - sells))
        highestMicros = Math.max(highestMicros, instruments.strikeMicros[own])
      }
    }
    addValue(highestMicros, lots, out)
  }

  #realizedMax(account: number): number {
    const { exposures, firstExposure } = this.#ledger
    let most = 0
    let row = firstExposure[account]
    for (; row !== none; row = exposures.nextInAccount[row]) {
      most = Math.max(most, Math.abs(exposures.realizedMicros[row]))
    }
    return most
  }

  #setSpent(account: number, spent: number): void {
    if (account >= this.#spent.length) {
      const length = Math.max(account + 1, 2 * this.#spent.length)
      this.#spent = grown(this.#spent, new Float64Array(length).fill(Number.NaN))
    }
    this.#spent[account] = spent
  }

  /** Whether a wallet has an instrument whose strike is above any index: then each of its orders is measured anew. */
  #hasHighStrike(account: number): boolean {
    const { exposures, firstExposure, instruments } = this.#ledger
    let row = firstExposure[account]
    for (; row !== none; row = exposures.nextInAccount[row]) {
      const instrument = exposures.instrument[row]
      if (instruments.strikeMicros[instrument] > highestIndexOf(instruments, instrument))
        return true
    }
    return false
  }
}

/** Adds lots and their value. */
function addValue(highestMicros: number, lots: number, out: Measure): void {
  if (lots === 0) return
  out.lots += lots
  out.micros += valueUp(highestMicros, lots)
}

/** Returns price × size, rounded up to the next micro; Infinity beyond any exact sum. */
function valueUp(priceMicros: number, lots: number): number {
  const isExact = lots < 2 * exactBound && priceMicros * (lots / lotsPerContract) < exactBound
  return isExact ? mulDivUp(priceMicros, lots, lotsPerContract) : Number.POSITIVE_INFINITY
}

/** The most that a contract can ever be worth. */
function highestValueOf(instruments: InstrumentTable, instrument: number): number {
  return Math.max(highestIndexOf(instruments, instrument), instruments.strikeMicros[instrument])
}

function highestIndexOf(instruments: InstrumentTable, instrument: number): number {
  return instruments.maxIndexMicros[instruments.underlying[instrument]]
}
