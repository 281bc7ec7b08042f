import { signal } from '@preact/signals'
import { type FundingHour, fundingHours, fundingName } from '../model/funding-hours.js'
import { session } from './session.js'

/** Number of hourly points: one more than the hours of a day, so that each hour has a point before it. */
const borders = 25

/** Funding of perps of the wallet. */
export interface Funding {
  /** Total in USD since the wallet exists. */
  readonly soFarUsd: number
  /** Hours of the last day, the latest first. */
  readonly hours: readonly FundingHour[]
}

/** Null until loaded. */
export const funding = signal<Funding | null>(null)

export async function loadFunding(): Promise<void> {
  const current = session.value
  if (current === null) {
    funding.value = null
    return
  }
  const { profile } = current.client
  const wanted = { interval: '1h', limit: borders, include_attribution: true } as const
  // The total is read after the points, so that no hour is too small.
  const { points } = await profile.historicalPnl(wanted)
  const rows = await profile.realizedPnl()
  if (session.peek() !== current) return
  const soFarUsd = Number(rows.find(({ symbol }) => symbol === fundingName)?.realized_pnl ?? 0)
  const hours = fundingHours(points, soFarUsd, points.length < borders, Date.now())
  funding.value = { soFarUsd, hours }
}
