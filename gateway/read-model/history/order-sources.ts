import { OrderStatus } from '../../../schemas/domain.js'
import { isUnlisted, orders, workingStatuses } from './history-tables.js'
import { allIds, type IdSource, type ListKey, listedSources, rowIds } from './id-sources.js'
import type { Condition, SelectAll } from './select.js'
import { rowsOfIds } from './stored-rows.js'
import { type Row, sqlName } from './table.js'

// An order of a wallet is in a run of the lists, pending, or unlisted.

const statusesStored = [...workingStatuses, OrderStatus.Filled, OrderStatus.Canceled] as const

/**
 * Returns the sources of a wallet's order ids.
 * @param statuses null: any status.
 */
export function orderSources(
  select: SelectAll,
  wallet: string,
  statuses: readonly number[] | null,
): readonly IdSource[] {
  const keys = (statuses ?? statusesStored).map((status) => [wallet, status] as const)
  const working: readonly number[] = workingStatuses
  const ended = keys.filter(([, status]) => !working.includes(status))
  return sourcesOf(select, 'order_ids', keys, ended)
}

/** Returns the latest order of a wallet with a client id. */
export function latestByClientId(
  select: SelectAll,
  wallet: string,
  clientId: string,
): Row<typeof orders> | null {
  if (clientId === '') return null
  const sources = sourcesOf(select, 'order_client_ids', [[wallet, clientId]])
  const ids = sources.flatMap((source) => source.newest(allIds.fromId, allIds.toId, 1))
  return ids.length === 0 ? null : (rowsOfIds(select, orders, [Math.max(...ids)])[0] ?? null)
}

function sourcesOf(
  select: SelectAll,
  list: 'order_ids' | 'order_client_ids',
  keys: readonly ListKey[],
  runKeys = keys,
): readonly IdSource[] {
  const columns = orders.lists![list]!.by.map(sqlName)
  const conditions = (key: ListKey) =>
    key.map((value, i): Condition => [`${columns[i]} = ?`, value])
  return [
    ...listedSources(select, orders, list, keys, allIds, runKeys),
    ...keys.map((key) => rowIds(select, orders, [...conditions(key), [isUnlisted]])),
  ]
}
