import assert from 'node:assert/strict'
import { Agent, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { VenueProcess, type VenueProcessOptions } from '../../../bench/venue-process.js'
import { assertDocumented, assertOperatorDocumented } from '../../support/document-check.js'

/** Parsed answer, whose fields tests check as a client without our types would. */
// biome-ignore lint/suspicious/noExplicitAny: the wire has no types
export type Wire = any

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Parsed body; undefined if the text is not JSON. */
  readonly body: Wire
}

export interface RawOptions {
  /** Stops reading early when the text is all that the test needs. */
  readonly isWhole?: (text: string) => boolean
  /** Silence after which reading stops. */
  readonly quietMillis?: number
  /** Port other than the public one. */
  readonly port?: number
}

/** Time of the wire in UTC. */
export const isoPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const requestMillisMax = 120_000
/**
 * Settings for a venue that lives for seconds: no memory reserved for days at its start, and no periodic checks of
 * store and engine.
 */
const shortLived = ['takeMemory=false', 'history.checkHours=0', 'invariants.checkMillis=0'].map(
  (setting) => `--set=${setting}`,
)
/** Often enough to see brief states. Ten seconds at this rate stay below an address's rate limit. */
const lookMillis = 20
/** Slower checks apply from this time on: each costs both sides more than a millisecond. */
const patientAfterMillis = 2000
const patientLookMillis = 100

/** Venue process that tests use over its sockets only. */
export class Venue extends VenueProcess {
  constructor(options: VenueProcessOptions = {}) {
    super({ ...options, arguments: [...shortLived, ...(options.arguments ?? [])] })
  }

  get port(): number {
    return Number(new URL(this.url).port)
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#ask(path, { method: 'GET', headers }, undefined)
  }

  /** Sends a request; a string `body` unchanged, any other as JSON. */
  send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const sent = { method, headers: { 'Content-Type': 'application/json', ...headers } }
    return this.#ask(path, withBody(sent, body), body)
  }

  /** Sends a request, and fails the test if the answer does not match the document. */
  async #ask(path: string, sent: SentRequest, body: unknown): Promise<Answer> {
    const answer = await request(`${this.url}${path}`, sent)
    const checked = typeof body === 'string' ? parsed(body) : body
    assertDocumented({ method: sent.method, url: path, body: checked }, answer)
    return answer
  }

  operator(method: string, path: string, body?: unknown, token = this.token): Promise<Answer> {
    return this.onOperatorPort(method, `/operator${path}`, body, token)
  }

  /** Sends a request to the operator port, and fails the test if the answer does not match its document. */
  async onOperatorPort(
    method: string,
    url: string,
    body?: unknown,
    token = this.token,
  ): Promise<Answer> {
    const sent = { method, headers: { Authorization: `Bearer ${token}` } }
    const answer = await request(`${this.operatorUrl}${url}`, withBody(sent, body))
    const checked = typeof body === 'string' ? parsed(body) : body
    assertOperatorDocumented({ method, url, body: checked }, answer)
    return answer
  }

  /** Sends an operator change that must succeed. */
  async set(path: string, body: unknown): Promise<Wire> {
    const answer = await this.operator('POST', path, body)
    assert.equal(answer.status, 200, `${path}: ${answer.text}`)
    assert.equal(answer.body.ok, true)
    return answer.body
  }

  /** Returns GET /operator/state. */
  async operatorState(): Promise<Wire> {
    const { status, body } = await this.operator('GET', '/state')
    assert.equal(status, 200)
    return body
  }

  /** Returns the text of the operator's /metrics. */
  async metrics(): Promise<string> {
    return (await request(`${this.operatorUrl}/metrics`, plainGet)).text
  }

  /** Returns the body of a read that must succeed. */
  async read(path: string): Promise<Wire> {
    const answer = await this.get(path)
    assert.equal(answer.status, 200, `${path}: ${answer.text}`)
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
    return answer.body
  }

  /** Writes bytes to a new socket unchanged, and returns everything that comes back until close or silence. */
  async raw(bytes: string | Buffer, options: RawOptions = {}): Promise<string> {
    const { isWhole = () => false, quietMillis = 300, port = this.port } = options
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    const text = () => Buffer.concat(chunks).toString('utf8')
    await new Promise<void>((resolve) => {
      const quiet = setTimeout(resolve, quietMillis)
      socket.on('close', () => clearTimeout(quiet))
      socket.on('data', (chunk) => {
        chunks.push(chunk)
        quiet.refresh()
        if (isWhole(text())) resolve()
      })
      socket.on('close', () => resolve())
      socket.on('error', () => resolve())
      socket.write(bytes)
    })
    socket.destroy()
    return text()
  }
}

/** Asserts an HTTP error of the specification's table: status, code, legacy field, text. */
export function assertError(answer: Answer, status: number, code: string): void {
  assert.equal(answer.status, status, answer.text)
  assert.equal(answer.body?.code, code, answer.text)
  assert.equal(answer.body.error, code, answer.text)
  assert.equal(typeof answer.body.message, 'string', answer.text)
  assert.notEqual(answer.body.message, '')
}

/** Asserts that a row has fields, named with spaces between. */
export function assertKeys(row: Wire, keys: string): void {
  for (const key of keys.split(' ')) assert.ok(key in row, `${key} in ${JSON.stringify(row)}`)
}

/**
 * Checks repeatedly until it holds.
 * @throws AssertionError with `what` after `millisMax`
 */
export async function eventually(
  what: string,
  holds: () => boolean | Promise<boolean>,
  millisMax = 60_000,
): Promise<void> {
  const beginMillis = performance.now()
  while (!(await holds())) {
    const millis = performance.now() - beginMillis
    assert.ok(millis < millisMax, `${what}: not within ${millisMax} ms`)
    await sleep(millis < patientAfterMillis ? lookMillis : patientLookMillis)
  }
}

/** Waits for an expiry, in Unix seconds. */
export async function untilPast(expiry: number): Promise<void> {
  await sleep(Math.max(0, expiry * 1000 - Date.now()))
}

/**
 * Returns the number of connections that a venue has closed as slow consumers. A gateway that has closed none has no
 * row.
 */
export async function slowConsumerCloses(operatorUrl: string): Promise<number> {
  const { text } = await request(`${operatorUrl}/metrics`, plainGet)
  const rows = text.matchAll(/^strikebook_slow_consumer_closes_total\S* (\d+)$/gm)
  return [...rows].reduce((sum, [, count]) => sum + Number(count), 0)
}

interface SentRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

const plainGet: SentRequest = { method: 'GET', headers: {} }
/** Keeps connections for less time than the venue does. */
const agent = new Agent({ keepAlive: true, timeout: 4000 })

function withBody(sent: SentRequest, body: unknown): SentRequest {
  if (body === undefined) return sent
  return { ...sent, body: typeof body === 'string' ? body : JSON.stringify(body) }
}

/** Uses the runtime's plain client, at a fraction of the cost of `fetch`. */
function request(url: string, wanted: SentRequest): Promise<Answer> {
  const { method, headers, body } = wanted
  const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }
  const isLast = headers['Connection'] === 'close'
  const options = {
    method,
    ...(isLast ? { agent: false } : { agent }),
    headers: { Accept: '*/*', ...length, ...headers },
  }
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { ...options, timeout: requestMillisMax }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        const responseHeaders = headersOf(response.rawHeaders)
        resolve({
          status: response.statusCode!,
          headers: responseHeaders,
          text,
          body: parsed(text),
        })
      })
    })
    sent.on('timeout', () => sent.destroy(new Error(`${method} ${url}: no answer`)))
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // On a stalled machine the venue has closed the kept connection, and has not received this request.
      const isUnheard = sent.reusedSocket && error.code === 'ECONNRESET'
      if (isUnheard) resolve(request(url, wanted))
      else reject(error)
    })
    sent.end(body)
  })
}

function headersOf(raw: readonly string[]): Headers {
  const headers = new Headers()
  for (let at = 0; at < raw.length; at += 2) headers.append(raw[at]!, raw[at + 1]!)
  return headers
}

function parsed(text: string): Wire {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
