import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

/** A parsed answer: judged field by field, as a client without our types would. */
// biome-ignore lint/suspicious/noExplicitAny: the wire has no types
export type Wire = any

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed body; undefined when the text is no JSON. */
  readonly body: Wire
}

export interface VenueOptions {
  readonly feed?: 'none' | 'simulated'
  readonly maker?: 'on' | 'off'
  readonly extraArguments?: readonly string[]
  /** Operator token of presets that make none of their own. */
  readonly token?: string
}

const mainPath = join(import.meta.dirname, '../../../gateway/main.js')
const startMillisMax = 30_000

/** One venue process of its own, spoken to over its sockets only. */
export class JudgeVenue {
  readonly #options: VenueOptions
  readonly dataDir: string
  #process: ChildProcess | null = null
  #exit: Promise<number | null> = Promise.resolve(null)
  publicUrl = ''
  operatorUrl = ''
  token = ''

  constructor(options: VenueOptions = {}) {
    this.#options = options
    this.dataDir = mkdtempSync(join(tmpdir(), 'strikebook-e2e-'))
  }

  get port(): number {
    return Number(new URL(this.publicUrl).port)
  }

  /** Starts the process, on the data of an earlier run if there was one; resolves at `ready`. */
  async start(): Promise<void> {
    const { feed = 'none', maker = 'off', extraArguments = [], token } = this.#options
    const args = ['--port', '0', '--operator-port', '0', '--data-dir', this.dataDir]
    args.push('--feed', feed, '--maker', maker, ...extraArguments)
    if (token !== undefined) args.push('--operator-token', token)
    const log = openSync(join(this.dataDir, 'venue.log'), 'a')
    const child = spawn(process.execPath, [mainPath, ...args], { stdio: ['ignore', 'pipe', log] })
    closeSync(log)
    this.#process = child
    this.#exit = once(child, 'exit').then(([code]) => code as number | null)
    const [publicUrl, operatorUrl] = await readyLine(child)
    this.publicUrl = publicUrl
    this.operatorUrl = operatorUrl
    this.token = token ?? readFileSync(join(this.dataDir, 'operator.token'), 'utf8').trim()
  }

  /** Sends a signal and waits for the end. @returns the exit code, null after a fatal signal */
  async end(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> {
    this.#process?.kill(signal)
    return this.#exit
  }

  /** Ends the process and removes its data; one that had ended by itself leaves its last words. */
  async dispose(): Promise<void> {
    const isRunning = this.#process?.exitCode === null && this.#process.signalCode === null
    if (isRunning) await this.end('SIGKILL')
    else process.stderr.write(readFileSync(join(this.dataDir, 'venue.log'), 'utf8').slice(-2000))
    rmSync(this.dataDir, { recursive: true, force: true })
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return request(`${this.publicUrl}${path}`, { headers })
  }

  /** `body` is sent as it is when it is a string, as JSON otherwise. */
  send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    const init: RequestInit = {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
    }
    if (text !== undefined) init.body = text
    return request(`${this.publicUrl}${path}`, init)
  }

  operator(method: string, path: string, body?: unknown, token = this.token): Promise<Answer> {
    const init: RequestInit = { method, headers: { Authorization: `Bearer ${token}` } }
    if (body !== undefined) init.body = typeof body === 'string' ? body : JSON.stringify(body)
    return request(`${this.operatorUrl}/operator${path}`, init)
  }

  /** An operator change that must be accepted. */
  async set(path: string, body: unknown): Promise<Wire> {
    const answer = await this.operator('POST', path, body)
    assert.equal(answer.status, 200, `${path}: ${answer.text}`)
    assert.equal(answer.body.ok, true)
    return answer.body
  }

  /** Bytes written to a new socket as they are; everything that came back until close or silence. */
  async raw(bytes: string | Buffer, quietMillis = 300): Promise<string> {
    const socket = connect(this.port, '127.0.0.1')
    const chunks: Buffer[] = []
    let lastMillis = performance.now()
    let isClosed = false
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      lastMillis = performance.now()
    })
    socket.on('close', () => (isClosed = true))
    socket.on('error', () => (isClosed = true))
    socket.write(bytes)
    while (!isClosed && performance.now() - lastMillis < quietMillis) await sleep(10)
    socket.destroy()
    return Buffer.concat(chunks).toString('utf8')
  }
}

/** Asserts an HTTP error of the table in rest-and-signing.md 12.1: status, code, legacy field, text. */
export function assertError(answer: Answer, status: number, code: string): void {
  assert.equal(answer.status, status, answer.text)
  assert.equal(answer.body?.code, code, answer.text)
  assert.equal(answer.body.error, code, answer.text)
  assert.equal(typeof answer.body.message, 'string', answer.text)
  assert.notEqual(answer.body.message, '')
}

async function request(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(10_000) })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: parsed(text) }
}

function parsed(text: string): Wire {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function readyLine(child: ChildProcess): Promise<[string, string]> {
  const timer = setTimeout(() => child.kill('SIGKILL'), startMillisMax)
  try {
    for await (const line of createInterface({ input: child.stdout! })) {
      const match = /^ready (\S+) (\S+)$/.exec(line)
      if (match === null) continue
      child.stdout!.resume()
      return [match[1]!, match[2]!]
    }
    throw new Error('the venue ended before it was ready')
  } finally {
    clearTimeout(timer)
  }
}
