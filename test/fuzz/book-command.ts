import { SelfTradeMode, Side, Tif } from '../../schemas/domain.js'

/**
 * Kinds of commands. A new kind has its weight in book-profiles.ts, is drawn in
 * book-generator.ts, and carried out on both sides in book-run.ts; its fields belong to
 * `BookCommand`.
 */
export const commandKinds = [
  'place',
  'replace',
  /** Places an order in no book, for which somebody quotes, if the book does as well. */
  'decide',
  'cancel',
  /** Cancels every order of an account that rests in an instrument, oldest first. */
  'cancelAll',
  /** Drops the book of an instrument. */
  'close',
  /** Changes positions off the book: of accounts whose position the book need not know. */
  'move',
  /** Sets, ends or resets the protection of an account in the instrument's underlying. */
  'protect',
  'unprotect',
  'resetMmp',
  /** The core has applied all results so far, and time has passed. */
  'round',
] as const
export type CommandKind = (typeof commandKinds)[number]

/**
 * One command for the books of a matcher, complete in itself: any part of a sequence is a sequence
 * too. Orders have numbers that are never used twice. The run determines the handle of an order, and
 * the position and open size that the core knows.
 */
export class BookCommand {
  kind: CommandKind = 'round'
  /** Number of the order placed. */
  order = 0
  /** Number of the order that a cancel or replace names. */
  old = 0
  instrument = 0
  account = 0
  side: Side = Side.Buy
  tif: Tif = Tif.Gtc
  selfTrade: SelfTradeMode = SelfTradeMode.CancelTaker
  priceIndex = 1
  sizeLots = 1
  reduceOnly = false
  /** Replace: true if the new order takes over the handle of the old one. */
  keepsHandle = false
  /** Replace: true if the core knows the old order's initial size instead of its current one. */
  isStale = false
  /** Replace: true if the old order is in no book. */
  isUnbooked = false
  /** Place: price that a provider shows against it, per contract; 0: none. Decide: the quote. */
  quotedMicros = 0
  /** Order: protection, counting of its own fills, and greeks that each fill counts. */
  mmpEnabled = false
  takerCounts = false
  deltaMicros = 0
  vegaMicros = 0
  /** Round: elapsed time. */
  elapsedMillis = 0
  /** Protection: its limits; 0: none. */
  intervalMillis = 1
  frozenMillis = 0
  qtyMicros = 0
  greekMicros = 0
}

const usual = new BookCommand()

/** One command as a line of JSON, without the fields that are as usual. */
export function textOf(command: BookCommand): string {
  const usualFields = Object.entries(usual)
  const changedFields = Object.entries(command).filter(
    ([name, value], place) => name === 'kind' || value !== usualFields[place]?.[1],
  )
  return JSON.stringify(Object.fromEntries(changedFields))
}

/** The same command with one field more as usual, for each that is not; of a replace a place. */
export function simplerThan(command: BookCommand): BookCommand[] {
  const simpler = Object.entries(usual)
    .filter(([name]) => name !== 'kind' && name !== 'order' && name !== 'old')
    .filter(([name, value]) => command[name as keyof BookCommand] !== value)
    .map(([name, value]) => Object.assign(new BookCommand(), command, { [name]: value }))
  if (command.kind !== 'replace') return simpler
  const place: BookCommand = { ...command, kind: 'place', old: 0 }
  return [Object.assign(new BookCommand(), place), ...simpler]
}

/** Reads lines of `textOf`. @throws SyntaxError when a line is no JSON. */
export function parseCommands(text: string): BookCommand[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => Object.assign(new BookCommand(), JSON.parse(line)))
}
