import { latencyBounds, sumLatencies } from '../../engine/memory/latencies.js'
import { type LatencyKind, latencyKinds } from '../../schemas/domain.js'
import type { Metric, Sample } from './metric-text.js'

/** Returns the histograms of acknowledgements by request kind, and of journal flushes. */
export function latencyMetrics(memory: SharedArrayBuffer): readonly Metric[] {
  return [
    {
      name: 'acknowledgement_seconds',
      help: 'From the arrival of a signed request in its gateway until its answer leaves',
      type: 'histogram',
      samples: () => {
        const acknowledged = latencyKinds.filter((kind) => kind !== 'flush')
        return acknowledged.flatMap((kind) => samplesOf(memory, kind, `kind="${kind}"`))
      },
    },
    {
      name: 'journal_flush_seconds',
      help: 'Write and fdatasync of a group of batches',
      type: 'histogram',
      samples: () => samplesOf(memory, 'flush', ''),
    },
  ]
}

/** Returns the samples of a kind. Omits a labelled kind without samples. */
function samplesOf(memory: SharedArrayBuffer, kind: LatencyKind, label: string): readonly Sample[] {
  const { upTo, sumMillis } = sumLatencies(memory, latencyKinds.indexOf(kind))
  const count = upTo.at(-1)!
  if (count === 0 && label !== '') return []
  const comma = label === '' ? '' : ','
  const buckets = upTo.map((below, i): Sample => {
    const bound = i < latencyBounds.length ? JSON.stringify(latencyBounds[i]! / 1000) : '+Inf'
    return [`_bucket{${label}${comma}le="${bound}"}`, below]
  })
  const labels = label === '' ? '' : `{${label}}`
  return [...buckets, [`_sum${labels}`, sumMillis / 1000], [`_count${labels}`, count]]
}
