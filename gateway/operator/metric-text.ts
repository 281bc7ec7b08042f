/** What stands behind the name, such as `{thread="core"}`, and the value. */
export type Sample = readonly [place: string, value: number]

/** A metric, stated once: one whose name ends in `_total` only rises, a gauge is a value of now. */
export interface Metric {
  readonly name: string
  readonly help: string
  readonly type?: 'histogram'
  /** Whether a metric without a sample is left out. */
  readonly isLeftOut?: boolean
  samples(): readonly Sample[]
}

const prefix = 'strikebook_'

export const metricContentType = 'text/plain; version=0.0.4; charset=utf-8'

/** Returns a metric with these samples. */
export function metric(name: string, help: string, samples: Metric['samples']): Metric {
  return { name, help, samples }
}

/** A sample without a label. */
export function alone(value: number): readonly Sample[] {
  return [['', value]]
}

/** A sample per value of a label. */
export function by(label: string, values: Readonly<Record<string, number>>): readonly Sample[] {
  return Object.entries(values).map(([of, value]) => [`{${label}="${of}"}`, value])
}

/**
 * Prometheus text of metrics that somebody else keeps.
 *
 * Values are written by `JSON`, digit by digit as a template would write them: that one keeps each text for the same
 * number's next time, and texts of counters, which never come again, would fill the heap of a thread that rests
 * between scrapes.
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
