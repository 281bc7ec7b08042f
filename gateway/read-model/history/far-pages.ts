import type { Page } from '../../wire/answers.js'
import type { Condition, HistorySource, Query } from './select.js'

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

/**
 * The same page of fewer ids; of one list it is found as fast by passing over them.
 * @param parts of which each has its ids under the name `id`, and none in common with another.
 */
export function nearPage<Shown>(
  { select }: Pick<HistorySource, 'select'>,
  { key }: Pick<Query<Shown>, 'key'>,
  parts: readonly Condition[],
  page: Page,
): { readonly parts: readonly Condition[]; readonly page: Page } {
  if (page.offset <= nearOffset || parts.length === 1) return { parts, page }
  const [table] = key.split('.')
  const [{ id: highest }] = select<{ readonly id: number }>(
    `select coalesce(max(${key}), 0) as id from ${table}`,
    [],
  ) as [{ readonly id: number }]
  const counts = parts.map(([sql]) => countSql(sql)).join(' + ')
  const count = (fromId: number, belowId: number, most: number) => {
    const values = parts.flatMap(([, ...ofPart]) => [...ofPart, fromId, belowId, most])
    return select<{ readonly count: number }>(`select ${counts} as count`, values)[0]!.count
  }
  const { belowId, offset } = nearOf({ offset: page.offset, firstId: 0, toId: highest + 1 }, count)
  const near = parts.map(
    ([sql, ...values]): Condition => [`${within(sql)} id < ?`, ...values, belowId],
  )
  return { parts: near, page: { ...page, offset } }
}

/** A place among ids, from the newest on. */
export interface FarPlace {
  readonly offset: number
  /** The first id of all, and the first one behind the last. */
  readonly firstId: number
  readonly toId: number
}

/**
 * The same place among the ids below another, by a smaller offset.
 * @param count how many there are from one id on, below another; more than `most` may be told as one more.
 */
export function nearOf(
  place: FarPlace,
  count: (fromId: number, belowId: number, most: number) => number,
): { readonly belowId: number; readonly offset: number } {
  const { firstId } = place
  let belowId = place.toId
  let { offset } = place
  let width = Math.ceil((belowId - firstId) / spansFirst)
  while (offset > nearOffset && belowId > firstId && width > 0) {
    const fromId = Math.max(firstId, belowId - width)
    const counted = count(fromId, belowId, offset + 1)
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

/** At most so many, for what is behind a page is never needed. */
function countSql(part: string): string {
  return `(select count(*) from (${within(part)} id >= ? and id < ? limit ?))`
}

function within(part: string): string {
  return `select id from (${part}) where`
}
