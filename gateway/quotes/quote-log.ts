import { Doorbell } from '../../engine/memory/doorbell.js'
import { EventLogWriter } from '../../engine/memory/event-log.js'
import {
  doorbellOf,
  type ExchangeMemory,
  quoteReaders,
  quoteWords,
} from '../../engine/memory/exchange-memory.js'
import { quoteLogBytes, quoteRecordBytesMax } from '../../schemas/bounds.js'
import type { SetRow } from './quote-board.js'
import { QuoteEncoder, QuoteRecord, recordHeadBytes } from './quote-records.js'
import type { QuoteRow, QuoteScope } from './quote-rows.js'
import { RowTemplate } from './row-template.js'

const noBody = new Uint8Array(0)
const removedPerRecord = 1024
// A reader that is told all of it is never further behind than this: what is new must find room beside it.
const retellBytesAhead = quoteLogBytes / 4
const retoldPerTurnMax = 1024

/** What is still to be told once more. */
interface Retelling {
  readonly scopes: Iterator<QuoteScope>
  scope: QuoteScope | null
  rows: Iterator<QuoteRow> | null
}

/**
 * A gateway's log of the indicative quotes that came in there: it alone writes, all gateways and the read model read.
 * It waits for no reader: one that falls behind loses records, asks, and is told all of it once more. Nothing of it is
 * durable, so what is committed may be acted upon.
 */
export class QuoteLog {
  /** Index of the gateway. */
  readonly index: number
  readonly #log: EventLogWriter
  readonly #words: Int32Array
  readonly #cursors: readonly number[]
  readonly #readers: readonly Doorbell[]
  readonly #encoder = new QuoteEncoder()
  readonly #template = new RowTemplate()
  #asked: number
  #retelling: Retelling | null = null
  #isDirty = false

  constructor(memory: ExchangeMemory, index: number) {
    this.index = index
    const { gateways } = memory
    const others = Array.from({ length: gateways }, (_, gateway) => gateway).filter(
      (gateway) => gateway !== index,
    )
    this.#log = new EventLogWriter(memory.quoteLogs[index]!, [], quoteRecordBytesMax)
    this.#cursors = [quoteReaders.readModel, ...others.map(quoteReaders.gateway)]
    this.#words = new Int32Array(memory.quoteWords)
    this.#asked = Atomics.load(this.#words, quoteWords.asked(index))
    this.#readers = [doorbellOf.readModel, ...others.map(doorbellOf.gateway)].map(
      (place) => new Doorbell(memory.doorbells, place),
    )
  }

  /** A number for a frame, higher than those of all frames before it. */
  nextFrame(): number {
    return (Atomics.add(this.#words, quoteWords.frame, 1) + 1) | 0
  }

  openScope(scope: QuoteScope): void {
    this.#write(QuoteRecord.ScopeOpened, this.#encoder.scopeOpened(scope))
  }

  setRow(scope: QuoteScope, set: SetRow): void {
    const at = this.#claim(QuoteRecord.RowSet, this.#template.bytesOf(set))
    this.#template.write(this.#log, at, scope.id, set)
  }

  /** @param rows their numbers. */
  removeRows(rows: readonly number[]): void {
    for (let from = 0; from < rows.length; from += removedPerRecord) {
      const part = rows.slice(from, from + removedPerRecord)
      this.#write(QuoteRecord.RowsRemoved, this.#encoder.rowsRemoved(part))
    }
  }

  publishFrame(scope: QuoteScope): void {
    this.#write(QuoteRecord.FramePublished, this.#encoder.framePublished(scope))
  }

  closeScope(scope: QuoteScope): void {
    this.#write(QuoteRecord.ScopeClosed, this.#encoder.scopeClosed(scope))
  }

  /** Shows what was written, and wakes who reads. */
  commit(): void {
    if (!this.#isDirty) return
    this.#isDirty = false
    this.#log.storeDurable(this.#log.publish())
    for (const reader of this.#readers) reader.ring()
  }

  /**
   * Tells all there is once more when a reader has asked, as far as readers have room for it; to be called from time to
   * time.
   * @param scopes those of this log.
   * @returns how many records it has told.
   */
  retell(scopes: ReadonlySet<QuoteScope>): number {
    const asked = Atomics.load(this.#words, quoteWords.asked(this.index))
    if (asked !== this.#asked) {
      this.#asked = asked
      this.#write(QuoteRecord.RetellBegun, noBody)
      this.#retelling = { scopes: [...scopes].values(), scope: null, rows: null }
    }
    const retelling = this.#retelling
    let count = 0
    for (; this.#retelling !== null && count < retoldPerTurnMax && this.#hasRoom(); count++) {
      this.#retellNext(retelling!, scopes)
    }
    this.commit()
    return count
  }

  /** Who is a whole log behind asks again once it looks. */
  #hasRoom(): boolean {
    return this.#cursors.every((reader) => {
      const bytes = this.#log.bytesBehind(reader)
      return bytes < retellBytesAhead || bytes > quoteLogBytes
    })
  }

  /** One scope or row. What was removed meanwhile is left out: a number may be another's by now. */
  #retellNext(retelling: Retelling, live: ReadonlySet<QuoteScope>): void {
    const row = retelling.rows?.next()
    if (row !== undefined && row.done !== true) {
      const { value } = row
      const scope = retelling.scope!
      if (scope.rows.get(value.instrument) !== value) return
      const { id, instrument, latestFrame: frame, updatedMillis } = value
      const { bidPrice, askPrice, maxBidSize, maxAskSize } = value
      const texts = { bidPrice, askPrice, maxBidSize, maxAskSize }
      this.setRow(scope, { row: id, instrument, frame, updatedMillis, ...texts })
      return
    }
    const scope = retelling.scopes.next()
    if (scope.done === true) {
      this.#write(QuoteRecord.RetellEnded, noBody)
      this.#retelling = null
      return
    }
    if (!live.has(scope.value)) return
    retelling.scope = scope.value
    retelling.rows = [...scope.value.rows.values()].values()
    this.openScope(scope.value)
  }

  #write(type: QuoteRecord, body: Uint8Array): void {
    this.#log.u8.set(body, this.#claim(type, body.length))
  }

  /** Room for a record. @returns where its body stands. */
  #claim(type: QuoteRecord, bodyBytes: number): number {
    const at = this.#log.tryClaim((recordHeadBytes + bodyBytes + 7) & ~7, type)
    this.#isDirty = true
    return at + recordHeadBytes
  }
}
