import type { HaltBoard, HaltRow } from '../../gateway/read-model/views/venue-views.js'

/** Returns a board of these underlyings, with stopped wallets if there are any. */
export function haltBoard(
  underlyings: readonly HaltRow[],
  stopped = 0,
  sinceMillis = 0,
): HaltBoard {
  return { underlyings, stopped: { count: stopped, sinceMillis } }
}
