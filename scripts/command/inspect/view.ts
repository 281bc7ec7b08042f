/** What is shown: as JSON, and in lines for people. */
export interface View {
  readonly value: unknown
  readonly lines: readonly string[]
}

/** Lines of a table: a head, then its rows, columns aligned. */
export function tableLines(
  head: readonly string[],
  rows: readonly (readonly unknown[])[],
): readonly string[] {
  const texts = [head, ...rows.map((row) => row.map(String))]
  const widths = head.map((_, column) => Math.max(...texts.map((row) => row[column]!.length)))
  return texts.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  )
}

/** A line for each field. */
export function fieldLines(fields: Readonly<Record<string, unknown>>): readonly string[] {
  const rows = Object.entries(fields).map(([name, value]) => {
    return [name, typeof value === 'object' ? JSON.stringify(value) : value]
  })
  return tableLines(['field', 'value'], rows).slice(1)
}

/** Engine time in words; nothing for one that there is not. */
export function timeText(millis: number): string {
  return millis > 0 && millis < 8.64e15 ? new Date(millis).toISOString() : '-'
}
