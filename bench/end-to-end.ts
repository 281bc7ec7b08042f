import { randomBytes } from 'node:crypto'
import { WebSocket } from 'ws'
import { RestClient } from '../gateway/client/rest-client.js'
import { signPlaceOrder } from '../gateway/client/signed-actions.js'
import { createSigner } from '../gateway/client/signer.js'
import type { SigningDomain } from '../schemas/typed-data.js'
import { VenueProcess } from '../scripts/venue-process.js'
import { type BenchResult, spread } from './bench-result.js'

export interface EndToEndOptions {
  /** Orders sent one after another, for the latency of an idle venue. */
  readonly latencyOrders: number
  /** Orders sent as fast as they are answered. */
  readonly throughputOrders: number
  /** Where the journal is written: a folder on the disk to be measured. */
  readonly directory?: string
}

/** A pre-signed frame and the moment it was sent. */
interface Sending {
  readonly frame: string
  sentMillis: number
}

const symbol = 'BTC-20991231-110000-C'
const expirySeconds = 4_102_387_200
const domain: SigningDomain = { name: 'Strikebook', version: '1', chainId: 31_337 }
const connections = 4
const inFlightPerConnection = 48
const warmUpShare = 0.2
// A benchmark measures the venue, not its rate limits.
const unlimited = ['ordersPerMinute', 'cancelsPerMinute', 'apiRequestsPerMinute'].map(
  (limit) => `--set=limits.market_maker.${limit}=1000000000`,
)

/**
 * Signed orders over the stream against a real process, acknowledged after their flush: the latency of one order
 * at a time, and the closed-loop rate with `connections` x `inFlightPerConnection` orders under way. Client and
 * venue share the machine; signing is done before.
 */
export async function runEndToEndBench(options: EndToEndOptions): Promise<BenchResult[]> {
  const { directory } = options
  const venue = new VenueProcess({
    arguments: unlimited,
    ...(directory === undefined ? {} : { directory }),
  })
  try {
    await venue.start()
    const wallets = await openMarket(venue)
    const latencies = await measureLatency(venue, wallets, options.latencyOrders)
    const rates = await measureRate(venue, wallets, options.throughputOrders)
    return [
      latencyRow('end-to-end.idle-ack-p50', latencies, 0.5),
      latencyRow('end-to-end.idle-ack-p99', latencies, 0.99),
      {
        name: 'end-to-end.orders',
        unit: 'orders/s',
        ...spread(rates),
        extra: `closed loop, ${connections} connections x ${inFlightPerConnection}, flushed`,
      },
    ]
  } finally {
    await venue.dispose()
  }
}

/** Two funded wallets of the market-maker tier, and an option that they may trade. */
async function openMarket({ operatorUrl, token }: VenueProcess): Promise<readonly string[]> {
  const operator = new RestClient({ url: operatorUrl, token })
  const keys = [1, 2].map(() => `0x${randomBytes(32).toString('hex')}`)
  const post = (path: string, body: object) =>
    operator.request('POST', `/operator/${path}`, { body })
  await post('index-prices', { prices: [{ underlying: 'BTC', price: '100000' }] })
  await post('instruments', { symbol, expiry: expirySeconds })
  const points = [{ strike: '100000', iv: '0.6' }]
  await post('vol-surfaces', { underlying: 'BTC', expiry: expirySeconds, points })
  for (const key of keys) {
    const wallet = createSigner(key).address
    await post('deposits', { wallet, amount: '1000000000' })
    await post('tiers', { wallet, tier: 'market_maker' })
  }
  return keys
}

/** Orders of the two wallets in turn at one price: each second one fills the one before it. */
function signOrders(keys: readonly string[], count: number, firstNonce: number): Sending[] {
  const signers = keys.map((key) => createSigner(key))
  return Array.from({ length: count }, (_, i) => {
    const signer = signers[i % 2]
    const side = i % 2 === 0 ? 'Buy' : 'Sell'
    const context = { domain, signer, wallet: signer.address }
    const terms = { symbol, side, size: '0.01', price: '50000', route: 'book_only' } as const
    const body = signPlaceOrder(context, terms, firstNonce + i)
    return { frame: JSON.stringify({ type: 'PlaceOrder', ...body }), sentMillis: 0 }
  })
}

async function measureLatency(
  venue: VenueProcess,
  keys: readonly string[],
  count: number,
): Promise<number[]> {
  const sendings = signOrders(keys, count, 1)
  const latencies: number[] = []
  await sendAll(venue, [sendings], 1, (millis) => latencies.push(millis))
  return latencies.slice(Math.floor(count * warmUpShare)).sort((a, b) => a - b)
}

async function measureRate(
  venue: VenueProcess,
  keys: readonly string[],
  count: number,
): Promise<number[]> {
  const rates: number[] = []
  for (let run = 0; run < 3; run++) {
    const sendings = signOrders(keys, count, 1_000_000 * (run + 1))
    const share = Math.ceil(count / connections)
    const parts = Array.from({ length: connections }, (_, i) =>
      sendings.slice(i * share, (i + 1) * share),
    )
    const begin = performance.now()
    await sendAll(venue, parts, inFlightPerConnection, () => {})
    rates.push((count * 1000) / (performance.now() - begin))
  }
  return rates
}

/** Sends each list over a connection of its own, keeping `inFlight` unanswered. @throws on a refusal. */
async function sendAll(
  venue: VenueProcess,
  lists: readonly Sending[][],
  inFlight: number,
  onAnswer: (latencyMillis: number) => void,
): Promise<void> {
  await Promise.all(lists.map((list) => sendList(venue, list, inFlight, onAnswer)))
}

function sendList(
  venue: VenueProcess,
  list: readonly Sending[],
  inFlight: number,
  onAnswer: (latencyMillis: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(venue.streamUrl)
    let sent = 0
    let answered = 0
    const sendNext = () => {
      if (sent === list.length) return
      list[sent].sentMillis = performance.now()
      socket.send(list[sent++].frame)
    }
    socket.on('open', () => {
      for (let i = 0; i < inFlight; i++) sendNext()
    })
    socket.on('error', reject)
    socket.on('message', (data) => {
      const text = String(data)
      if (!text.includes('"OrderResult"') || text.includes('"REJECTED"')) {
        socket.close()
        reject(new Error(`an order was refused: ${text}`))
        return
      }
      // Answers come in the order of decision, which is the order of sending on one connection.
      onAnswer(performance.now() - list[answered].sentMillis)
      answered++
      if (answered === list.length) {
        socket.close()
        resolve()
      } else {
        sendNext()
      }
    })
  })
}

function latencyRow(name: string, sorted: readonly number[], share: number): BenchResult {
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]
  return {
    name,
    unit: 'ms',
    value: Number(at(share).toPrecision(4)),
    range: `${sorted[0].toPrecision(3)} to ${sorted[sorted.length - 1].toPrecision(3)}`,
    extra: 'closed loop, one order under way, acknowledged after fdatasync',
  }
}
