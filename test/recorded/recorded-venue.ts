import { setTimeout as sleep } from 'node:timers/promises'
import { type Hex, keccak256, toBytes } from 'viem'
import { WebSocket } from 'ws'
import { typedStructs } from '../../gateway/actions/typed-structs.js'
import type { TestVenue, TestVenueOptions } from '../../gateway/testing.js'
import { readSessionText } from '../../schemas/read-session.js'
import { WalletKey } from '../e2e/support/signed-body.js'
import type { Wire } from '../e2e/support/venue.js'
import { uniformsOf } from '../engine/pricing/random.js'
import type { RecordedFrame, Recording } from './recording.js'

/** Longer than every publishing timer of a venue, except the gateway tick. */
const publishMillis = 12
/** Longer than a gateway tick. */
const tickMillis = 300
/**
 * Virtual time per write. Clients write at half seconds, the operator at whole seconds, when the venue re-marks. Channels
 * with one update per second then publish at half seconds, so no message depends on the order of marks and ticks.
 */
const stepMillis = 1000
const halfMillis = 500
/** Longer advances happen in one step, not second by second. */
const atOnceMillis = 45_000
const answerMillisMax = 20_000
const sessionMillis = 3_600_000
const healthPaths = /^\/(livez|readyz|ready|health)/
const unwell = 503

/** Optional parts of a request. */
export interface CallOptions {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly port?: 'public' | 'operator'
}

/** Venue in virtual time. Records every answer and frame, one at a time. */
export class RecordedVenue {
  readonly #venue: TestVenue
  readonly #recording: Recording
  readonly #seed: number
  readonly #connections: RecordedConnection[] = []
  readonly #begun = new Set<string>()
  readonly #keys = new Map<string, WalletKey>()
  /** Bearer token of the operator interface. */
  token: string
  /** Returns the next uniform number of the seed. */
  readonly uniform: () => number

  private constructor(venue: TestVenue, recording: Recording, seed: number) {
    this.#venue = venue
    this.#recording = recording
    this.#seed = seed
    this.token = venue.operatorToken
    this.uniform = uniformsOf(seed)
  }

  /** Starts a venue. @param build folder that contains `gateway/testing.js`. */
  static async start(
    build: string,
    recording: Recording,
    seed: number,
    options: TestVenueOptions,
  ): Promise<RecordedVenue> {
    const venue = await started(build, options)
    const read = async (url: string) => (await fetch(url)).json() as Wire
    recording.begin({
      openapi: await read(`${venue.url}/openapi.json`),
      operator: await read(`${venue.operatorUrl}/openapi.json`),
      asyncapi: await read(`${venue.url}/asyncapi.json`),
    })
    await venue.advance(halfMillis)
    return new RecordedVenue(venue, recording, seed)
  }

  now(): number {
    return this.#venue.now()
  }

  privateKey(name: string): Hex {
    return privateKeyOf(this.#seed, name)
  }

  /** Returns the wallet of a name, with its nonces. Its key is derived from seed and name. */
  key(name: string): WalletKey {
    const known = this.#keys.get(name) ?? keyOf(this.#seed, name)
    this.#keys.set(name, known)
    return known
  }

  /** Sends a request and records the answer. */
  async call(method: string, path: string, options: CallOptions = {}): Promise<Wire> {
    const { body, port = 'public', headers = {} } = options
    const url = port === 'public' ? this.#venue.url : this.#venue.operatorUrl
    const token = port === 'public' ? {} : { authorization: `Bearer ${this.token}` }
    const sent = typeof body === 'string' ? body : JSON.stringify(body)
    const step = ++this.#recording.step
    const ask = () =>
      fetch(url + path, {
        method,
        headers: {
          ...{ 'accept-encoding': 'identity', 'x-request-id': `step-${step}`, ...token },
          ...headers,
        },
        signal: AbortSignal.timeout(answerMillisMax),
        ...(sent === undefined ? {} : { body: sent }),
      })
    let answer = await ask()
    // On a busy machine a thread can miss its heartbeat for a moment.
    while (healthPaths.test(path) && answer.status === unwell) answer = await ask()
    const { status, headers: answerHeaders } = answer
    const text = await answer.text()
    const exchange = { step, port, method, path, sent: body, status, headers: answerHeaders, text }
    this.#recording.addExchange(exchange)
    return answerHeaders.get('content-type')?.startsWith('application/json')
      ? JSON.parse(text)
      : undefined
  }

  get(path: string): Promise<Wire> {
    return this.call('GET', path)
  }

  /**
   * Sends a write. Before the first write of an operation it sends the usual invalid ones, and afterwards a duplicate.
   * @param untilDone waits for later effects of the write, while virtual time is paused.
   */
  async send(
    method: string,
    path: string,
    body: unknown,
    untilDone: (answer: Wire) => Promise<void> = async () => {},
  ): Promise<Wire> {
    const isFirst = !this.#begun.has(`${method} ${path}`)
    this.#begun.add(`${method} ${path}`)
    const wrong = isFirst ? ['{', '{}', ...forgeriesOf(JSON.stringify(body))] : []
    for (const each of wrong) {
      await this.call(method, path, { body: each })
      await this.settle() // of a list, items that are sound are done
    }
    const answer = await this.call(method, path, { body })
    await untilDone(answer)
    await this.pass()
    if (isFirst) await this.call(method, path, { body })
    if (isFirst) await this.pass()
    return answer
  }

  /** Sends a write of the operator. @param path below `/operator`. */
  async set(path: string, body: unknown, method = 'POST'): Promise<Wire> {
    const key = `operator ${method} ${path}`
    const whole = path === '/user-tier' ? path : `/operator${path}`
    await this.#venue.advance(halfMillis)
    await this.settle()
    if (!this.#begun.has(key)) await this.call(method, whole, { body: {}, port: 'operator' })
    this.#begun.add(key)
    const answer = await this.call(method, whole, { body, port: 'operator' })
    await this.settle()
    await this.#venue.advance(halfMillis)
    await this.settle()
    return answer
  }

  /** Polls a read, without recording it, until its answer matches. */
  async until(path: string, isDone: (body: Wire) => boolean): Promise<void> {
    const endMillis = performance.now() + answerMillisMax
    while (!isDone(await (await fetch(this.#venue.url + path)).json())) {
      if (performance.now() > endMillis) throw new Error(`${path} does not become as wanted`)
      await sleep(publishMillis)
    }
  }

  /** Opens a read session that the wallet signs itself. */
  async readSession({ wallet, account }: WalletKey): Promise<string> {
    const expiresMillis = this.now() + sessionMillis
    const signature = await account.signTypedData({
      domain: {
        ...{ name: 'Strikebook', version: '1', chainId: 31_337 },
        verifyingContract: '0x0000000000000000000000000000000000000000',
      },
      types: { ReadSession: [...typedStructs.ReadSession.fields] },
      primaryType: 'ReadSession',
      message: { wallet, expiresAt: BigInt(expiresMillis) },
    })
    return readSessionText({ wallet, expiresMillis, signature })
  }

  /**
   * Advances by whole seconds, and waits until every message is received. During an advance of more than
   * `atOnceMillis` the published messages differ between runs.
   */
  async pass(millis = stepMillis): Promise<void> {
    await this.settle()
    const stride = millis > atOnceMillis ? millis : stepMillis
    for (let passed = 0; passed < millis; passed += stride) {
      this.#recording.step++
      await this.#venue.advance(stride - halfMillis)
      await this.#venue.advance(halfMillis)
      await this.settle(passed + stride < millis ? 0 : publishMillis)
    }
  }

  /** Waits until every message so far is received. */
  async settle(millis = publishMillis): Promise<void> {
    await this.#venue.advance(0)
    // The read model publishes between its answers to the first and the second read.
    for (let read = 0; read < 2; read++) await (await fetch(`${this.#venue.url}/markets`)).text()
    if (millis > 0) await sleep(millis)
    await Promise.all(this.#connections.map((each) => each.pong()))
  }

  /** Waits for work that a gateway does by its own clock. */
  async tick(): Promise<void> {
    await this.settle(tickMillis)
  }

  async connect(name: string, path = '/ws'): Promise<RecordedConnection> {
    const url = `${this.#venue.url.replace('http', 'ws')}${path}`
    const made = await RecordedConnection.open(url, this.#recording, this.#begun)
    this.#recording.addConnection(`${this.#connections.length} ${name}`, made.frames)
    this.#connections.push(made)
    return made
  }

  async stop(): Promise<void> {
    for (const each of this.#connections) each.close()
    await this.#venue.stop()
  }
}

/** Starts a venue. Drops configuration keys that an older build does not know. */
async function started(build: string, options: TestVenueOptions): Promise<TestVenue> {
  const { startVenue } = await import(`${build}/gateway/testing.js`)
  try {
    return await startVenue(options)
  } catch (error) {
    const key = /^([\w.]+): unknown key/m.exec((error as Error).message)?.[1]
    const { config = {} } = options
    if (key === undefined || !(key in config)) throw error
    const { [key]: _, ...known } = config
    return started(build, { ...options, config: known })
  }
}

/** Returns a wallet whose key is derived from seed and name. */
export function keyOf(seed: number, name: string): WalletKey {
  return new WalletKey(privateKeyOf(seed, name))
}

function privateKeyOf(seed: number, name: string): Hex {
  return keccak256(toBytes(`${seed} ${name}`))
}

/** Connection that records each frame with the number of exchanges before it. */
export class RecordedConnection {
  readonly frames: RecordedFrame[] = []
  readonly #socket: WebSocket
  readonly #recording: Recording
  readonly #begun: Set<string>
  #looked = 0
  #look: () => void = () => {}
  #onPong: () => void = () => {}

  private constructor(socket: WebSocket, recording: Recording, begun: Set<string>) {
    this.#socket = socket
    this.#recording = recording
    this.#begun = begun
    socket.on('message', (data) => {
      const frame = JSON.parse(data.toString())
      recording.addMessage(frame.type)
      this.#add('received', frame)
    })
    socket.on('pong', () => this.#onPong())
    socket.on('close', (code, reason) => {
      this.#add('closed', [code, reason.toString()])
      this.#onPong()
    })
    socket.on('error', () => {})
  }

  static async open(
    url: string,
    recording: Recording,
    begun: Set<string>,
  ): Promise<RecordedConnection> {
    const socket = new WebSocket(url, { perMessageDeflate: false })
    const made = new RecordedConnection(socket, recording, begun)
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    return made
  }

  #add(way: RecordedFrame['way'], frame: Wire): void {
    this.frames.push({ step: this.#recording.step, way, frame })
    this.#look()
  }

  send(frame: Wire): void {
    this.#recording.addMessage(frame.type)
    if (frame.type === 'Subscribe') this.#recording.addMessage(`Subscribe ${frame.channel}`)
    this.#add('sent', frame)
    this.#socket.send(JSON.stringify(frame))
  }

  /** Sends a frame. The first frame of a type follows an invalid one. @returns the next message of the types, or an error. */
  async ask(frame: Wire, ...types: readonly string[]): Promise<Wire> {
    const isFirst = !this.#begun.has(frame.type)
    this.#begun.add(frame.type)
    const wrong = isFirst ? [{ type: frame.type }, ...forgeriesOf(JSON.stringify(frame))] : []
    for (const each of [...wrong.map(parsed), frame]) {
      this.#looked = this.frames.length
      const answer = this.next(...types, 'Error', 'error')
      this.send(each)
      if (each === frame) return answer
      await answer
    }
  }

  subscribe(channel: string, filters: object = {}): Promise<Wire> {
    return this.ask({ type: 'Subscribe', channel, ...filters }, 'Subscribed')
  }

  /** Returns the next unread message of one of the types. */
  next(...types: readonly string[]): Promise<Wire> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Error(`no message of ${types}: ${JSON.stringify(this.frames.slice(-4))}`))
      }, answerMillisMax)
      this.#look = () => {
        while (this.#looked < this.frames.length) {
          const { way, frame } = this.frames[this.#looked++]!
          if (way === 'sent' || !types.includes(frame.type)) continue
          clearTimeout(timer)
          this.#look = () => {}
          resolve(frame)
          return
        }
      }
      this.#look()
    })
  }

  /** Waits until everything that the venue sent before is received. */
  async pong(): Promise<void> {
    if (this.#socket.readyState !== WebSocket.OPEN) return
    const answered = new Promise<void>((resolve) => {
      this.#onPong = resolve
    })
    this.#socket.ping()
    await answered
  }

  close(): void {
    this.#socket.removeAllListeners('close')
    this.#socket.close()
  }
}

/** Returns the text with another signature, or undefined if it has none. */
function forgeriesOf(text: string): readonly string[] {
  const forged = text.replace(/("signature":"0x)(.)/, (_, head, digit) => {
    return `${head}${digit === '1' ? '2' : '1'}`
  })
  return forged === text ? [] : [forged]
}

function parsed(each: unknown): unknown {
  return typeof each === 'string' ? JSON.parse(each) : each
}
