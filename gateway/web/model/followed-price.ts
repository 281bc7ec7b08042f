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
 * Returns the best price for the side that the ticket has shown within a second if the current one is over 1 % worse;
 * null: it is not. A price that appears only for a moment counts, because the user may have acted on it.
 * @param shown Shown prices, the current one last.
 */
export function jumpedFrom(
  shown: readonly ShownPrice[],
  side: SideName,
  nowMillis: number,
): string | null {
  const prices = recent(shown, nowMillis).map(({ price }) => price)
  if (prices.length === 0) return null
  const sign = side === 'Buy' ? 1 : -1
  const best = prices.reduce((one, other) =>
    sign * (Number(other) - Number(one)) < 0 ? other : one,
  )
  const move = Number(shown.at(-1)!.price) / Number(best) - 1
  return sign * move > moveMax ? best : null
}

function recent(shown: readonly ShownPrice[], nowMillis: number): readonly ShownPrice[] {
  const first = shown.findLastIndex(({ millis }) => millis <= nowMillis - noticeMillis)
  return shown.slice(Math.max(0, first))
}
