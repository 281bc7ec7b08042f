import { signal } from '@preact/signals'
import { type FundingHour, fundingHours, fundingName } from '../model/funding-hours.js'
import { session } from './session.js'

/** One more than a day has, so that each of its hours has a border before it. */
const borders = 25

/** What funding of perps has brought the wallet. */
export interface Funding {
  /** USD, since the wallet is there. */
  readonly soFarUsd: number
  /** Of the last day, the latest first. */
  readonly hours: readonly FundingHour[]
}

/** null: not told yet. */
export const funding = signal<Funding | null>(null)

export async function loadFunding(): Promise<void> {
  const current = session.value
  if (current === null) {
    funding.value = null
    return
  }
  const { profile } = current.client
  const wanted = { interval: '1h', limit: borders, include_attribution: true } as const
  // The total behind the borders, so that no hour is told less than it was.
  const { points } = await profile.historicalPnl(wanted)
  const rows = await profile.realizedPnl()
  if (session.peek() !== current) return
  const soFarUsd = Number(rows.find(({ symbol }) => symbol === fundingName)?.realized_pnl ?? 0)
  const hours = fundingHours(points, soFarUsd, points.length < borders, Date.now())
  funding.value = { soFarUsd, hours }
}
