import { assertBookConsistent } from '../../engine/matching/book-check.js'
import { type BookSink, type IncomingOrder, notResting } from '../../engine/matching/order-book.js'
import type { ProtectionSink } from '../../engine/matching/protection-table.js'
import { Side } from '../../schemas/domain.js'
import { DoneOutcome, MmpAction } from '../../schemas/record-values.js'
import { queueOf } from '../support/book-table.js'
import type { BookCommand } from './book-command.js'
import { type BookMaker, MatcherSubject } from './matcher-subject.js'
import { OrderRegistry } from './order-registry.js'
import { underlyingOf } from './plain-protection.js'
import { countResults, ResultStream, streamDifference } from './result-stream.js'
import { TwinMatcher } from './twin-matcher.js'

/** Rounds between two walks through all books. */
const checkRounds = 64
/** Number of rounds per round whose results are counted. */
const countRounds = 16
/** A handle that no order ever had. */
const unknownHandle = 1 << 30
/** The first round; they are 32 bits wide and wrap. */
const roundStart = 0x7ffffff0

export interface RunShape {
  readonly instruments: number
  readonly accounts: number
}

/**
 * Drives a matcher and plain books with the same commands, and compares all results whenever a
 * round ends, and all books now and then.
 */
export class BookRun {
  readonly shape: RunShape
  readonly subject: MatcherSubject
  readonly twin: TwinMatcher
  readonly registry: OrderRegistry
  readonly counts = new Map<string, number>()
  /** Rises and mixes with every state of the books that was compared. */
  hash = 0
  rounds = 0
  #expected = new ResultStream()
  #round = roundStart
  #ticket = 0
  #nowMillis = 1_000

  constructor(shape: RunShape, makeBook?: BookMaker) {
    this.shape = shape
    this.registry = new OrderRegistry(shape.instruments, shape.accounts)
    this.subject = new MatcherSubject(new ResultStream(), makeBook)
    const sink = both(this.#expected, this.registry)
    this.twin = new TwinMatcher(sink, protectionSinkOf(this.#expected, this.registry))
  }

  /** Compares the two. @returns the difference in words, or null. @throws Error if one of them asserts. */
  step(command: BookCommand): string | null {
    this.#ticket++
    this.#expected.ticket = this.#ticket
    this.#expected.instrument = command.instrument
    this.registry.instrument = command.instrument
    switch (command.kind) {
      case 'place':
        this.#place(command)
        return null
      case 'replace':
        this.#replace(command)
        return null
      case 'decide':
        this.#decide(command)
        return null
      case 'cancel':
        this.#cancel(command)
        return null
      case 'cancelAll':
        this.#cancelAll(command)
        return null
      case 'close':
      case 'move':
        return this.#betweenRounds(command)
      case 'protect':
      case 'unprotect':
      case 'resetMmp':
        this.#protect(command)
        return null
      case 'round':
        this.#nowMillis += command.elapsedMillis
        return this.endRound()
    }
  }

  /** Runs the sent commands and compares the results. @returns the difference, or null. */
  endRound(): string | null {
    this.subject.flush()
    if (this.rounds % countRounds === 0) countResults(this.#expected, this.counts)
    const difference = streamDifference(this.subject.results, this.#expected)
    if (difference !== null) return difference
    this.#round = (this.#round + 1) | 0
    this.registry.endRound(
      ({ instrument, handle }) => this.twin.openLotsOf(instrument, handle) !== notResting,
    )
    return ++this.rounds % checkRounds === 0 ? this.check() : null
  }

  /** Walks all books. @returns how they differ, or null. @throws Error when one is inconsistent. */
  check(): string | null {
    for (let instrument = 0; instrument < this.shape.instruments; instrument++) {
      const book = this.subject.matcher.books[instrument]
      const twin = this.twin.books[instrument]
      if ((book === undefined) !== (twin === undefined))
        return `book ${instrument}: only one is there`
      if (book === undefined || twin === undefined) continue
      const count = assertBookConsistent(book)
      if (count !== twin.resting.size) return `book ${instrument}: ${count} orders rest`
      for (const side of [Side.Buy, Side.Sell]) {
        const found = this.#hashOf(queueOf(book, side))
        if (found !== this.#hashOf(queueOf(twin, side))) {
          return `book ${instrument}: the state hashes of side ${side} differ`
        }
        this.hash = mix(this.hash, found)
      }
    }
    return null
  }

  /** Cancels all that rests, then looks for anything left behind. @returns it in words, or null. */
  sweep(): string | null {
    for (const [instrument, twin] of this.twin.books.entries()) {
      for (const handle of [...(twin?.resting.keys() ?? [])]) {
        this.#ticket++
        this.#expected.ticket = this.#ticket
        this.#expected.instrument = instrument
        this.#cancelHandle(instrument, handle)
      }
      const difference = this.endRound() ?? this.check()
      if (difference !== null) return difference
    }
    const { orders, levels, index, watched, protections } = this.subject.matcher.pool
    const windows = protections.windows.filter((window) => window !== undefined)
    const open = this.subject.matcher.books.filter((book) => book !== undefined).length
    const left = [
      orders.count,
      levels.count,
      index.nodeCount - 2 * open,
      watched.watches.count,
      watched.entries.count,
      protections.groups.count - windows.length,
    ]
    const isEmpty = left.every((count) => count === 0)
    const names = 'orders, levels, nodes, watches, entries, groups'
    return isEmpty ? null : `${names} left: ${left.join(', ')}`
  }

  #place(command: BookCommand): void {
    const { instrument } = command
    const known = this.registry.open(command.order, command)
    this.#fill(this.twin.incoming, command, known.handle)
    this.subject.place(this.#ticket, instrument, this.twin.incoming)
    const refusal = this.twin.refusal(instrument, unknownHandle)
    const top = refusal === 0 ? this.twin.auctionTop(instrument) : null
    if (top !== null) this.#expected.top(top.bidMicros, top.askMicros)
    if (refusal !== 0 || top !== null) {
      this.#expected.done(top !== null ? DoneOutcome.AsksAuction : refusal, 0)
      return
    }
    known.restedLots = this.twin.place(instrument)
    this.#done(known.restedLots)
  }

  #decide(command: BookCommand): void {
    const { instrument } = command
    const known = this.registry.open(command.order, command)
    this.#fill(this.twin.incoming, command, known.handle)
    this.subject.decide(this.#ticket, instrument, this.twin.incoming)
    const decision = this.twin.decision(instrument)
    if (decision !== 0) this.#expected.done(decision, 0)
    else this.#done(this.twin.place(instrument))
  }

  #replace(command: BookCommand): void {
    if (command.isUnbooked) {
      this.#replaceUnbooked(command)
      return
    }
    const old = this.registry.find(command.old)
    const instrument = old?.instrument ?? command.instrument
    const oldHandle = old?.handle ?? unknownHandle
    const openLots = this.twin.openLotsOf(instrument, oldHandle)
    const expectedLots = command.isStale ? (old?.restedLots ?? 1) : openLots
    const isFound = openLots !== notResting && openLots === expectedLots
    this.#fill(this.twin.incoming, { ...command, instrument }, 0)
    const refusal = this.twin.refusal(instrument, oldHandle)
    const isRun = isFound && refusal === 0
    const keepsHandle = command.keepsHandle && isRun
    const known = this.registry.open(
      command.order,
      { ...termsOf(command), instrument },
      keepsHandle ? oldHandle : -1,
    )
    this.#expected.instrument = instrument
    this.registry.instrument = instrument
    this.#fill(this.twin.incoming, { ...command, instrument }, known.handle)
    this.subject.replace(this.#ticket, instrument, this.twin.incoming, {
      handle: oldHandle,
      expectedLots,
      isUnbooked: false,
    })
    if (isRun) {
      known.restedLots = this.twin.replace(instrument, oldHandle)
      this.#done(known.restedLots)
    } else if (isFound) this.#expected.done(refusal, 0)
    else if (openLots === notResting) this.#expected.done(DoneOutcome.NotResting, 0)
    else this.#expected.done(DoneOutcome.OpenDiffers, openLots)
  }

  /** The old order has a handle of its own, or none that was ever used. */
  #replaceUnbooked(command: BookCommand): void {
    const { instrument, sizeLots } = command
    const known = this.registry.open(command.order, command)
    const oldHandle = command.keepsHandle ? known.handle : unknownHandle
    this.#fill(this.twin.incoming, command, known.handle)
    const old = { handle: oldHandle, expectedLots: sizeLots + 1, isUnbooked: true }
    this.subject.replace(this.#ticket, instrument, this.twin.incoming, old)
    const refusal = this.twin.refusal(instrument, unknownHandle)
    if (refusal !== 0) {
      this.#expected.done(refusal, 0)
      return
    }
    known.restedLots = this.twin.replaceUnbooked(instrument, oldHandle, old.expectedLots)
    this.#done(known.restedLots)
  }

  #cancel(command: BookCommand): void {
    const known = this.registry.find(command.old)
    const instrument = known?.instrument ?? command.instrument
    this.#expected.instrument = instrument
    this.#cancelHandle(instrument, known?.handle ?? unknownHandle)
  }

  #cancelAll({ instrument, account }: BookCommand): void {
    for (const handle of this.twin.handlesOf(instrument, account)) {
      this.#expected.instrument = instrument
      this.#cancelHandle(instrument, handle)
      this.#expected.ticket = ++this.#ticket
    }
  }

  #cancelHandle(instrument: number, handle: number): void {
    this.subject.cancel(this.#ticket, instrument, handle)
    const isGone = this.twin.cancel(instrument, handle) === notResting
    this.#expected.done(isGone ? DoneOutcome.NotResting : DoneOutcome.Finished, 0)
  }

  /** Books are closed, and positions move off them, when the matcher owes nothing. */
  #betweenRounds(command: BookCommand): string | null {
    const difference = this.endRound()
    if (difference !== null) return difference
    if (command.kind === 'close') this.#close(command)
    else this.#move(command)
    return this.endRound()
  }

  #close({ instrument }: BookCommand): void {
    this.subject.close(this.#ticket, instrument)
    this.registry.closeInstrument(instrument)
    this.twin.close(instrument)
    this.#expected.done(DoneOutcome.Finished, 0)
  }

  /** Changes a position that the matcher does not know, and must not need. */
  #move({ instrument, account, sizeLots, side }: BookCommand): void {
    if (this.twin.isWatched(instrument, account)) return
    this.registry.move(instrument, account, side === Side.Buy ? sizeLots : -sizeLots)
  }

  #protect(command: BookCommand): void {
    const { kind, account, intervalMillis, frozenMillis, qtyMicros, greekMicros } = command
    const { protection } = this.twin
    const underlying = underlyingOf(command.instrument)
    const isKnown = protection.has(account, underlying)
    if (!isKnown && kind !== 'protect') return
    const deltaMicros = greekMicros
    const vegaMicros = greekMicros * 1e6
    const limits = { intervalMillis, frozenMillis, qtyMicros, deltaMicros, vegaMicros }
    const frozenUntilMillis = protection.frozenUntil(account, underlying)
    const nowMillis = this.#nowMillis
    const terms = { ...limits, frozenUntilMillis, nowMillis }
    const action = {
      protect: MmpAction.Set,
      unprotect: MmpAction.Delete,
      resetMmp: MmpAction.Reset,
    }
    this.subject.protect(
      this.#ticket,
      action[kind as keyof typeof action],
      account,
      underlying,
      terms,
    )
    if (kind === 'protect') protection.set(account, underlying, limits, nowMillis)
    else if (kind === 'unprotect') protection.delete(account, underlying)
    else protection.reset(account, underlying)
    this.#expected.done(DoneOutcome.Finished, 0)
  }

  #done(restLots: number): void {
    this.#expected.done(restLots > 0 ? DoneOutcome.Rested : DoneOutcome.Finished, restLots)
  }

  #fill(order: IncomingOrder, command: BookCommand, handle: number): void {
    order.handle = handle
    order.account = command.account
    order.side = command.side
    order.tif = command.tif
    order.selfTrade = command.selfTrade
    order.priceIndex = command.priceIndex
    order.sizeLots = command.sizeLots
    order.isReduceOnly = command.reduceOnly
    order.positionLots = this.registry.knownPositionLots(command.instrument, command.account)
    order.round = this.#round
    order.isProtected = command.mmpEnabled
    order.countsAsTaker = command.takerCounts
    order.underlying = underlyingOf(command.instrument)
    order.nowMillis = this.#nowMillis
    order.deltaMicros = command.deltaMicros
    order.vegaMicros = command.vegaMicros
    order.quotedMicros = command.quotedMicros
  }

  #hashOf(queue: readonly { handle: number; priceIndex: number; openLots: number }[]): number {
    let hash = queue.length
    for (const { handle, priceIndex, openLots } of queue) {
      hash = mix(mix(mix(hash, handle), priceIndex), openLots)
    }
    return hash
  }
}

function both(stream: ResultStream, registry: OrderRegistry): BookSink {
  return {
    fill: (...fill) => {
      stream.fill(...fill)
      registry.fill(...fill)
    },
    removed: (handle, cause, openLots) => {
      stream.removed(handle, cause, openLots)
      registry.removed(handle)
    },
    reduced: (handle, openLots) => stream.reduced(handle, openLots),
    level: (side, priceIndex, sizeLots) => stream.level(side, priceIndex, sizeLots),
  }
}

/** Protection speaks of one book while a command of another runs. */
function protectionSinkOf(stream: ResultStream, registry: OrderRegistry): ProtectionSink {
  return {
    get instrument() {
      return stream.instrument
    },
    set instrument(instrument: number) {
      stream.instrument = instrument
      registry.instrument = instrument
    },
    counted: (fill) => stream.counted(fill),
  }
}

function termsOf({ instrument, account, side }: BookCommand) {
  return { instrument, account, side }
}

/** Mixes a number below 2^53 into a 32-bit hash. */
function mix(hash: number, value: number): number {
  const word = (value | 0) ^ Math.floor(value / 4294967296)
  const mixed = Math.imul(hash ^ word, 0x85ebca6b)
  return Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35) ^ (mixed >>> 16)
}
