import type { OptionRight } from '../../../schemas/domain.js'
import { PushKind } from '../../link/read-protocol.js'
import { isActive } from '../texts/market-text.js'
import type { RouteContext } from '../texts/route-context.js'
import { ChainEncoder, type ChainRow, newChainRow, removalBody } from './chain-row.js'
import type { FeedParts } from './portfolio-feed.js'

/** Removed leg. */
interface Removal {
  readonly row: number
  readonly right: OptionRight
  readonly body: Uint8Array
}

/** Gateway that has subscribers of the chain. */
class ChainWatch {
  readonly gateway: number
  readonly slot: number
  /** Event-log offset that the first rows must include. */
  readonly logOffset: number
  isFilled = false
  /** True until it is notified that it has all rows. */
  isStepDue = false
  /** Rows to send, in order of change. */
  readonly stale = new Set<ChainRow>()
  removals: Removal[] = []

  constructor(gateway: number, slot: number, logOffset: number) {
    this.gateway = gateway
    this.slot = slot
    this.logOffset = logOffset
  }
}

export interface ChainFeedParts extends FeedParts {
  /** Minimum time between two messages of one row. */
  readonly intervalMillis: number
  /** Returns the current context of the routes. */
  context(): RouteContext
}

const noWallet = ''
const noBody = new Uint8Array(0)

/**
 * The `options_chain` channel: strike rows of all listed options, encoded once, for every gateway with subscribers.
 * Publishes all changed rows together, immediately after a quiet period and then once per interval, so that a gateway
 * that stores the latest of each has the whole chain as of one sequence. Does nothing without a watch.
 */
export class ChainFeed {
  readonly #parts: ChainFeedParts
  #watches: ChainWatch[] = []
  readonly #rows = new Map<string, ChainRow>()
  readonly #rowOf = new Map<number, ChainRow>()
  readonly #changed = new Set<ChainRow>()
  #rowCount = 0
  #sentMillis = 0

  constructor(parts: ChainFeedParts) {
    this.#parts = parts
  }

  /** Sends all rows to a gateway, and from then on the changed ones. */
  watch(gateway: number, slot: number, logOffset: number): void {
    this.unwatch(gateway)
    if (this.#watches.length === 0) this.#listAll()
    this.#watches.push(new ChainWatch(gateway, slot, logOffset))
  }

  unwatch(gateway: number): void {
    this.#watches = this.#watches.filter((watch) => watch.gateway !== gateway)
  }

  /** Notes a change of an instrument's book, quotes or open interest. */
  onInstrument(instrument: number): void {
    const row = this.#watches.length === 0 ? undefined : this.#rowOf.get(instrument)
    if (row !== undefined) this.#changed.add(row)
  }

  onMarks(underlying: number): void {
    if (this.#watches.length === 0) return
    for (const row of this.#rows.values()) if (row.underlying === underlying) this.#changed.add(row)
  }

  onListing(instrument: number): void {
    if (this.#watches.length === 0) return
    if (isActive(this.#parts.views.market, instrument)) this.#list(instrument)
    else this.#remove(instrument)
  }

  onBegin(): void {
    if (this.#watches.length > 0) this.#listAll()
  }

  /** Publishes changes if they are due, as far as the rings have room. @returns The number of records. */
  publish(nowMillis: number): number {
    if (this.#watches.length === 0) return 0
    const { hasPassed, intervalMillis } = this.#parts
    const isNew = this.#watches.some((watch) => !watch.isFilled && hasPassed(watch.logOffset))
    const isTime = nowMillis - this.#sentMillis >= intervalMillis
    if (isNew || (isTime && this.#changed.size > 0)) this.#encodeChanged(nowMillis)
    let count = 0
    for (const watch of this.#watches) count += this.#send(watch)
    return count
  }

  #encodeChanged(nowMillis: number): void {
    const encoder = new ChainEncoder(this.#parts.context())
    this.#sentMillis = nowMillis
    for (const row of this.#changed) {
      if (!encoder.encode(row)) continue
      for (const watch of this.#watches) if (watch.isFilled) watch.stale.add(row)
    }
    this.#changed.clear()
    for (const watch of this.#watches) {
      if (watch.isFilled || !this.#parts.hasPassed(watch.logOffset)) continue
      watch.isFilled = true
      for (const row of this.#rows.values()) watch.stale.add(row)
      watch.isStepDue = true
    }
  }

  #send(watch: ChainWatch): number {
    const { outs, views } = this.#parts
    const out = outs[watch.gateway]!
    const hasNews = watch.removals.length + watch.stale.size > 0 || watch.isStepDue
    if (out.isLagging || !hasNews) return 0
    let count = 0
    const push = (kind: PushKind, subject: number, body: Uint8Array) => {
      out.push({ kind, slot: watch.slot, subject, seq: views.seq, wallet: noWallet, body })
      count++
    }
    for (const { row, right, body } of watch.removals) {
      push(PushKind.ChainRemoval, row * 2 + right, body)
    }
    watch.removals = []
    for (const row of watch.stale) {
      if (out.isLagging) return count
      watch.stale.delete(row)
      push(PushKind.ChainRow, row.id, row.body)
    }
    // Rows that changed since their last message are not due yet, so not all rows are as of this sequence.
    if (this.#changed.size > 0 && !watch.isStepDue) return count
    watch.isStepDue = false
    push(PushKind.ChainStep, 0, noBody)
    return count
  }

  #listAll(): void {
    this.#rows.clear()
    this.#rowOf.clear()
    this.#changed.clear()
    const { instruments } = this.#parts.views.market
    for (const ids of instruments.ofUnderlying) {
      for (const id of ids) if (isActive(this.#parts.views.market, id)) this.#list(id)
    }
  }

  #list(instrument: number): void {
    const { instruments } = this.#parts.views.market
    if (instruments.isPerp(instrument)) return
    const terms = [instruments.expiryMillis[instrument], instruments.strikeMicros[instrument]]
    const key = [instruments.underlying[instrument], ...terms].join(' ')
    let row = this.#rows.get(key)
    if (row === undefined) {
      row = newChainRow(this.#rowCount++, key, this.#parts.context(), instrument)
      this.#rows.set(key, row)
    }
    row.instruments[instruments.right[instrument]] = instrument
    this.#rowOf.set(instrument, row)
    this.#changed.add(row)
  }

  #remove(instrument: number): void {
    const row = this.#rowOf.get(instrument)
    if (row === undefined) return
    const right = this.#parts.views.market.instruments.right[instrument] as OptionRight
    this.#rowOf.delete(instrument)
    row.instruments[right] = -1
    const wasSent = row.legs[right] !== ''
    row.legs[right] = ''
    if (wasSent) {
      const body = removalBody(this.#parts.context(), row, right, instrument)
      for (const watch of this.#watches) {
        if (watch.isFilled) watch.removals.push({ row: row.id, right, body })
      }
    }
    if (row.instruments.some((id) => id >= 0)) {
      row.body = new ChainEncoder(this.#parts.context()).bodyOf(row)
      return
    }
    this.#rows.delete(row.key)
    this.#changed.delete(row)
    for (const watch of this.#watches) watch.stale.delete(row)
  }
}
