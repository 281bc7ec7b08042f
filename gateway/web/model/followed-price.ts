import type { SideName } from '../../../schemas/wire-types.js'

/** Price that a ticket showed, and the time at which it appeared. */
export interface ShownPrice {
  readonly price: string
  readonly millis: number
}

/** Time within which a user may miss a change of the price. */
export const noticeMillis = 1000
/** Largest move to the user's disadvantage within that time, as a fraction of the price. */
const moveMax = 0.01

/** Adds the current price. Keeps the prices of the last second, and the one that the second began with. */
export function withShown(
  shown: readonly ShownPrice[],
  price: string,
  nowMillis: number,
): readonly ShownPrice[] {
  return [...recent(shown, nowMillis), { price, millis: nowMillis }]
}

/**
 * Returns the price that the ticket showed a second ago if the current one is over 1 % worse for the side; null: it is not.
 * @param shown Shown prices, the current one last.
 */
export function jumpedFrom(
  shown: readonly ShownPrice[],
  side: SideName,
  nowMillis: number,
): string | null {
  const [before] = recent(shown, nowMillis)
  if (before === undefined) return null
  const move = Number(shown.at(-1)!.price) / Number(before.price) - 1
  return (side === 'Buy' ? move : -move) > moveMax ? before.price : null
}

function recent(shown: readonly ShownPrice[], nowMillis: number): readonly ShownPrice[] {
  const first = shown.findLastIndex(({ millis }) => millis <= nowMillis - noticeMillis)
  return shown.slice(Math.max(0, first))
}
