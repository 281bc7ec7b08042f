import {
  type LatencyKind,
  latencyBounds,
  latencyKinds,
  sumLatencies,
} from '../../engine/memory/latencies.js'

const flush: LatencyKind = 'flush'

/** Histograms as Prometheus text: acknowledgements by the kind of their request, and flushes of the journal. */
export function latencyMetrics(memory: SharedArrayBuffer): string {
  const acknowledged = latencyKinds.filter((kind) => kind !== flush)
  return (
    histogram(
      memory,
      'strikebook_acknowledgement_seconds',
      'From the arrival of a signed request in its gateway until its answer leaves',
      acknowledged,
    ) +
    histogram(
      memory,
      'strikebook_journal_flush_seconds',
      'Write and fdatasync of a group of batches',
      [flush],
    )
  )
}

/** Kinds without a sample are left out, but of a histogram that has one kind. */
function histogram(
  memory: SharedArrayBuffer,
  name: string,
  help: string,
  kinds: readonly LatencyKind[],
): string {
  const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`]
  for (const kind of kinds) {
    const { upTo, sumMillis } = sumLatencies(memory, latencyKinds.indexOf(kind))
    const count = upTo.at(-1)!
    if (count === 0 && kinds.length > 1) continue
    const label = kinds.length > 1 ? `kind="${kind}"` : ''
    const comma = label === '' ? '' : ','
    for (const [i, below] of upTo.entries()) {
      const bound = i < latencyBounds.length ? JSON.stringify(latencyBounds[i]! / 1000) : '+Inf'
      lines.push(`${name}_bucket{${label}${comma}le="${bound}"} ${JSON.stringify(below)}`)
    }
    const labels = label === '' ? '' : `{${label}}`
    lines.push(`${name}_sum${labels} ${JSON.stringify(sumMillis / 1000)}`)
    lines.push(`${name}_count${labels} ${JSON.stringify(count)}`)
  }
  return `${lines.join('\n')}\n\n`
}
