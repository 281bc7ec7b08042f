import { InstrumentState, TradingMode } from '../../schemas/domain.js'
import type { InstrumentEvent } from '../../schemas/generated/events.js'
import { canonicalSymbol } from '../../schemas/symbol.js'
import { isText } from '../wire/ascii-text.js'
import { symbolOf } from '../wire/event-text.js'

export const notListed = -1

/** What may be quoted, by the names that providers give it. */
export class QuotableInstruments {
  readonly #ids = new Map<string, number>()
  readonly #symbols: string[] = []
  readonly #states: InstrumentState[] = []
  readonly #modes: number[] = []

  /** Forgets all: it may have read what was no event. */
  clear(): void {
    this.#ids.clear()
    for (const column of [this.#symbols, this.#states, this.#modes]) column.length = 0
  }

  /** @returns whether the instrument can be quoted no longer. */
  take(event: InstrumentEvent): boolean {
    const { instrument, state, tradingMode } = event
    const symbol = (this.#symbols[instrument] ??= symbolOf(event))
    this.#states[instrument] = state
    this.#modes[instrument] = tradingMode
    if (state !== InstrumentState.Deleted) this.#ids.set(symbol, instrument)
    else if (this.#ids.get(symbol) === instrument) this.#ids.delete(symbol)
    return this.isOver(instrument)
  }

  /** Whether an instrument has ended; one that was never heard of has not. */
  isOver(instrument: number): boolean {
    return (this.#states[instrument] ?? InstrumentState.Active) !== InstrumentState.Active
  }

  /** Instrument of a symbol in any form, or `notListed`. */
  find(text: string): number {
    const id = this.#ids.get(text)
    if (id !== undefined) return id
    const symbol = canonicalSymbol(text)
    return symbol === null ? notListed : (this.#ids.get(symbol) ?? notListed)
  }

  /** Whether these bytes are an instrument's canonical symbol, by which it is still listed. */
  isNamed(instrument: number, bytes: Uint8Array, from: number, to: number): boolean {
    const symbol = this.#symbols[instrument]
    return (
      symbol !== undefined &&
      isText(symbol, bytes, from, to) &&
      this.#states[instrument] !== InstrumentState.Deleted
    )
  }

  /** Why a listed instrument takes no quotes, or null. */
  refusalOf(instrument: number): string | null {
    if (this.isOver(instrument)) return 'instrument is not active'
    const hasRfq = (this.#modes[instrument]! & TradingMode.Rfq) !== 0
    return hasRfq ? null : 'instrument has no rfq trading'
  }
}
