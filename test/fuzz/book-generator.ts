import { randomFrom } from '../../bench/book-replay/book-flow.js'
import { notResting } from '../../engine/matching/order-book.js'
import { priceIndexMax, priceMicrosOf } from '../../engine/matching/price-grid.js'
import { priceMicrosMax, sizeLotsMax } from '../../schemas/bounds.js'
import { SelfTradeMode, Side, Tif } from '../../schemas/domain.js'
import { BookCommand, type CommandKind } from './book-command.js'
import { type BookProfile, bookProfiles } from './book-profiles.js'
import type { BookRun } from './book-run.js'

/** Chance that a cancel or replace names an order that may have ended long ago. */
const unknownChance = 0.08
/** Chance that a reduce-only order is on the side that closes its account's position. */
const closingChance = 0.85
/** Chance that somebody shows a price against an order that is placed. */
const quotedChance = 0.06
/** Chance that the order which a new one replaces is in no book. */
const unbookedChance = 0.05
const tifShares = [
  [Tif.Gtc, 64],
  [Tif.Ioc, 14],
  [Tif.Fok, 14],
  [Tif.Alo, 8],
] as const

/**
 * Makes the commands of one episode, the same for the same seed: what to name it takes from the
 * plain books of a run, so that most commands meet something.
 */
export class BookGenerator {
  readonly profileName: string
  readonly profile: BookProfile
  readonly #random: () => number
  readonly #kinds: readonly (readonly [CommandKind, number])[]
  readonly #middleIndex: number
  /** Numbers of orders that may rest; those that do not are found out when drawn. */
  readonly #resting: number[] = []
  #orders = 0
  #roundLeft = 0

  constructor(seed: number, profileName?: string) {
    this.#random = randomFrom(seed)
    const shares = Object.entries(bookProfiles).map(([name, { share }]) => [name, share] as const)
    this.profileName = profileName ?? this.#weighted(shares)
    this.profile = bookProfiles[this.profileName]!
    this.#kinds = Object.entries(this.profile.weights) as [CommandKind, number][]
    this.#middleIndex = this.#oneOf(this.profile.middles)
  }

  /** The next command for a run that did those before it. */
  next(run: BookRun): BookCommand {
    if (--this.#roundLeft < 0) {
      this.#roundLeft = 1 + this.#below(this.profile.roundMax)
      const round = new BookCommand()
      round.elapsedMillis = this.#below(3)
      return round
    }
    const command = new BookCommand()
    command.kind = this.#kind(run)
    command.instrument = this.#below(this.profile.instruments)
    command.account = this.#below(this.profile.accounts)
    command.side = this.#random() < 0.5 ? Side.Buy : Side.Sell
    switch (command.kind) {
      case 'place':
        this.#drawOrder(run, command)
        if (command.tif === Tif.Fok && this.#random() < 0.4) this.#drawReach(run, command)
        if (this.#random() < quotedChance) this.#drawQuoted(command)
        break
      case 'replace':
        command.old = this.#oldOrder(run)
        this.#drawOrder(run, command)
        command.isUnbooked = this.#random() < unbookedChance
        command.keepsHandle = this.#random() < 0.3
        command.isStale = this.#random() < 0.3
        if (!command.isUnbooked) this.#drawAmendment(run, command)
        break
      case 'decide':
        this.#drawOrder(run, command)
        if (this.#random() < 0.8) this.#drawReach(run, command)
        this.#drawQuote(run, command)
        break
      case 'cancel':
        command.old = this.#oldOrder(run)
        break
      case 'move':
        command.sizeLots = this.#oneOf(this.profile.sizes) * (1 + this.#below(6))
        break
      case 'protect':
        this.#drawLimits(command)
        break
      default:
    }
    return command
  }

  #drawOrder(run: BookRun, command: BookCommand): void {
    command.order = ++this.#orders
    this.#resting.push(command.order)
    command.tif = this.#weighted(tifShares)
    command.selfTrade = this.#below(3) as SelfTradeMode
    command.sizeLots = this.#oneOf(this.profile.sizes) * (this.#random() < 0.1 ? 7 : 1)
    command.sizeLots = Math.min(command.sizeLots, 1e13)
    command.reduceOnly = this.#random() < this.profile.reduceOnly
    if (command.reduceOnly && this.#random() < closingChance) {
      const held = run.registry.positionLots(command.instrument, command.account)
      command.side = held < 0 ? Side.Buy : Side.Sell
      const part = Math.ceil((Math.abs(held) * (1 + this.#below(3))) / 3)
      if (held !== 0 && this.#random() < 0.4) command.sizeLots = Math.min(part, sizeLotsMax)
    }
    command.priceIndex = this.#priceIndex(command.side)
    if (this.profile.mmpEnabled === 0) return
    command.mmpEnabled = this.#random() < this.profile.mmpEnabled
    command.takerCounts = command.mmpEnabled && this.#random() < this.profile.takerCounts
    command.deltaMicros = this.#below(2_000_001) - 1_000_000
    command.vegaMicros = this.#below(3) === 0 ? 0 : this.#below(2e12)
  }

  /** Draws a price near the book, on the grid or a micro off it. */
  #drawQuoted(command: BookCommand): void {
    const other = command.side === Side.Buy ? Side.Sell : Side.Buy
    const priceMicros = priceMicrosOf(this.#priceIndex(other))
    command.quotedMicros = Math.max(1, Math.min(priceMicros + this.#below(3) - 1, priceMicrosMax))
  }

  /** A limit on a level of the other side, and the size of some orders up to there, often past own ones. */
  #drawReach(run: BookRun, command: BookCommand): void {
    const makers = this.#makersOf(run, command)
    if (makers.length === 0) return
    const limit = this.#below(makers.length)
    command.priceIndex = makers[limit]!.priceIndex
    const some = makers
      .slice(0, limit + 1)
      .filter(({ account }) => account !== command.account && this.#random() < 0.8)
    if (this.#random() < 0.5) command.selfTrade = SelfTradeMode.CancelMaker
    const sizeLots = some.reduce((sum, { openLots }) => sum + openLots, 0)
    if (sizeLots > 0) command.sizeLots = Math.min(sizeLots, sizeLotsMax)
  }

  /** A quote near what the order would pay on average. */
  #drawQuote(run: BookRun, command: BookCommand): void {
    this.#drawQuoted(command)
    const { sizeLots } = command
    const makers = this.#makersOf(run, command)
    let leftLots = sizeLots
    let cost = 0n
    for (const { priceIndex, openLots } of makers) {
      const takenLots = Math.min(leftLots, openLots)
      cost += BigInt(priceMicrosOf(priceIndex)) * BigInt(takenLots)
      leftLots -= takenLots
    }
    if (leftLots > 0 || this.#random() < 0.2) return
    const averageMicros = Number(cost / BigInt(sizeLots))
    command.quotedMicros = Math.max(1, Math.min(averageMicros + this.#below(3) - 1, priceMicrosMax))
  }

  /** Orders of the other side, in the order in which they trade. */
  #makersOf(run: BookRun, { instrument, side }: BookCommand) {
    const other = side === Side.Buy ? Side.Sell : Side.Buy
    return run.twin.books[instrument]?.queue(other) ?? []
  }

  /** Limits near what a few orders of the profile trade. */
  #drawLimits(command: BookCommand): void {
    command.intervalMillis = 1 + this.#below(60)
    command.frozenMillis = this.#below(5)
    const lots = this.#oneOf(this.profile.sizes) * (1 + this.#below(8))
    const kind = this.#below(3)
    if (kind !== 1) command.qtyMicros = Math.max(1, Math.floor(lots / 100))
    if (kind !== 0) command.greekMicros = Math.max(1, Math.floor(lots / 300))
  }

  /** Half of the replaces change one thing of the old order: its size up or down, or its price. */
  #drawAmendment(run: BookRun, command: BookCommand): void {
    const old = run.registry.find(command.old)
    if (old === undefined || this.#random() < 0.5) return
    command.instrument = old.instrument
    command.account = old.account
    command.side = old.side
    const resting = run.twin.books[old.instrument]?.resting.get(old.handle)
    if (resting === undefined) return
    command.reduceOnly = resting.isReduceOnly
    if (this.#random() < 0.7) command.priceIndex = resting.priceIndex
    else command.sizeLots = resting.openLots
  }

  #priceIndex(side: Side): number {
    const { spreadIndexes, crossing } = this.profile
    // Small distances are more likely, whatever the spread.
    const distance = Math.floor(this.#random() * this.#random() * spreadIndexes)
    const away = this.#random() < crossing ? -1 : 1
    const index = this.#middleIndex + (side === Side.Buy ? -1 : 1) * away * (1 + distance)
    return Math.max(1, Math.min(priceIndexMax, index))
  }

  #kind(run: BookRun): CommandKind {
    const isFull = run.twin.restingCount() > this.profile.restingMax
    if (isFull && this.#random() < 0.5) return 'cancel'
    return this.#weighted(this.#kinds)
  }

  /** An order that rests, with some chance any other. */
  #oldOrder(run: BookRun): number {
    if (this.#random() < unknownChance) return this.#below(this.#orders + 2)
    while (this.#resting.length > 0) {
      const place = this.#below(this.#resting.length)
      const order = this.#resting[place]!
      const known = run.registry.find(order)
      if (known !== undefined) {
        const { instrument, handle } = known
        if (run.twin.openLotsOf(instrument, handle) !== notResting) return order
      }
      this.#resting[place] = this.#resting[this.#resting.length - 1]!
      this.#resting.pop()
    }
    return 0
  }

  #weighted<T>(rows: readonly (readonly [T, number])[]): T {
    let left = this.#random() * rows.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [value, weight] of rows) {
      left -= weight
      if (left < 0) return value
    }
    return rows[0]![0]
  }

  #oneOf<T>(values: readonly T[]): T {
    return values[this.#below(values.length)]!
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count)
  }
}
