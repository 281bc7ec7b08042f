// A page far from the newest row of a search: what stands before it is counted by spans of ids, which is a fraction of
// what it costs to put ids of several lists in one order and pass over them.
//
//      id 1                                    `belowId`                                        newest
//      +------- ... --------+--------------------+----------+--------------------+--- ... ---+
//      |                    | the page is here   | counted  | counted            | counted   |
//      +------- ... --------+--------------------+----------+--------------------+--- ... ---+

/** So many ids are passed over one by one. */
const nearOffset = 1024
/** The first span is this part of all ids. */
const spansFirst = 4096
/** As far as ids are as dense as in the span before it, the next one has this part of what the page is away. */
const shareAimed = 0.95
/** The next span is at most so often the one before it: what is counted too far is counted again. */
const growthMax = 8

/** A place among ids, from the newest on. */
export interface FarPlace {
  readonly offset: number
  /** The first id of all, and the first one behind the last. */
  readonly firstId: number
  readonly toId: number
}

/**
 * The same place among the ids below another, by a smaller offset.
 * @param count how many there are from one id on, below another.
 * @param borderAt Returns the last limit of a range at or before an id. A range between two limits is cheap to count.
 */
export function nearOf(
  place: FarPlace,
  count: (fromId: number, belowId: number) => number,
  borderAt: (id: number) => number = (id) => id,
): { readonly belowId: number; readonly offset: number } {
  const { firstId } = place
  let belowId = place.toId
  let { offset } = place
  let width = Math.ceil((belowId - firstId) / spansFirst)
  while (offset > nearOffset && belowId > firstId && width > 0) {
    const fromId = Math.max(firstId, borderAt(belowId - width))
    const counted = count(fromId, belowId)
    if (counted > offset) {
      if (fromId === borderAt(belowId - 1)) break
      width = Math.floor(width / 2)
      continue
    }
    offset -= counted
    belowId = fromId
    width = Math.ceil(width * Math.min(growthMax, (shareAimed * offset) / counted))
  }
  return { belowId, offset }
}
