import type { ComponentChildren } from 'preact'

export interface TableRow {
  readonly key: string | number
  readonly cells: readonly ComponentChildren[]
}

export interface TableProps {
  readonly heads: readonly string[]
  readonly rows: readonly TableRow[]
  /** Text that replaces a table without rows. */
  readonly empty: string
  /** Heads of the columns that a phone hides. */
  readonly minor?: readonly string[]
}

/** Table with a name in the first column and numbers in the others. */
export function Table({ heads, rows, empty, minor = [] }: TableProps) {
  const classOf = (head: string | undefined) => (minor.includes(head!) ? 'minor' : undefined)
  if (rows.length === 0) return <p class="empty">{empty}</p>
  return (
    <div class="table-scroll">
      <table class="list">
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} class={classOf(head)}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((cell, place) => (
                <td key={heads[place]} class={classOf(heads[place])}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
