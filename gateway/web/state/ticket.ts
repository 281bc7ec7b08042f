import { signal } from '@preact/signals'
import type { OptionTifName, SideName } from '../../wire/wire-types.js'
import { chosenSymbol, part } from './choice.js'

/** What the ticket would order. Texts are as they were written. */
export const side = signal<SideName>('Buy')
export const price = signal('')
export const size = signal('0.1')
export const tif = signal<OptionTifName>('gtc')
export const route = signal<'best_execution' | 'book_only'>('book_only')
export const isReduceOnly = signal(false)
/** Rises when the ticket is to be written in. */
export const focusAsked = signal(0)

/** Has the ticket trade an option at a price. */
export function fillTicket(symbol: string, chosen: SideName, told: number | string | null): void {
  chosenSymbol.value = symbol
  side.value = chosen
  if (told !== null) price.value = String(told)
  part.value = 'ticket'
  focusAsked.value++
}
