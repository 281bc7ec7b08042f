import type { IdSource } from './id-sources.js'

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

interface PageOf {
  readonly limit: number
  readonly offset: number
}

/**
 * A page of ids, the newest first.
 * @param sources that have no id in common.
 * @param span the first id, and the first one behind the last.
 */
export function pageOfIds(
  sources: readonly IdSource[],
  page: PageOf,
  { fromId, toId }: { readonly fromId: number; readonly toId: number },
): number[] {
  const { belowId, offset } = near(sources, page.offset, fromId, toId)
  const end = offset + page.limit
  const ids = sources.flatMap((source) => source.newest(fromId, belowId, end))
  return ids.sort((one, other) => other - one).slice(offset, end)
}

/** The same page of the ids below another, by a smaller offset. */
function near(sources: readonly IdSource[], far: number, firstId: number, toId: number) {
  let belowId = toId
  let offset = far
  let width = Math.ceil((belowId - firstId) / spansFirst)
  while (offset > nearOffset && belowId > firstId && width > 0) {
    const fromId = Math.max(firstId, belowId - width)
    let counted = 0
    for (const source of sources) counted += source.count(fromId, belowId)
    if (counted > offset) {
      width = Math.floor(width / 2)
      continue
    }
    offset -= counted
    belowId = fromId
    width = Math.ceil(width * Math.min(growthMax, (shareAimed * offset) / counted))
  }
  return { belowId, offset }
}
