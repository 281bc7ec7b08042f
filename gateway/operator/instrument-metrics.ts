import {
  gaugeNames,
  type InstrumentGauges,
  type InstrumentRows,
} from '../read-model/views/instrument-rows.js'
import { formatTotals } from './metric-text.js'
import type { PlainAnswer } from './operator-server.js'

const metrics: Readonly<Record<keyof InstrumentGauges, readonly [name: string, help: string]>> = {
  bidPrice: ['strikebook_bid_price_usd', 'Best bid'],
  askPrice: ['strikebook_ask_price_usd', 'Best ask'],
  markPrice: ['strikebook_mark_price_usd', 'Mark price'],
  openInterest: ['strikebook_open_interest_contracts', 'Open interest'],
  volumeOfDay: ['strikebook_day_volume_contracts', 'Contracts traded in 24 hours'],
}

/** GET /metrics/detail: gauges per active instrument, at most a second old; 0 samples are left out. */
export function instrumentMetrics(rows: InstrumentRows): PlainAnswer {
  const samples = gaugeNames.map((): { of: string; value: number }[] => [])
  rows.forEach((symbol, gauges) => {
    for (const [i, name] of gaugeNames.entries()) {
      if (gauges[name] !== 0) samples[i]!.push({ of: symbol, value: gauges[name] })
    }
  })
  const body = formatTotals(
    gaugeNames.map((gauge, i) => {
      const [name, help] = metrics[gauge]
      return { name, help, kind: 'gauge', label: 'instrument', values: samples[i]! }
    }),
  )
  return { status: 200, contentType: 'text/plain; version=0.0.4; charset=utf-8', body }
}
