import { InstrumentState, TradingMode } from '../../schemas/domain.js'
import type { InstrumentEvent } from '../../schemas/generated/events.js'
import { canonicalSymbol } from '../../schemas/symbol.js'
import { isText } from '../wire/ascii-text.js'
import { symbolOf } from '../wire/event-text.js'

export const notListed = -1

/** Quotable instruments, by the names that providers use. */
export class QuotableInstruments {
  readonly #ids = new Map<string, number>()
  readonly #symbols: string[] = []
  readonly #states: InstrumentState[] = []
  readonly #modes: number[] = []

  /** Forgets everything, after the pump may have read overwritten records. */
  clear(): void {
    this.#ids.clear()
    for (const column of [this.#symbols, this.#states, this.#modes]) column.length = 0
  }

  /**
   * @returns True if the instrument can no longer be quoted.
   */
  take(event: InstrumentEvent): boolean {
    const { instrument, state, tradingMode } = event
    const symbol = (this.#symbols[instrument] ??= symbolOf(event))
    this.#states[instrument] = state
    this.#modes[instrument] = tradingMode
    if (state !== InstrumentState.Deleted) this.#ids.set(symbol, instrument)
    else if (this.#ids.get(symbol) === instrument) this.#ids.delete(symbol)
    return this.isOver(instrument)
  }

  /** True if an instrument is no longer active. An unknown one counts as active. */
  isOver(instrument: number): boolean {
    return (this.#states[instrument] ?? InstrumentState.Active) !== InstrumentState.Active
  }

  /** Returns the instrument of a symbol in any form, or `notListed`. */
  find(text: string): number {
    const id = this.#ids.get(text)
    if (id !== undefined) return id
    const symbol = canonicalSymbol(text)
    return symbol === null ? notListed : (this.#ids.get(symbol) ?? notListed)
  }

  /** True if the bytes are the canonical symbol of an instrument that is not deleted. */
  isNamed(instrument: number, bytes: Uint8Array, from: number, to: number): boolean {
    const symbol = this.#symbols[instrument]
    return (
      symbol !== undefined &&
      isText(symbol, bytes, from, to) &&
      this.#states[instrument] !== InstrumentState.Deleted
    )
  }

  /** Returns why a listed instrument accepts no quotes, or null. */
  refusalOf(instrument: number): string | null {
    if (this.isOver(instrument)) return 'instrument is not active'
    const hasRfq = (this.#modes[instrument]! & TradingMode.Rfq) !== 0
    return hasRfq ? null : 'instrument has no rfq trading'
  }
}
