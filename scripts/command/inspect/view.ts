/** Output of a view: a value for JSON, and lines for people. */
export interface View {
  readonly value: unknown
  readonly lines: readonly string[]
}

/** Formats a table as lines: the head, then the rows, with aligned columns. */
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

/** Formats each field as a line. */
export function fieldLines(fields: Readonly<Record<string, unknown>>): readonly string[] {
  const rows = Object.entries(fields).map(([name, value]) => {
    return [name, typeof value === 'object' ? JSON.stringify(value) : value]
  })
  return tableLines(['field', 'value'], rows).slice(1)
}

/** Formats an engine time (Unix milliseconds) as ISO 8601; '-' if it is 0 or out of range. */
export function timeText(millis: number): string {
  return millis > 0 && millis < 8.64e15 ? new Date(millis).toISOString() : '-'
}
