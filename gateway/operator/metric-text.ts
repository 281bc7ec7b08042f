/** A metric with a value per thread, kept by somebody else: the client library cannot set a counter. */
export interface ThreadMetric {
  readonly name: string
  readonly help: string
  readonly kind: 'counter' | 'gauge'
  readonly values: readonly { readonly thread: string; readonly value: number }[]
}

/** Prometheus text of metrics, a sample per thread; metrics without a sample are left out. */
export function formatTotals(metrics: readonly ThreadMetric[]): string {
  return metrics
    .filter((metric) => metric.values.length > 0)
    .map(({ name, help, kind, values }) => {
      const samples = values.map(({ thread, value }) => `${name}{thread="${thread}"} ${value}\n`)
      return `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n${samples.join('')}\n`
    })
    .join('')
}
