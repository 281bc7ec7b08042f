import { parseAddress, sameAddress } from '../../../schemas/wallet.js'
import { hashedListOf, hashedPlace } from './hashed-ids.js'
import { orders, workingStatuses } from './history-tables.js'
import {
  type IdSource,
  KnownIds,
  ListedIds,
  listedOf,
  ownedList,
  pendingIds,
} from './id-sources.js'
import { addressOffset, RowUnpacker, TextField } from './packed-rows.js'
import { cursorsBetween, rowsOfIds } from './row-blocks.js'
import { type Condition, isOneOf, type SelectAll } from './select.js'
import type { Row } from './table.js'

// Where a wallet's orders are found: in the packed list, in the tables of `open-orders.ts`, and behind what was taken up.

const highestId = Number.MAX_SAFE_INTEGER
const working: ReadonlySet<number> = new Set(workingStatuses)
/** Orders with the client id that is sought whose rows are read at once. */
const candidatesMax = 16

/**
 * Ids of a wallet's orders.
 * @param statuses null: of any.
 */
export function orderSources(
  select: SelectAll,
  wallet: string,
  statuses: readonly number[] | null,
): IdSource[] {
  const parts = statuses === null ? null : new Set(statuses)
  const pending = pendingIds(select, orders, [wallet], parts, { fromId: 0, toId: highestId })
  return [
    new KnownIds(pending),
    new ListedIds(select, ownedList(select, orders), wallet, parts, highestId),
    ...openSources(select, wallet, statuses),
  ]
}

function openSources(
  select: SelectAll,
  wallet: string,
  statuses: readonly number[] | null,
): IdSource[] {
  const ofWallet: Condition = ['wallet = ?', wallet]
  if (statuses === null) {
    return ['working_orders', 'ended_orders'].map((table) => new RowIds(select, table, [ofWallet]))
  }
  const conditions = [ofWallet, isOneOf('status', statuses)]
  const isUnchanged: Condition = ['order_id not in (select order_id from changed_orders)']
  return [
    ...(statuses.some((status) => working.has(status))
      ? [new RowIds(select, 'working_orders', [...conditions, isUnchanged])]
      : [new RowIds(select, 'ended_orders', conditions)]),
    new RowIds(select, 'changed_orders', conditions),
  ]
}

/** Ids of orders that have a row each in some table. */
class RowIds implements IdSource {
  readonly #select: SelectAll
  readonly #from: string
  readonly #values: readonly (string | number)[]

  constructor(select: SelectAll, table: string, conditions: readonly Condition[]) {
    this.#select = select
    const within = ['order_id >= ?', 'order_id < ?']
    const all = [...conditions.map(([sql]) => sql), ...within].join(' and ')
    this.#from = `from ${table} where ${all}`
    this.#values = conditions.flatMap(([, ...values]) => values)
  }

  count(fromId: number, belowId: number): number {
    const sql = `select count(*) as count ${this.#from}`
    const values = [...this.#values, fromId, belowId]
    return this.#select<{ readonly count: number }>(sql, values)[0]!.count
  }

  newest(fromId: number, belowId: number, limit: number): number[] {
    const sql = `select order_id as id ${this.#from} order by order_id desc limit ?`
    const values = [...this.#values, fromId, belowId, limit]
    return this.#select<{ readonly id: number }>(sql, values).map(({ id }) => id)
  }
}

/** The latest order of a wallet with a client id. */
export function latestByClientId(
  select: SelectAll,
  wallet: string,
  clientId: string,
): Row<typeof orders> | null {
  const pending = pendingByClientId(select, wallet, clientId)
  if (pending !== null) return pending
  const sql =
    'select coalesce(max(order_id), 0) as id from kept_client_ids where wallet = ? and client_id = ?'
  const [kept] = select<{ readonly id: number }>(sql, [wallet, clientId])
  const [known] = rowsOfIds(select, orders, [kept!.id])
  return listedByClientId(select, wallet, clientId, kept!.id + 1) ?? known ?? null
}

/** Behind what lists have. */
function pendingByClientId(
  select: SelectAll,
  wallet: string,
  clientId: string,
): Row<typeof orders> | null {
  const address = parseAddress(wallet)!
  const offset = addressOffset(orders, 'wallet')
  const [text, wanted] = [new TextField(orders, 'clientId'), Buffer.from(clientId)]
  const unpacker = new RowUnpacker(orders)
  const from = listedOf(select, orders).last + 1
  let found: Row<typeof orders> | null = null
  for (const { bytes, at, id } of cursorsBetween(select, orders, from, highestId)) {
    if (!sameAddress(bytes, at + offset, address, 0)) continue
    const { begin, end } = text.find(bytes, at)
    if (wanted.equals(bytes.subarray(begin, end))) found = unpacker.rowAt(bytes, at, id)
  }
  return found
}

/** Of the rows that its list names, which have the same hash, and some of which may have gone. */
function listedByClientId(
  select: SelectAll,
  wallet: string,
  clientId: string,
  fromId: number,
): Row<typeof orders> | null {
  const { owner, part } = hashedPlace(wallet, clientId)
  const list = { name: hashedListOf(orders), firstId: 0 }
  const candidates = new ListedIds(select, list, owner, new Set([part]), highestId)
  for (let below = highestId; ; ) {
    const ids = candidates.newest(fromId, below, candidatesMax)
    const isSought = (row: Row<typeof orders>) => row.wallet === wallet && row.clientId === clientId
    const found = rowsOfIds(select, orders, ids).find(isSought)
    if (found !== undefined) return found
    if (ids.length < candidatesMax) return null
    below = ids.at(-1)!
  }
}
