/** A metric with a value per thread or result, kept by somebody else: the client library cannot set a counter. */
export interface LabelledMetric {
  readonly name: string
  readonly help: string
  readonly kind: 'counter' | 'gauge'
  readonly label: string
  /** A value per value of the label. */
  readonly values: readonly { readonly of: string; readonly value: number }[]
}

/**
 * Prometheus text of metrics, a sample per value of the label; metrics without a sample are left out.
 *
 * Values are written by `JSON`, digit by digit as a template would write them: that one keeps each text for the same
 * number's next time, and texts of counters, which never come again, would fill the heap of a thread that rests
 * between scrapes.
 */
export function formatTotals(metrics: readonly LabelledMetric[]): string {
  return metrics
    .filter((metric) => metric.values.length > 0)
    .map(({ name, help, kind, label, values }) => {
      const samples = values.map(
        ({ of, value }) => `${name}{${label}="${of}"} ${JSON.stringify(value)}\n`,
      )
      return `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n${samples.join('')}\n`
    })
    .join('')
}
