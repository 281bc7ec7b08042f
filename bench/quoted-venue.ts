import { setTimeout as sleep } from 'node:timers/promises'
import { listMarket } from './listed-market.js'
import { planSends } from './load/send-plan.js'
import { MarketOperator, unlimited } from './market-operator.js'
import { type BenchResult, type Extra, ratioOf, spread } from './measure/bench-result.js'
import { isOrderResult, OrderFrames } from './order-frames.js'
import { type Latency, loopConnections, runOrderLoop } from './order-loop.js'
import { type FleetReport, ProviderFleet } from './provider-fleet.js'
import { type QuietRepeats, repeatQuietly } from './quiet-repeats.js'
import { ThreadLoad } from './thread-load.js'
import { withVenue } from './venue-process.js'

export interface QuotedVenueOptions {
  readonly instruments: number
  readonly providers: number
  /** Rate well below the venue's capacity. */
  readonly ordersPerSecond: number
  /** Length of each phase with orders. */
  readonly seconds: number
  /** Length of each phase without orders, in which the journal's growth is measured. */
  readonly quietSeconds: number
  /** Number of pairs: a phase without providers, and one with them. */
  readonly repeats: number
  /** Folder of the journal, on the disk to measure. */
  readonly directory?: string
}

/** Figures of a phase with or without providers. */
interface Phase {
  readonly orders: Latency
  /** Busy cores by thread role, while orders arrived. */
  readonly cores: ReadonlyMap<string, number>
  /** Growth of the journal afterwards, without orders. */
  readonly journalBytesPerSecond: number
}

interface Repeat {
  readonly without: Phase
  readonly quoted: Phase
  readonly report: FleetReport
}

const medianTimesMax = 1.25
const gatewayCoresMax = 0.5
// A hundredth of a byte allows for one batch more or less of the venue's own in a phase.
const journalBytesPerRowMax = 0.01
// Time for garbage collection, and for the last events of providers that connected or left.
const calmMillis = 500

/**
 * Measures the cost of indicative quotes for everyone else. Orders at a fixed rate go to a real process, in turns without
 * providers and with many of them, each of which quotes the whole market once a second. The bench also measures the
 * processor time of the venue's threads during these runs, and the growth of the journal without orders.
 */
export async function runQuotedVenueBench(options: QuotedVenueOptions): Promise<BenchResult[]> {
  const { directory, instruments, providers, repeats } = options
  return withVenue({ arguments: unlimited, directory }, async (venue) => {
    const { streamUrl } = venue
    const operator = new MarketOperator(venue)
    const orders = await OrderFrames.open(venue)
    const symbols = await listMarket(operator, instruments)
    const privateKeys = await operator.registerProviders(providers)
    const load = new ThreadLoad(venue.pid, (await operator.state()).threads)
    const fleet = await ProviderFleet.start({ streamUrl, privateKeys, symbols })
    const parts = { streamUrl, operator, orders, load }
    const repeat = async (seed: number): Promise<Repeat> => {
      const without = await runPhase(parts, options, 2 * seed, async () => {})
      const quoted = await runPhase(parts, options, 2 * seed + 1, async () => {
        await fleet.begin()
        await operator.untilQuoteRows(instruments * providers)
      })
      await operator.untilQuoteRows(instruments * providers)
      const report = await fleet.end()
      await operator.untilQuoteRows(0)
      return { without, quoted, report }
    }
    try {
      // An open loop uses code paths that are not compiled yet, so the first run is a warm-up.
      await repeat(repeats)
      return rowsOf(await repeatQuietly(repeats, repeat), options)
    } finally {
      await fleet.stop()
    }
  })
}

/** Venue with a listed market, and orders for it. */
interface Parts {
  readonly streamUrl: string
  readonly operator: MarketOperator
  readonly orders: OrderFrames
  readonly load: ThreadLoad
}

async function runPhase(
  { streamUrl: url, operator, orders, load }: Parts,
  { ordersPerSecond, seconds, quietSeconds }: QuotedVenueOptions,
  seed: number,
  begin: () => Promise<void>,
): Promise<Phase> {
  const count = Math.ceil(ordersPerSecond * seconds)
  const plannedMillis = planSends({ ratePerSecond: ordersPerSecond, count, seed: seed + 1 })
  const frames = orders.sign(count)
  await begin()
  await sleep(calmMillis)
  load.begin()
  const [latency] = await runOrderLoop({ url, frames, plannedMillis, isTaken: isOrderResult })
  const cores = load.cores()
  await sleep(calmMillis)
  const { bytes } = (await operator.state()).journal
  const beginMillis = performance.now()
  await sleep(quietSeconds * 1000)
  const grownBytes = (await operator.state()).journal.bytes - bytes
  const journalBytesPerSecond = (grownBytes * 1000) / (performance.now() - beginMillis)
  return { orders: latency!, cores, journalBytesPerSecond }
}

function rowsOf({ figures, quiet }: QuietRepeats<Repeat>, options: QuotedVenueOptions) {
  const { instruments, providers, ordersPerSecond } = options
  const without = figures.map((repeat) => repeat.without)
  const quoted = figures.map((repeat) => repeat.quoted)
  const rounds = figures.reduce((sum, { report }) => sum + report.rounds, 0)
  const blocked = figures.reduce((sum, { report }) => sum + report.blocked, 0)
  const open = { loop: 'open', ordersPerSecond, connections: loopConnections }
  // A round is blocked if the previous one had not left the socket.
  const market = { providers, instruments, roundsPerSecond: 1, rounds, roundsBlocked: blocked }
  return [
    ...latencyRows('without-providers', without, { ...open, ...quiet }),
    ...latencyRows('with-providers', quoted, { ...open, ...market }),
    ...(['p50', 'p99'] as const).map((part) =>
      ratioOf(
        {
          name: `quotes.ack-${part} with over without providers`,
          extra: { about: 'orders of one run by turns' },
          ...(part === 'p50' ? { threshold: { atMost: medianTimesMax } } : {}),
        },
        quoted.map(({ orders }) => orders[part]),
        without.map(({ orders }) => orders[part]),
      ),
    ),
    ...coreRows(without, quoted),
    journalRow(without, quoted, options),
  ]
}

function latencyRows(name: string, phases: readonly Phase[], extra: Extra): BenchResult[] {
  const sentLateMillisP99 = spread(phases.map(({ orders }) => orders.lateP99)).value
  const millis = (part: 'p50' | 'p99') => spread(phases.map(({ orders }) => orders[part]))
  return [
    { name: `quotes.ack-p50 ${name}`, unit: 'ms', ...millis('p50'), extra },
    { name: `quotes.ack-p99 ${name}`, unit: 'ms', ...millis('p99'), extra: { sentLateMillisP99 } },
  ]
}

/** Returns the additional busy cores of each thread with providers. Orders arrive at the same rate in both phases. */
function coreRows(without: readonly Phase[], quoted: readonly Phase[]): BenchResult[] {
  const isGateway = (role: string) => role.startsWith('gateway')
  const added = (isMeant: (role: string) => boolean): number[] =>
    quoted.map((phase, i) => coresOf(phase, isMeant) - coresOf(without[i]!, isMeant))
  const row = (name: string, isMeant: (role: string) => boolean) => {
    const mean = (phases: readonly Phase[]) =>
      spread(phases.map((phase) => coresOf(phase, isMeant))).value
    const extra = { coresWithProviders: mean(quoted), coresWithout: mean(without) }
    return { name: `quotes.cores ${name}`, unit: 'cores', ...spread(added(isMeant)), extra }
  }
  const roles = [...quoted[0]!.cores.keys()]
  return [
    { ...row('gateways', isGateway), threshold: { atMost: gatewayCoresMax } },
    ...roles.map((role) => row(role, (other) => other === role)),
  ]
}

function coresOf({ cores }: Phase, isMeant: (role: string) => boolean): number {
  return [...cores].reduce((sum, [role, busy]) => (isMeant(role) ? sum + busy : sum), 0)
}

/** Returns the journal growth per row due to quotes: the venue's own batches, which are in both phases, are subtracted. */
function journalRow(
  without: readonly Phase[],
  quoted: readonly Phase[],
  { instruments, providers }: QuotedVenueOptions,
): BenchResult {
  const bytes = (phases: readonly Phase[]) => phases.map((phase) => phase.journalBytesPerSecond)
  const [own, others] = [bytes(quoted), bytes(without)]
  const added = own.map((value, i) => (value - others[i]!) / (instruments * providers))
  const extra = {
    about: 'nobody orders',
    ...{
      bytesPerSecondWithProviders: spread(own).value,
      bytesPerSecondWithout: spread(others).value,
    },
  }
  const threshold = { atMost: journalBytesPerRowMax }
  return { name: 'quotes.journal', unit: 'bytes/row', ...spread(added), extra, threshold }
}
