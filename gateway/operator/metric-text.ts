/** Labels of a sample, such as `{thread="core"}`, and its value. */
export type Sample = readonly [place: string, value: number]

/** Metric. A name that ends in `_total` is a counter, any other a gauge. */
export interface Metric {
  readonly name: string
  readonly help: string
  readonly type?: 'histogram'
  /** Omits the metric if it has no sample. */
  readonly isLeftOut?: boolean
  samples(): readonly Sample[]
}

const prefix = 'strikebook_'

export const metricContentType = 'text/plain; version=0.0.4; charset=utf-8'

/** Returns a metric with these samples. */
export function metric(name: string, help: string, samples: Metric['samples']): Metric {
  return { name, help, samples }
}

/** Returns a sample without a label. */
export function alone(value: number): readonly Sample[] {
  return [['', value]]
}

/** Returns one sample per value of a label. */
export function by(label: string, values: Readonly<Record<string, number>>): readonly Sample[] {
  return Object.entries(values).map(([of, value]) => [`{${label}="${of}"}`, value])
}

/**
 * Formats metrics as Prometheus text.
 *
 * Uses `JSON.stringify` for values, which formats like a template literal. A template literal caches each number's
 * text, and texts of counters, which never recur, would fill the heap of a thread that is idle between scrapes.
 */
export function metricText(metrics: readonly Metric[]): string {
  return metrics.map(textOf).join('')
}

function textOf({ name, help, type, isLeftOut, samples }: Metric): string {
  const lines = samples().map(
    ([place, value]) => `${prefix}${name}${place} ${JSON.stringify(value)}\n`,
  )
  if (isLeftOut && lines.length === 0) return ''
  const kind = type ?? (name.endsWith('_total') ? 'counter' : 'gauge')
  return `# HELP ${prefix}${name} ${help}\n# TYPE ${prefix}${name} ${kind}\n${lines.join('')}\n`
}
