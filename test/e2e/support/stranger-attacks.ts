import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Attack, AttackSummary } from './attack-process.js'
import { frameOf } from './raw-frames.js'
import { connectBody, placeBody, WalletKey } from './signed-body.js'
import type { Venue } from './venue.js'

/**
 * Attack with the accounts that its greetings need: on each connection the handshake of an account or of a registered
 * provider, or orders of one trader.
 */
export interface AttackRow extends Omit<Attack, 'host' | 'port' | 'greetings'> {
  readonly needs?: 'account' | 'provider' | 'trader'
}

const unknownWallet = `0x${'12'.repeat(20)}`
const handshakesMade = 64
const ordersMade = 256

const burst = { path: '/ws', connections: 8, isBurst: true, reads: true, pauseMillis: 500 }
const plain = { ...burst, path: '' }
const providers = { ...burst, path: '/ws/quotes', pauseMillis: 2000 }
const steady = { ...burst, connections: 4, isBurst: false }

const unitOf = (...parts: readonly (Buffer | string)[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part))).toString('base64')
const frames = (...values: readonly object[]) =>
  unitOf(...values.map((value) => frameOf(JSON.stringify(value))))
const requestOf = (method: string, path: string, body = '', header = '') => {
  const length = body === '' ? '' : `Content-Length: ${body.length}\r\n`
  return unitOf(`${method} ${path} HTTP/1.1\r\nHost: x\r\n${header}${length}\r\n${body}`)
}
const compressedRequestOf = (path: string, codings: string) =>
  requestOf('GET', path, '', `Accept-Encoding: ${codings}\r\n`)

/** Attacks measured first: each of them once made orders wait for seconds. */
export function tableAttacks(symbol: string): Readonly<Record<string, AttackRow>> {
  const book = { channel: 'orderbook', symbols: [symbol] }
  const subscriptions = frames({ type: 'Subscribe', ...book }, { type: 'Unsubscribe', ...book })
  const brace = unitOf(frameOf('{'))
  const empty = unitOf(frameOf(''))
  return {
    'frames of one brace, 830 kB a second': { ...steady, unit: brace, bytes: 830_000 },
    'frames of one brace, 3.7 MB a second': { ...steady, unit: brace, bytes: 3_700_000 },
    'one burst of braces': { ...burst, unit: brace, bytes: 275_000, pauseMillis: 2000 },
    'pipelined reads of the venue': {
      ...{ ...plain, unit: requestOf('GET', '/exchange-info'), bytes: 240_000 },
    },
    'pipelined writes of one brace': {
      ...{ ...plain, unit: requestOf('POST', '/order', '{'), bytes: 525_000 },
    },
    'subscriptions that begin and end': { ...burst, unit: subscriptions, bytes: 131_072 },
    'a handshake and 85,000 empty frames': {
      ...{ ...providers, unit: empty, bytes: 85_000 * 6, needs: 'account' },
    },
    'empty frames of a registered provider': {
      ...{ ...providers, connections: 1, unit: empty, bytes: 12_000_000, needs: 'provider' },
    },
  }
}

/** Further attacks of the same kinds. */
export function furtherAttacks(symbol: string): Readonly<Record<string, AttackRow>> {
  const clock = frames({ type: 'ClockSync', nonce: 'x' })
  const order = {
    type: 'PlaceOrder',
    wallet: unknownWallet,
    symbol,
    side: 'Buy',
    size: '1',
    price: '1',
  }
  const rubbish = { ...order, tif: 'gtc', route: 'book_only', nonce: 5 }
  const trades = { channel: 'trades' }
  const resume = { type: 'Subscribe', ...trades, from_seq: 1 }
  const fragments = [frameOf('{', 1, false), frameOf('', 0, false), frameOf('}', 0)]
  const spaces = Array.from({ length: 60_000 }, () => frameOf(' ', 0, false))
  const slow = `POST /order HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000\r\n\r\n${' '.repeat(500)}`
  return {
    'clock requests': { ...burst, unit: clock, bytes: 131_072 },
    'clock requests whose answers are not read': {
      ...{ ...burst, unit: clock, bytes: 131_072, reads: false },
    },
    'requests for rate limits': {
      ...{
        ...burst,
        unit: frames({ type: 'GetRateLimits', wallet: unknownWallet }),
        bytes: 131_072,
      },
    },
    'changes of identity': {
      ...{
        ...burst,
        unit: frames({ type: 'Authenticate', wallet: unknownWallet }),
        bytes: 131_072,
      },
    },
    pings: { ...burst, unit: unitOf(frameOf('', 9)), bytes: 500_000 },
    'pings whose pongs are not read': {
      ...{ ...burst, unit: unitOf(frameOf('x'.repeat(125), 9)), bytes: 1_000_000, reads: false },
    },
    pongs: { ...burst, unit: unitOf(frameOf('', 10)), bytes: 500_000 },
    'frames in fragments': { ...burst, unit: unitOf(...fragments), bytes: 500_000 },
    'one frame in tiny fragments': {
      ...{ ...burst, unit: unitOf(frameOf('{', 1, false), ...spaces), bytes: 500_000 },
    },
    'orders with rubbish signatures': {
      ...{ ...burst, bytes: 262_144 },
      unit: frames({ ...rubbish, signature: `0x${'11'.repeat(65)}` }),
    },
    'connections that end immediately': {
      ...{ ...burst, connections: 32, unit: unitOf(frameOf('', 8)), bytes: 6, pauseMillis: 0 },
    },
    'subscriptions from an early sequence': {
      ...{ ...burst, unit: frames(resume, { type: 'Unsubscribe', ...trades }), bytes: 131_072 },
    },
    'bodies that do not end': {
      ...{ ...steady, path: '', connections: 64, unit: unitOf(slow), bytes: 4_000_000 },
    },
    'pipelined OPTIONS': { ...plain, unit: requestOf('OPTIONS', '/order'), bytes: 240_000 },
    'pipelined HEAD': {
      ...{ ...plain, unit: requestOf('HEAD', `/orders?wallet=${unknownWallet}`), bytes: 240_000 },
    },
  }
}

/** Attacks with bodies in small parts, and with bytes after the end of a connection. */
export function restAttacks(): Readonly<Record<string, AttackRow>> {
  const head = 'POST /order HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n'
  const rest = 'x'.repeat(500_000)
  return {
    'bodies in chunks of one byte': {
      ...{ ...plain, unit: unitOf(head, '1\r\nx\r\n'.repeat(40_000)), bytes: 240_000 },
    },
    'pipelined writes in chunks': {
      ...{ ...plain, unit: unitOf(head, '1\r\n{\r\n0\r\n\r\n'), bytes: 240_000 },
    },
    'bytes after a malformed request': {
      ...{ ...plain, unit: unitOf('NONSENSE\r\n\r\n', rest), bytes: 500_000 },
    },
    'bytes after a close frame': {
      ...{ ...burst, unit: unitOf(frameOf('', 8), rest), bytes: 500_000 },
    },
  }
}

/** Attacks on many connections. */
export function crowdAttacks(): Readonly<Record<string, AttackRow>> {
  const trades = { channel: 'trades' }
  const resume = { type: 'Subscribe', ...trades, from_seq: 1 }
  return {
    'braces on many connections': {
      ...burst,
      connections: 128,
      unit: unitOf(frameOf('{')),
      bytes: 7000,
    },
    'pipelined writes on many connections': {
      ...{ ...plain, connections: 128, unit: requestOf('POST', '/order', '{'), bytes: 16_000 },
    },
    'subscriptions on many connections of one trader': {
      ...{ ...burst, connections: 200, needs: 'trader' },
      ...{
        unit: frames(resume, { type: 'Unsubscribe', ...trades }),
        bytes: 13_000,
        pauseMillis: 70,
      },
    },
    'reads on many connections': {
      ...{ ...plain, connections: 64, unit: requestOf('GET', '/options-summary?currency=BTC') },
      ...{ bytes: 10, pauseMillis: 10 },
    },
  }
}

/** Requests for compressed answers. */
export const compressionAttacks: Readonly<Record<string, AttackRow>> = {
  'compressed reads on many connections': {
    ...{ ...plain, connections: 64, unit: compressedRequestOf('/exchange-info', 'gzip') },
    ...{ bytes: 10, pauseMillis: 10 },
  },
  'compressed documents on many connections': {
    ...{ ...plain, connections: 64, unit: compressedRequestOf('/openapi.json', 'br') },
    ...{ bytes: 10, pauseMillis: 10 },
  },
  'long lists of codings': {
    ...{ ...plain, unit: compressedRequestOf('/exchange-info', 'a,'.repeat(7000)) },
    ...{ bytes: 240_000 },
  },
}

/**
 * Starts an attack by a separate process.
 * @returns a function that ends it
 */
export async function beginAttack(
  venue: Venue,
  { needs, ...row }: AttackRow,
  symbol: string,
): Promise<() => Promise<AttackSummary>> {
  const greetings: string[] = []
  if (needs === 'trader') greetings.push(...(await ordersOf(venue, symbol)))
  else if (needs !== undefined) greetings.push(...(await handshakesOf(venue, needs)))
  const child = fork(new URL('./attack-process.js', import.meta.url))
  const attack: Attack = { ...row, greetings, host: '127.0.0.1', port: venue.port }
  child.send(attack)
  return async () => {
    child.send('end')
    const [summary] = await once(child, 'message')
    return summary
  }
}

async function handshakesOf(venue: Venue, kind: 'account' | 'provider'): Promise<string[]> {
  const handshakes: string[] = []
  for (let i = 0; i < handshakesMade; i++) {
    const { wallet, key } = await accountOf(venue)
    if (kind === 'provider') await venue.set('/quote-providers', { wallet, status: 'active' })
    handshakes.push(JSON.stringify(await connectBody(key)))
  }
  return handshakes
}

/** Returns signed orders of one wallet that match nothing. */
async function ordersOf(venue: Venue, symbol: string): Promise<string[]> {
  const { key } = await accountOf(venue)
  const terms = { symbol, price: '1', size: '0.01', tif: 'ioc' }
  const orders: string[] = []
  for (let i = 0; i < ordersMade; i++) {
    orders.push(JSON.stringify({ type: 'PlaceOrder', ...(await placeBody(key, terms)) }))
  }
  return orders
}

async function accountOf(venue: Venue): Promise<{ wallet: string; key: WalletKey }> {
  const key = new WalletKey()
  await venue.set('/deposits', { wallet: key.wallet, amount: '10' })
  return { wallet: key.wallet, key }
}
