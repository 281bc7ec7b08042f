import { EventLogWriter } from '../../engine/memory/event-log.js'
import {
  type ExchangeMemory,
  quoteReaders,
  quoteWords,
  wakeupOf,
} from '../../engine/memory/exchange-memory.js'
import { Wakeup } from '../../engine/memory/wakeup.js'
import { quoteLogBytes, quoteRecordBytesMax } from '../../schemas/bounds.js'
import type { SetRow } from './quote-board.js'
import { QuoteEncoder, QuoteRecord, recordHeadBytes } from './quote-records.js'
import type { QuoteRow, QuoteScope } from './quote-rows.js'
import { RowTemplate } from './row-template.js'

const noBody = new Uint8Array(0)
const removedPerRecord = 1024
// Limit of a reader's lag during a repetition, so that new records still fit.
const resendBytesAhead = quoteLogBytes / 4
const resentPerTurnMax = 1024

/** Repetition in progress. */
interface Resending {
  readonly scopes: Iterator<QuoteScope>
  scope: QuoteScope | null
  rows: Iterator<QuoteRow> | null
}

/**
 * A gateway's log of the indicative quotes that it receives. It is the only writer; all gateways and the read model
 * read. The log does not wait for readers: one that falls behind loses records, requests a repetition, and receives
 * everything again. Nothing of it is durable, so committed records may be acted on.
 */
export class QuoteLog {
  /** Index of the gateway. */
  readonly index: number
  readonly #log: EventLogWriter
  readonly #words: Int32Array
  readonly #cursors: readonly number[]
  readonly #readers: readonly Wakeup[]
  readonly #encoder = new QuoteEncoder()
  readonly #template = new RowTemplate()
  #requested: number
  #resending: Resending | null = null
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
    this.#requested = Atomics.load(this.#words, quoteWords.asked(index))
    this.#readers = [wakeupOf.readModel, ...others.map(wakeupOf.gateway)].map(
      (place) => new Wakeup(memory.wakeups, place),
    )
  }

  /** Returns the number of a new frame, higher than all before it. */
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

  /**
   * @param rows Ids of the rows.
   */
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

  /** Publishes the written records, and wakes the readers. */
  commit(): void {
    if (!this.#isDirty) return
    this.#isDirty = false
    this.#log.storeDurable(this.#log.publish())
    for (const reader of this.#readers) reader.ring()
  }

  /**
   * Repeats the whole content after a reader has requested it, as far as the readers have room. Call regularly.
   * @param scopes Scopes of this log.
   * @returns Number of records written.
   */
  resend(scopes: ReadonlySet<QuoteScope>): number {
    const requested = Atomics.load(this.#words, quoteWords.asked(this.index))
    if (requested !== this.#requested) {
      this.#requested = requested
      this.#write(QuoteRecord.ResendBegun, noBody)
      this.#resending = { scopes: [...scopes].values(), scope: null, rows: null }
    }
    const resending = this.#resending
    let count = 0
    for (; this.#resending !== null && count < resentPerTurnMax && this.#hasRoom(); count++) {
      this.#resendNext(resending!, scopes)
    }
    this.commit()
    return count
  }

  /** True if no reader would be overrun. A reader that is a whole log behind will request a repetition anyway. */
  #hasRoom(): boolean {
    return this.#cursors.every((reader) => {
      const bytes = this.#log.bytesBehind(reader)
      return bytes < resendBytesAhead || bytes > quoteLogBytes
    })
  }

  /** Repeats one scope or row. Skips removed ones, because their ids may have been reassigned. */
  #resendNext(resending: Resending, live: ReadonlySet<QuoteScope>): void {
    const row = resending.rows?.next()
    if (row !== undefined && row.done !== true) {
      const { value } = row
      const scope = resending.scope!
      if (scope.rows.get(value.instrument) !== value) return
      const { id, instrument, latestFrame: frame, updatedMillis } = value
      const { bidPrice, askPrice, maxBidSize, maxAskSize } = value
      const texts = { bidPrice, askPrice, maxBidSize, maxAskSize }
      this.setRow(scope, { row: id, instrument, frame, updatedMillis, ...texts })
      return
    }
    const scope = resending.scopes.next()
    if (scope.done === true) {
      this.#write(QuoteRecord.ResendEnded, noBody)
      this.#resending = null
      return
    }
    if (!live.has(scope.value)) return
    resending.scope = scope.value
    resending.rows = [...scope.value.rows.values()].values()
    this.openScope(scope.value)
  }

  #write(type: QuoteRecord, body: Uint8Array): void {
    this.#log.u8.set(body, this.#claim(type, body.length))
  }

  /** Claims a record. @returns Offset of its body. */
  #claim(type: QuoteRecord, bodyBytes: number): number {
    const at = this.#log.tryClaim((recordHeadBytes + bodyBytes + 7) & ~7, type)
    this.#isDirty = true
    return at + recordHeadBytes
  }
}
