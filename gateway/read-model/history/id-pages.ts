import { nearOf } from './far-pages.js'
import type { IdSource } from './id-sources.js'

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
  const place = { offset: page.offset, firstId: fromId, toId }
  const { belowId, offset } = nearOf(
    place,
    (from, below) => sources.reduce((sum, source) => sum + source.count(from, below), 0),
    (id) => sources.reduce((border, source) => Math.min(border, source.borderAt(id)), id),
  )
  const end = offset + page.limit
  const ids = sources.flatMap((source) => source.newest(fromId, belowId, end))
  return ids.sort((one, other) => other - one).slice(offset, end)
}
