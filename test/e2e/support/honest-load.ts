import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Body, placeBody, WalletKey } from './signed-body.js'
import { StreamPeer } from './stream-peer.js'
import type { Venue } from './venue.js'

/** Results of the orders of a run. */
export interface LoadResult {
  /** Latencies of accepted orders in milliseconds, ascending. */
  readonly millis: readonly number[]
  /** Answers to all other orders. */
  readonly others: readonly string[]
}

/** Returns the latency below which this share of the orders was answered. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

const statusPattern = /"(?:status|code)":"(\w+)"/
/** Status of an accepted immediate order that matches nothing. */
const acceptedStatus = 'CANCELED'
// Each wallet stays well below its tier's 600 orders a minute.
const walletsPerKind = 8
const answerMillisMax = 30_000

/** Clients that trade at a modest rate, independently of other clients. */
export class HonestLoad {
  readonly #venue: Venue
  readonly #symbol: string
  readonly #keys: WalletKey[] = []
  readonly #peers: StreamPeer[] = []
  readonly #agent = new Agent({ keepAlive: true })
  readonly #waiting = new Map<string, (status: string) => void>()

  constructor(venue: Venue, symbol: string) {
    this.#venue = venue
    this.#symbol = symbol
  }

  async open(): Promise<void> {
    for (let i = 0; i < 2 * walletsPerKind; i++) {
      const key = new WalletKey()
      await this.#venue.set('/deposits', { wallet: key.wallet, amount: '10000000' })
      await this.#venue.set('/tiers', { wallet: key.wallet, tier: 'market_maker' })
      this.#keys.push(key)
    }
    for (let i = 0; i < walletsPerKind; i++) {
      const peer = await StreamPeer.open(this.#venue)
      peer.socket.on('message', (data) => {
        const text = String(data)
        const nonce = /"nonce":(\d+)/.exec(text)?.[1]
        const wallet = this.#keys[i]!.wallet
        const status = statusPattern.exec(text)?.[1] ?? text
        this.#waiting.get(`${wallet}:${nonce}`)?.(status)
      })
      this.#peers.push(peer)
    }
  }

  /** Sends `perSecond` orders a second, half over streams and half over HTTP. */
  async run(perSecond: number, seconds: number): Promise<LoadResult> {
    const count = Math.round(perSecond * seconds)
    const bodies: Body[] = []
    for (let i = 0; i < count; i++) {
      const by = this.#keys[i % this.#keys.length]!
      const terms = { symbol: this.#symbol, price: '1', size: '0.01', tif: 'ioc' }
      bodies.push(await placeBody(by, terms))
    }
    const millis: number[] = []
    const others: string[] = []
    const begun = performance.now()
    const send = async (index: number) => {
      await sleep(Math.max(0, begun + (index * 1000) / perSecond - performance.now()))
      const key = index % this.#keys.length
      const sent = performance.now()
      const body = bodies[index]!
      const status = await (key < walletsPerKind ? this.#stream(key, body) : this.#http(body))
      if (status === acceptedStatus) millis.push(performance.now() - sent)
      else others.push(status)
    }
    await Promise.all(bodies.map((_, index) => send(index)))
    return { millis: millis.sort((a, b) => a - b), others }
  }

  close(): void {
    for (const peer of this.#peers) peer.close()
    this.#agent.destroy()
  }

  #stream(index: number, body: Body): Promise<string> {
    const key = `${body['wallet']}:${body['nonce']}`
    return new Promise((resolve) => {
      const end = (status: string) => {
        clearTimeout(timer)
        this.#waiting.delete(key)
        resolve(status)
      }
      const timer = setTimeout(end, answerMillisMax, 'timeout')
      this.#waiting.set(key, end)
      this.#peers[index]!.send({ type: 'PlaceOrder', ...body })
    })
  }

  #http(body: Body): Promise<string> {
    const text = JSON.stringify(body)
    return new Promise((resolve) => {
      const sent = request(
        `${this.#venue.url}/order`,
        {
          method: 'POST',
          agent: this.#agent,
          timeout: answerMillisMax,
          headers: {
            'Content-Type': 'application/json',
            'Content-Length': Buffer.byteLength(text),
          },
        },
        (response) => {
          let answer = ''
          response.on('data', (chunk) => {
            answer += chunk
          })
          response.on('end', () => resolve(statusPattern.exec(answer)?.[1] ?? answer))
          response.on('error', ({ message }) => resolve(message))
        },
      )
      sent.on('timeout', () => sent.destroy(new Error('timeout')))
      sent.on('error', ({ message }) => resolve(message))
      sent.end(text)
    })
  }
}
