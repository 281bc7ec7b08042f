/** Rows of a statement, by the connection that answers. */
export type SelectAll = <T>(sql: string, values: readonly (string | number)[]) => T[]

/** A symbol that was deleted and listed again has several ids. */
export function instrumentsOfSymbol(symbol: string, all: SelectAll): readonly number[] {
  const sql = 'select instrument_id as id from instruments where symbol = ?'
  return all<{ id: number }>(sql, [symbol]).map(({ id }) => id)
}
