import { runClosedLoop } from './closed-loop.js'
import { planSends } from './load/send-plan.js'
import { MarketOperator, unlimited } from './market-operator.js'
import { type BenchResult, type Extra, ratioOf, spread } from './measure/bench-result.js'
import { checkOrderResult, isOrderResult, OrderFrames } from './order-frames.js'
import { type Latency, loopConnections, runOrderLoop } from './order-loop.js'
import { type QuietRepeats, repeatQuietly } from './quiet-repeats.js'
import { ThreadLoad } from './thread-load.js'
import { type VenueProcess, withVenue } from './venue-process.js'

/** Venue of a pair: this build with its own flags. */
export interface PairSide {
  readonly name: string
  readonly flags: readonly string[]
}

export interface VenuePairOptions {
  /** Prefix of the row names. */
  readonly name: string
  /** Side that the subject is compared with. */
  readonly reference: PairSide
  readonly subject: PairSide
  /** Rate of the open loop, well below the venues' capacity. */
  readonly ordersPerSecond: number
  readonly seconds: number
  /** Orders of the closed loop. */
  readonly orders: number
  /** Number of pairs, with one phase of each side. */
  readonly repeats: number
  /** Folder of the journals, on the disk to measure. */
  readonly directory?: string
}

/** Figures of a phase. */
interface Phase {
  readonly latency: Latency
  readonly ordersPerSecond: number
  /** Processor time of all threads of the venue, per order of the closed loop. */
  readonly microsPerOrder: number
}

const connections = 4
// With either library, a gateway reads the orders of all connections in one turn.
const inFlight = 8
const microsPerSecond = 1e6
const rate = 'orders/s'
const warmUpRounds = 2

/**
 * Compares two venues of one build that differ in a setting: acknowledgements at a fixed rate, and a closed loop of
 * orders. Both run all the time, and one is idle while the other is measured. The order alternates, so that a slow minute
 * affects both.
 */
export async function runVenuePairBench(options: VenuePairOptions): Promise<BenchResult[]> {
  const { directory, reference, repeats, subject } = options
  const venueOf = ({ flags }: PairSide) => ({ arguments: [...unlimited, ...flags], directory })
  return withVenue(venueOf(reference), (one) =>
    withVenue(venueOf(subject), async (other) => {
      const ofReference = await phasesOf(one, options)
      const ofSubject = await phasesOf(other, options)
      const measure = async (repeat: number): Promise<Pair> => {
        if (repeat % 2 === 0) {
          return { reference: await ofReference(repeat), subject: await ofSubject(repeat) }
        }
        return { subject: await ofSubject(repeat), reference: await ofReference(repeat) }
      }
      for (let round = 0; round < warmUpRounds; round++) await measure(repeats + round)
      return rowsOf(await repeatQuietly(repeats, measure), options)
    }),
  )
}

/** Lists a market. @returns a function that measures one phase. */
async function phasesOf(venue: VenueProcess, options: VenuePairOptions) {
  const { ordersPerSecond: ratePerSecond, seconds, orders } = options
  const { streamUrl: url } = venue
  const frames = await OrderFrames.open(venue)
  const load = new ThreadLoad(venue.pid, (await new MarketOperator(venue).state()).threads)
  return async (seed: number): Promise<Phase> => {
    const count = Math.ceil(ratePerSecond * seconds)
    const plannedMillis = planSends({ ratePerSecond, count, seed: seed + 1 })
    const open = { url, frames: frames.sign(count), plannedMillis, isTaken: isOrderResult }
    const [latency] = await runOrderLoop(open)
    const closed = { url, connections, inFlight, frames: frames.sign(orders) }
    load.begin()
    const ordersPerSecond = await runClosedLoop({ ...closed, check: checkOrderResult })
    const cores = [...load.cores().values()].reduce((sum, busy) => sum + busy, 0)
    const microsPerOrder = (cores * microsPerSecond) / ordersPerSecond
    return { latency: latency!, ordersPerSecond, microsPerOrder }
  }
}

type Pair = { readonly reference: Phase; readonly subject: Phase }

function rowsOf({ figures, quiet }: QuietRepeats<Pair>, options: VenuePairOptions): BenchResult[] {
  const { name, reference, subject, ordersPerSecond } = options
  const open = { loop: 'open', ordersPerSecond, connections: loopConnections, ...quiet }
  const closed = { loop: 'closed', connections, inFlight }
  const row = (what: string, unit: string, figureOf: (phase: Phase) => number, extra: Extra) => {
    const values = (side: keyof Pair) => figures.map((pair) => figureOf(pair[side]))
    const [ofSubject, ofReference] = [values('subject'), values('reference')]
    const about = (one: PairSide, other: PairSide) => ({
      name: `${name}.${what} ${one.name} over ${other.name}`,
      extra: { about: 'pairs of one run by turns' },
    })
    return [
      { name: `${name}.${what} ${reference.name}`, unit, ...spread(ofReference), extra },
      { name: `${name}.${what} ${subject.name}`, unit, ...spread(ofSubject), extra },
      // Inverted for rates, so that a ratio above 1 always means that the subject is worse.
      unit === rate
        ? ratioOf(about(reference, subject), ofReference, ofSubject)
        : ratioOf(about(subject, reference), ofSubject, ofReference),
    ]
  }
  return [
    ...row('ack-p50', 'ms', ({ latency }) => latency.p50, open),
    ...row('ack-p99', 'ms', ({ latency }) => latency.p99, open),
    ...row('sent-late-p99', 'ms', ({ latency }) => latency.lateP99, open).slice(0, 2),
    ...row('orders', rate, (phase) => phase.ordersPerSecond, closed),
    ...row('processor', 'µs/order', (phase) => phase.microsPerOrder, closed),
  ]
}
