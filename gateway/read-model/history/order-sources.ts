import { isUnlisted, orders } from './history-tables.js'
import { type IdSource, listedSources, RowIds } from './id-sources.js'
import { type Condition, isOneOf, type SelectAll } from './select.js'
import { rowsOfIds } from './stored-rows.js'
import type { Row } from './table.js'

// An order of a wallet is in a run of the lists, pending, or unlisted.

/**
 * Ids of a wallet's orders.
 * @param statuses null: of any.
 */
export function orderSources(
  select: SelectAll,
  wallet: string,
  statuses: readonly number[] | null,
): readonly IdSource[] {
  const ofStatus = statuses === null ? [] : [isOneOf('status', statuses)]
  return sourcesOf(select, 'order_ids', [['wallet = ?', wallet], ...ofStatus])
}

/** The latest order of a wallet with a client id. */
export function latestByClientId(
  select: SelectAll,
  wallet: string,
  clientId: string,
): Row<typeof orders> | null {
  if (clientId === '') return null
  const conditions: Condition[] = [
    ['wallet = ?', wallet],
    ['client_id = ?', clientId],
  ]
  const ids = sourcesOf(select, 'order_client_ids', conditions).flatMap((source) =>
    source.newest(0, Number.MAX_SAFE_INTEGER, 1),
  )
  return ids.length === 0 ? null : (rowsOfIds(select, orders, [Math.max(...ids)])[0] ?? null)
}

function sourcesOf(
  select: SelectAll,
  list: string,
  conditions: readonly Condition[],
): readonly IdSource[] {
  return [
    ...listedSources(select, orders, list, conditions),
    new RowIds(select, orders, [...conditions, [isUnlisted]]),
  ]
}
