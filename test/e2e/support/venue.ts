import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'

/** A JSON answer; `body` is whatever the venue says. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any
}

export interface VenueOptions {
  /** Kept over restarts when given; else a new temporary folder that `stop` removes. */
  readonly dataDir?: string
  readonly arguments?: readonly string[]
}

const mainFile = join(import.meta.dirname, '..', '..', '..', 'gateway', 'main.js')
const token = 'e2e-operator-token'
const startMillisMax = 20_000
const requestMillisMax = 10_000
const frameMillisMax = 5_000

/** The real process, spoken to over its sockets only: without feed and maker, on free ports. */
export class VenueProcess {
  readonly url: string
  readonly operatorUrl: string
  readonly dataDir: string
  readonly child: ChildProcess
  readonly #isTemporary: boolean
  readonly #exited: Promise<unknown>

  constructor(child: ChildProcess, urls: readonly string[], dataDir: string, temporary: boolean) {
    this.child = child
    this.url = urls[0]!
    this.operatorUrl = urls[1]!
    this.dataDir = dataDir
    this.#isTemporary = temporary
    this.#exited = once(child, 'exit')
  }

  request(method: string, path: string, body?: unknown): Promise<Answer> {
    return send(method, this.url + path, body, {})
  }

  /** A path under `/operator/`. */
  operator(method: string, path: string, body?: unknown): Promise<Answer> {
    const authorization = `Bearer ${token}`
    return send(method, `${this.operatorUrl}/operator/${path}`, body, { authorization })
  }

  /** @returns the exit code, or null after SIGKILL. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      this.child.kill(signal)
      await this.#exited
    }
    if (this.#isTemporary) rmSync(this.dataDir, { recursive: true, force: true })
    return this.child.exitCode
  }
}

/** Starts the process and waits for its ready line. @throws Error with its log when it ends before. */
export async function startVenueProcess(options: VenueOptions = {}): Promise<VenueProcess> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'strikebook-e2e-'))
  const flags = ['--port=0', '--operator-port=0', '--feed=none', '--maker=off', '--gateways=1']
  const child = spawn(
    process.execPath,
    [mainFile, ...flags, `--data-dir=${dataDir}`, ...(options.arguments ?? [])],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, STRIKEBOOK_OPERATOR_TOKEN: token },
    },
  )
  const urls = await readyUrls(child)
  return new VenueProcess(child, urls, dataDir, options.dataDir === undefined)
}

/** One connection to `/ws` that keeps every message. */
export class StreamProbe {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape
  readonly messages: any[] = []
  readonly #socket: WebSocket

  constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (data) => this.messages.push(JSON.parse(data.toString())))
  }

  send(frame: object): void {
    this.#socket.send(JSON.stringify(frame))
  }

  /** The first message, from now or before, that matches; it is taken off `messages`. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape
  async next(type: string, isWanted: (message: any) => boolean = () => true): Promise<any> {
    const deadline = Date.now() + frameMillisMax
    for (;;) {
      const index = this.messages.findIndex((seen) => seen.type === type && isWanted(seen))
      if (index >= 0) return this.messages.splice(index, 1)[0]
      if (Date.now() > deadline) {
        throw new Error(`no ${type} came; seen: ${JSON.stringify(this.messages)}`)
      }
      await sleep(2)
    }
  }

  close(): void {
    this.#socket.terminate()
  }
}

export async function openStream(venue: VenueProcess): Promise<StreamProbe> {
  const socket = new WebSocket(`${venue.url.replace('http', 'ws')}/ws`)
  const probe = new StreamProbe(socket)
  await once(socket, 'open')
  return probe
}

async function send(
  method: string,
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  const answer = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    signal: AbortSignal.timeout(requestMillisMax),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, body: text && JSON.parse(text) }
}

function readyUrls(child: ChildProcess): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    let output = ''
    let log = ''
    const fail = (reason: string) => reject(new Error(`venue: ${reason}\n${log.slice(-4000)}`))
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      fail('not ready in time')
    }, startMillisMax)
    child.stderr!.on('data', (data: Buffer) => {
      log = (log + data).slice(-65_536)
    })
    child.stdout!.on('data', (data: Buffer) => {
      output += data
      const match = /^ready (\S+) (\S+)\n/.exec(output)
      if (match === null) return
      clearTimeout(timer)
      resolve([match[1]!, match[2]!])
    })
    child.once('exit', (code) => {
      clearTimeout(timer)
      fail(`ended with code ${code} before it was ready`)
    })
  })
}
