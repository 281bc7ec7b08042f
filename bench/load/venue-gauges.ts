/** Gauges from a venue's operator interface; 0 where one is missing. */
export interface VenueGauges {
  readonly residentBytes: number
  /** JavaScript heaps of all threads, garbage included. */
  readonly heapBytes: number
  /** External memory that the heaps reference. */
  readonly externalBytes: number
  /** Unread bytes of the fullest ring. */
  readonly ringBytes: number
}

export const noGauges: VenueGauges = {
  residentBytes: 0,
  heapBytes: 0,
  externalBytes: 0,
  ringBytes: 0,
}

const answerMillisMax = 5000

/** Reads `/metrics`, which needs no token. @returns zeros if there is no answer. */
export async function readVenueGauges(operatorUrl: string): Promise<VenueGauges> {
  try {
    const signal = AbortSignal.timeout(answerMillisMax)
    const answer = await fetch(`${operatorUrl}/metrics`, { signal })
    return parseGauges(await answer.text())
  } catch {
    return noGauges
  }
}

/** @param text Prometheus exposition format; names may have any prefix. */
export function parseGauges(text: string): VenueGauges {
  return {
    residentBytes: Math.max(0, ...valuesOf(text, 'resident_memory_bytes')),
    heapBytes: sum(valuesOf(text, 'heap_used_bytes')),
    externalBytes: sum(valuesOf(text, 'external_memory_bytes')),
    ringBytes: Math.max(0, ...valuesOf(text, 'ring_depth_bytes')),
  }
}

function valuesOf(text: string, name: string): number[] {
  const pattern = new RegExp(`^\\w*${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm')
  return [...text.matchAll(pattern)].map((match) => Number(match[1]))
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
