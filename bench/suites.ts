import { join } from 'node:path'
import { runAcknowledgementBench } from './acknowledgement.js'
import { runAuctionFillBench } from './auction-fills.js'
import { runBookBench } from './book.js'
import { runBookMemoryBench } from './book-memory.js'
import { runBookReplayBench } from './book-replay/replay-rows.js'
import { runCoreAllocationBench } from './core-allocation.js'
import { runCoreMemoryBench } from './core-memory.js'
import { runEndToEndBench } from './end-to-end.js'
import { runFanOutBench } from './fan-out.js'
import { runHistoryBench } from './history.js'
import { runQuoteBench } from './indicative-quotes.js'
import { runJournalAppendBench } from './journal-append.js'
import { runLoadPointBench } from './load-point.js'
import { runMarginBench } from './margin.js'
import type { BenchResult } from './measure/bench-result.js'
import { runMemoryBench } from './memory.js'
import { runQuotedVenueBench } from './quoted-venue.js'
import { runReplayBench } from './replay.js'
import { runRfqFillBench } from './rfq-fills.js'
import { runRingBench } from './ring.js'
import { runSignatureBench } from './signatures.js'
import { runStandingsBench } from './standings.js'
import { runVenuePairBench } from './venue-pair.js'

export interface SuiteOptions {
  /** True for a short run of some seconds. Its figures mean little, and no threshold applies. */
  readonly quick: boolean
  /** Parent of temporary folders, on the disk to measure. */
  readonly directory: string
}

/** Returns the rate and length of a comparison of two venues. */
const pairOf = (quick: boolean) => ({
  ordersPerSecond: 400,
  ...{ seconds: quick ? 1 : 10, orders: quick ? 1000 : 12_000, repeats: quick ? 1 : 7 },
})

type Suite = (options: SuiteOptions) => BenchResult[] | Promise<BenchResult[]>

/** Suites by their name on the command line, in the order in which they run. */
export const suites: Readonly<Record<string, Suite>> = {
  book: ({ quick }) => [
    ...runBookBench({ events: quick ? 20_000 : 400_000 }),
    // Just above a power of two, the worst case: the pools have just doubled.
    ...runBookMemoryBench({
      orders: quick ? 66_000 : 1_050_000,
      instruments: 3000,
      reduceOnly: 0.1,
    }),
  ],
  'book-replay': ({ quick, directory }) =>
    runBookReplayBench({
      files: join(directory, '../shared/conformance'),
      messages: quick ? 20_000 : 2_000_000,
      repeats: quick ? 1 : 7,
      warmUps: quick ? 0 : 5,
    }),
  ring: ({ quick }) => runRingBench({ count: quick ? 200_000 : 4_000_000, runs: quick ? 1 : 9 }),
  'fan-out': ({ quick }) =>
    runFanOutBench({
      updates: quick ? 20 : 300,
      subscribers: quick ? 50 : 500,
      runs: quick ? 1 : 5,
    }),
  quotes: async ({ quick, directory }) => {
    const instruments = quick ? 500 : 3000
    const providers = quick ? 5 : 20
    return [
      ...runQuoteBench({ gateways: 4, instruments, providers, rounds: quick ? 2 : 9 }),
      ...(await runQuotedVenueBench({
        ...{ instruments, providers, ordersPerSecond: 400, directory },
        ...{ seconds: quick ? 1 : 10, quietSeconds: quick ? 1 : 5, repeats: quick ? 1 : 7 },
      })),
    ]
  },
  signatures: ({ quick }) => runSignatureBench({ millis: quick ? 500 : 6000 }),
  journal: ({ quick, directory }) =>
    runJournalAppendBench({ count: quick ? 50 : 1000, runs: quick ? 1 : 9, directory }),
  replay: ({ quick, directory }) =>
    runReplayBench({ commands: quick ? 20_000 : 200_000, runs: quick ? 1 : 5, directory }),
  'core-allocation': ({ quick, directory }) =>
    [{}, { perps: 0.3 }, { hasCompetition: true }].flatMap((shape) =>
      runCoreAllocationBench({
        warmUp: quick ? 20_000 : 200_000,
        commands: quick ? 10_000 : 200_000,
        directory,
        ...shape,
      }),
    ),
  'core-memory': ({ quick }) =>
    runCoreMemoryBench({ orders: quick ? 100_000 : 1_000_000, wallets: quick ? 5000 : 100_000 }),
  history: ({ quick, directory }) =>
    runHistoryBench({
      written: quick ? 20_000 : 500_000,
      copies: quick ? 2 : 20,
      ordersPerCommit: 1000,
      queries: quick ? 20 : 200,
      directory,
    }),
  standings: ({ quick }) =>
    runStandingsBench({
      participants: quick ? 5000 : 100_000,
      updates: quick ? 500 : 20_000,
      pages: quick ? 50 : 2000,
      repeats: quick ? 1 : 9,
    }),
  margin: ({ quick }) => runMarginBench({ checks: quick ? 500 : 20_000, remarks: quick ? 3 : 50 }),
  'end-to-end': ({ quick, directory }) =>
    runEndToEndBench({
      latencyOrders: quick ? 100 : 2000,
      throughputOrders: quick ? 1000 : 12_000,
      repeats: quick ? 1 : 5,
      directory,
    }),
  acknowledgement: ({ quick, directory }) =>
    runAcknowledgementBench({
      seconds: quick ? 0.5 : 4,
      repeats: quick ? 1 : 5,
      warmUpOrders: quick ? 1000 : 12_000,
      directory,
    }),
  transport: ({ quick, directory }) =>
    runVenuePairBench({
      ...{ name: 'transport', ...pairOf(quick), directory },
      reference: { name: 'native', flags: ['--transport=native', '--gateways=1'] },
      subject: { name: 'node', flags: ['--transport=node', '--gateways=1'] },
    }),
  invariants: ({ quick, directory }) =>
    runVenuePairBench({
      ...{ name: 'invariants', ...pairOf(quick), directory },
      reference: { name: 'unchecked', flags: ['--set=invariants.checkMillis=0'] },
      subject: { name: 'checked', flags: [] },
    }),
  load: ({ quick, directory }) =>
    runLoadPointBench({
      ...{ rate: quick ? 500 : 1000, directory },
      ...{ seconds: quick ? 2 : 10, repeats: quick ? 1 : 5 },
    }),
  rfq: ({ quick, directory }) =>
    runRfqFillBench({
      ...{ requestsPerSecond: 50, providers: 4, directory },
      ...{ seconds: quick ? 1 : 10, repeats: quick ? 1 : 7 },
    }),
  auction: ({ quick, directory }) =>
    runAuctionFillBench({
      ...{ ordersPerSecond: 20, providers: 4, directory },
      ...{ seconds: quick ? 1 : 10, repeats: quick ? 1 : 7 },
    }),
  memory: ({ quick, directory }) =>
    runMemoryBench({
      instruments: quick ? 200 : 3000,
      seconds: quick ? 2 : 20,
      // Just above a power of two, the worst case: the columns have just doubled.
      orders: quick ? 66_000 : 1_050_000,
      churned: quick ? 20_000 : 500_000,
      directory,
    }),
}
