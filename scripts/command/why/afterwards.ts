import { formatLots, formatMicros } from '../../../schemas/decimal.js'
import { OrderStatus, orderStatusNames } from '../../../schemas/domain.js'
import type { DecodedRecord } from '../../../schemas/record-rules/decode-record.js'
import type { Aftermath, Waiting } from '../../venue-data/admission-story.js'

/** Event of an order. */
export interface OrderStep {
  readonly time: number
  readonly batch: number
  readonly what: string
}

/** Lifecycle of an order after its admission. */
export interface Afterwards {
  /** `WORKING` if it works at the end of the journal, else its final status. */
  readonly status: string
  readonly reason: string | null
  readonly filled: string
  readonly averagePrice: string | null
  readonly fees: string
  readonly fillCount: number
  /** Null if it still works. */
  readonly endBatch: number | null
  readonly endTime: number | null
  readonly lastBatch: number
  readonly waitedForQuotes: Waiting | null
  readonly steps: readonly OrderStep[]
}

/** @param stepsMax largest number of steps; later ones are preferred. */
export function afterwardsOf(
  { isWorking, lastBatch, steps }: Aftermath,
  orderId: number,
  waiting: Waiting | null,
  stepsMax: number,
): Afterwards {
  const own = steps.filter(({ record }) => record['type'] !== 'Outcome')
  const fills = own.filter(({ record }) => isFill(record, orderId)).map(({ record }) => record)
  const updates = own.filter(({ record }) => factsOf(record)['orderId'] === orderId)
  const last = updates.at(-1)
  const lots = sumOf(fills, 'sizeLots')
  const costMicros = fills.reduce((sum, fill) => sum + costOf(fill), 0)
  const end = isWorking || last === undefined ? null : last
  return {
    status: isWorking ? 'WORKING' : statusOf(last?.record),
    reason: end === null ? null : reasonOf(end.record),
    filled: formatLots(lots),
    averagePrice: lots === 0 ? null : formatMicros(Math.round(costMicros / lots)),
    fees: formatMicros(sumOf(fills, 'feeMicros')),
    fillCount: fills.length,
    endBatch: end?.batch ?? null,
    endTime: end?.millis ?? null,
    lastBatch,
    waitedForQuotes: waiting,
    steps: own
      .filter(({ record }) => record['type'] === 'OrderUpdate' || isFill(record, orderId))
      .slice(-stepsMax)
      .map(({ batch, millis, record }) => ({ time: millis, batch, what: whatOf(record) })),
  }
}

function isFill(record: DecodedRecord, orderId: number): boolean {
  return record['type'] === 'Fill' && record['orderId'] === orderId
}

function factsOf(record: DecodedRecord): DecodedRecord {
  return (record['facts'] as DecodedRecord | undefined) ?? {}
}

function costOf(fill: DecodedRecord): number {
  return Number(fill['priceMicros']) * Number(fill['sizeLots'])
}

function sumOf(records: readonly DecodedRecord[], field: string): number {
  return records.reduce((sum, record) => sum + Number(record[field]), 0)
}

/** Returns the wire name of a record's status. `record` has the enumeration's name instead. */
function statusOf(record: DecodedRecord | undefined): string {
  const status = record === undefined ? 'None' : String(factsOf(record)['status'])
  return orderStatusNames[OrderStatus[status as keyof typeof OrderStatus]]
}

/** Returns the reason code. `result` is a string only if the record has a reason. */
function reasonOf({ result }: DecodedRecord): string | null {
  return typeof result === 'string' ? result : null
}

function whatOf(record: DecodedRecord): string {
  if (record['type'] === 'Fill') {
    const { feeMicros, isTaker, priceMicros, sizeLots } = record
    const role = Number(isTaker) === 0 ? 'maker' : 'taker'
    const size = formatLots(Number(sizeLots))
    const price = formatMicros(Number(priceMicros))
    return `filled ${size} at ${price} as ${role}, fee ${formatMicros(Number(feeMicros))}`
  }
  const { filledLots, sizeLots } = factsOf(record)
  const reason = reasonOf(record)
  const filled = `${formatLots(Number(filledLots))} of ${formatLots(Number(sizeLots))} filled`
  return `${statusOf(record)}, ${filled}${reason === null ? '' : `: ${reason}`}`
}
