import { Ledger } from '../gateway/read-model/standings/ledger.js'
import type { CompetitionMetric } from '../schemas/domain.js'
import { randomFrom } from './book-replay/book-flow.js'
import { type BenchResult, spread } from './measure/bench-result.js'

export interface StandingsBenchOptions {
  /** Number of participating wallets. */
  readonly participants: number
  /** Changes of all three metrics per repeat. */
  readonly updates: number
  readonly pages: number
  readonly repeats: number
}

const seed = 47
const pageRows = 100
const updateMicrosMax = 100
const pageMicrosMax = 1000

/** Measures the cost of keeping exact ranks by each metric, and of reading a page at any rank. */
export function runStandingsBench(options: StandingsBenchOptions): BenchResult[] {
  const { pages, participants, repeats, updates } = options
  const next = randomFrom(seed)
  const random = (below: number) => Math.floor(next() * below)
  const ledger = ledgerOf(participants, random)
  const updateMicros: number[] = []
  const pageMicros: number[] = []
  let seen = 0
  for (let repeat = 0; repeat < repeats; repeat++) {
    const began = performance.now()
    for (let i = 0; i < updates; i++) change(ledger, random(participants), random)
    const changed = performance.now()
    for (let i = 0; i < pages; i++) {
      const metric = (1 + random(3)) as CompetitionMetric
      const isAscending = random(2) === 1
      seen += ledger.standings!.page(metric, isAscending, random(participants), pageRows).length
    }
    const published = performance.now()
    updateMicros.push(((changed - began) * 1000) / updates)
    pageMicros.push(((published - changed) * 1000) / pages)
  }
  const rowsPerPage = Math.round(seen / (pages * repeats))
  return [
    {
      name: 'standings.update',
      unit: 'µs',
      ...spread(updateMicros),
      extra: { about: 'all three metrics', participants, updates },
      threshold: { atMost: updateMicrosMax },
    },
    {
      name: 'standings.page',
      unit: 'µs',
      ...spread(pageMicros),
      extra: { about: 'anywhere', participants, pages, rowsPerPage },
      threshold: { atMost: pageMicrosMax },
    },
  ]
}

function ledgerOf(participants: number, random: (below: number) => number): Ledger {
  const ledger = new Ledger(1, {}, true)
  for (let number = 0; number < participants; number++) {
    const row = ledger.participants.rowFor(`0x${random(2 ** 31).toString(16)}${number}`)
    ledger.participants.trades[row] = 1
    ledger.participants.marginMicros[row] = 1e9 + random(1e9)
    ledger.participants.pnlMicros[row] = random(2e9) - 1e9
  }
  ledger.standings!.rankAll()
  return ledger
}

function change({ participants, standings }: Ledger, row: number, random: (n: number) => number) {
  standings!.take(row)
  participants.pnlMicros[row]! += random(2e8) - 1e8
  participants.addVolume(row, random(1e9))
  standings!.put(row)
}
