import { exactBound, lotsPerContract, moneyMicrosMax } from '../../schemas/bounds.js'
import { Side } from '../../schemas/domain.js'
import { Result } from '../../schemas/results.js'
import { grown } from '../memory/grown.js'
import { none } from '../memory/rows.js'
import type { InstrumentTable } from '../pricing/instruments.js'
import { mulDivUp } from './money.js'
import type { ComboCheck, OrderCheck } from './order-check.js'
import type { RiskLedger } from './risk-ledger.js'
import { closesOnly, reducesRisk } from './working-orders.js'

// Every sum over a wallet is exact while it is below 2^53. One bound, checked when an order is admitted, guarantees
// this: the wallet's cash plus the highest possible value of everything that it holds or may acquire stays below half
// of 2^53. Each contract counts with the most that a contract of its underlying can be worth. The other half is
// reserved for amounts that admission does not see: premiums of resting sells, deposits, settlements and funding. No
// price, mark or payoff exceeds the maximum: an index above the underlying's maximum is refused, and a bid above it is
// rejected.
//
// The amount that an order can add is known at once; amounts that fills and cancels free are ignored. Each wallet has a
// running sum that orders only increase. It is recomputed from the positions when it would reach the bound. A wallet
// far from the bound pays one addition per order. The running sum alone rejects nothing, so it is not part of the
// state.

/** Highest value of a wallet's positions and orders, with or without a request. */
class Measure {
  micros = 0
  lots = 0
}

/** Lots that `#measure` adds to the working orders of one instrument. `none` adds nothing. */
class AddedOrders {
  instrument: number = none
  buyLots = 0
  sellLots = 0
}

const noOrders: Readonly<AddedOrders> = new AddedOrders()

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
  /** By account, an upper bound of the true sums in micros and in lots; NaN if it must be computed. */
  #spent = new Float64Array(64).fill(Number.NaN)
  readonly #with = new Measure()
  readonly #without = new Measure()
  readonly #added = new AddedOrders()

  constructor(ledger: RiskLedger) {
    this.#ledger = ledger
  }

  /** Checks that the highest value of a wallet with an order stays within the range of exact sums. */
  check(request: OrderCheck): Result {
    const { instruments, cashMicros } = this.#ledger
    const { account, instrument, sizeLots } = request
    const indexMicros = instruments.maxIndexMicros[instruments.underlying[instrument]]
    // Without an index nothing has a value, and the index check rejects the order.
    if (indexMicros === 0) return Result.Accepted
    const strikeMicros = instruments.strikeMicros[instrument]
    const highestMicros = strikeMicros > indexMicros ? strikeMicros : indexMicros
    if (request.side === Side.Buy && request.priceMicros > highestMicros) {
      this.#bound = highestMicros
      return Result.PriceLimit
    }
    const contracts = sizeLots / lotsPerContract
    // The quotient and the product are each rounded; below the bound, one extra micro covers each.
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
    return this.#recheck(request)
  }

  /** Writes the values in the text of a limit's result from `at` on, in the order of its row in schemas/results.ts. */
  writeDetails(result: Result, details: Float64Array, at: number): void {
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

  /** Returns the highest value of a wallet's positions and orders in micros; Infinity beyond exact sums. */
  exposedMicros(account: number): number {
    this.#measure(account, noOrders, this.#without)
    return this.#without.micros
  }

  /**
   * Like `check`, for a combo before its trial fills. Legs that close a position add nothing; all other legs, and all
   * payments, count in full.
   */
  checkCombo({ account, legs }: ComboCheck): Result {
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
    this.#measure(account, noOrders, less)
    this.#bound = exactBound
    if (cash + costMicros >= moneyMicrosMax) return this.#valueLimit(account, costMicros)
    if (addedLots === 0) return Result.Accepted
    this.#measureMore(account, highest, addedLots, more)
    if (cash + costMicros + more.micros >= exactBound) return this.#valueLimit(account, costMicros)
    if (more.lots >= exactBound) return Result.SizeLimit
    const isHeld = this.#realizedMax(account) + more.micros < moneyMicrosMax
    return isHeld ? Result.Accepted : this.#valueLimit(account, costMicros)
  }

  /** Invalidates the sum of a wallet whose positions changed other than by its orders. */
  forget(account: number): void {
    if (account < this.#spent.length) this.#spent[account] = Number.NaN
  }

  /** Invalidates all sums, because the maximum value of an underlying changed. */
  forgetAll(): void {
    this.#spent.fill(Number.NaN)
  }

  #recheck(request: OrderCheck): Result {
    const { exposures, cashMicros, instruments, orders } = this.#ledger
    const { account, instrument, side, replacedSlot } = request
    const [more, less] = [this.#with, this.#without]
    this.#measure(account, noOrders, less)
    // A risk-reducing order is in no sum, so replacing it subtracts nothing.
    const isCounted = replacedSlot !== none && !reducesRisk(orders, replacedSlot)
    const replacedLots = isCounted ? orders.openLots[replacedSlot] : 0
    const isSameSide = replacedSlot !== none && orders.side[replacedSlot] === side
    const addedLots = request.sizeLots - (isSameSide ? replacedLots : 0)
    const otherLots = isSameSide ? 0 : -replacedLots
    const added = this.#added
    added.instrument = instrument
    added.buyLots = side === Side.Buy ? addedLots : otherLots
    added.sellLots = side === Side.Sell ? addedLots : otherLots
    this.#measure(account, added, more)
    const cash = Math.abs(cashMicros[account])
    this.#bound = exactBound
    // An order that only closes adds nothing. It passes even if credits have taken the wallet beyond the bound.
    if (more.lots > less.lots) {
      if (cash + more.micros >= exactBound)
        return this.#valueLimit(account, valueUp(request.priceMicros, request.sizeLots))
      if (more.lots >= exactBound) return Result.SizeLimit
      // The realized profit of an instrument is kept while it is held, and closing the position may still add to it.
      const row = exposures.find(account, instrument)
      const realized = row === none ? 0 : Math.abs(exposures.realizedMicros[row])
      if (realized + more.micros >= moneyMicrosMax) {
        return this.#valueLimit(account, valueUp(request.priceMicros, request.sizeLots))
      }
    }
    const isHigh =
      instruments.strikeMicros[instrument] > highestIndexOf(instruments, instrument) ||
      this.#hasHighStrike(account)
    // The request may still be rejected, which keeps the replaced order. The larger sum is valid in both cases.
    const known = Math.max(more.micros, more.lots, less.micros, less.lots)
    const spent = Math.max(known, 4 * this.#realizedMax(account))
    this.#setSpent(account, isHigh ? Number.NaN : spent)
    return Result.Accepted
  }

  /** Stores the values that `writeDetails` writes, for an order whose wallet is measured in `#without`. */
  #valueLimit(account: number, costMicros: number): Result {
    const ownMicros = this.#ledger.cashMicros[account]
    this.#usedMicros = Math.abs(ownMicros) + this.#without.micros
    this.#ownMicros = ownMicros
    this.#costMicros = costMicros
    return Result.ValueLimit
  }

  /**
   * Sums the wallet's holdings, with the larger side of each instrument if its working orders fill. All instruments of
   * an underlying count at the highest value among those that the wallet has, because margin by payoffs values all of
   * them at the strike of one of them.
   */
  #measure(account: number, added: Readonly<AddedOrders>, out: Measure): void {
    const { instrument, buyLots, sellLots } = added
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
      this.#addBucket(bucket, added, extraLots, out)
    }
    if (isCounted) return
    const lots = Math.max(buyLots, sellLots)
    addValue(highestValueOf(instruments, instrument), lots, out)
  }

  /** Like `#measure`, with `moreLots` of the instrument's underlying added. */
  #measureMore(account: number, instrument: number, moreLots: number, out: Measure): void {
    const { buckets, firstBucket, instruments } = this.#ledger
    const added = this.#added
    added.instrument = instrument
    added.buyLots = 0
    added.sellLots = 0
    out.micros = 0
    out.lots = 0
    let isCounted = false
    let bucket = firstBucket[account]
    for (; bucket !== none; bucket = buckets.nextInAccount[bucket]) {
      const isOwn = buckets.underlying[bucket] === instruments.underlying[instrument]
      if (isOwn) isCounted = true
      this.#addBucket(bucket, isOwn ? added : noOrders, isOwn ? moreLots : 0, out)
    }
    if (!isCounted) addValue(highestValueOf(instruments, instrument), moreLots, out)
  }

  /** @param extraLots lots to add to the bucket, of an instrument that the wallet does not hold yet. */
  #addBucket(
    bucket: number,
    { instrument, buyLots, sellLots }: Readonly<AddedOrders>,
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

  /** Returns true if a strike that the wallet has is above every index. Its sum is then recomputed for every order. */
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

/** Adds lots and their value to `out`. */
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

/** Returns the most that a contract can ever be worth, in micros. */
function highestValueOf(instruments: InstrumentTable, instrument: number): number {
  return Math.max(highestIndexOf(instruments, instrument), instruments.strikeMicros[instrument])
}

function highestIndexOf(instruments: InstrumentTable, instrument: number): number {
  return instruments.maxIndexMicros[instruments.underlying[instrument]]
}
