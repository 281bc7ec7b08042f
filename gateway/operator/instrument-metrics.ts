import {
  gaugeNames,
  type InstrumentGauges,
  type InstrumentRows,
} from '../read-model/views/instrument-rows.js'
import { metricContentType, metricText, type Sample } from './metric-text.js'
import type { PlainAnswer } from './operator-server.js'

const metrics: Readonly<Record<keyof InstrumentGauges, readonly [name: string, help: string]>> = {
  bidPrice: ['bid_price_usd', 'Best bid'],
  askPrice: ['ask_price_usd', 'Best ask'],
  markPrice: ['mark_price_usd', 'Mark price'],
  openInterest: ['open_interest_contracts', 'Open interest'],
  volumeOfDay: ['day_volume_contracts', 'Contracts traded in 24 hours'],
}

/** Answers GET /metrics/detail: gauges per active instrument, at most a second old, without samples of 0. */
export function instrumentMetrics(rows: InstrumentRows): PlainAnswer {
  const samples = gaugeNames.map((): Sample[] => [])
  rows.forEach((symbol, gauges) => {
    for (const [i, name] of gaugeNames.entries()) {
      if (gauges[name] !== 0) samples[i]!.push([`{instrument="${symbol}"}`, gauges[name]])
    }
  })
  const body = metricText(
    gaugeNames.map((gauge, i) => {
      const [name, help] = metrics[gauge]
      return { name, help, isLeftOut: true, samples: () => samples[i]! }
    }),
  )
  return { status: 200, contentType: metricContentType, body }
}
