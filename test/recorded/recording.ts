import type { Wire } from '../e2e/support/venue.js'
import { bareDocument } from './bare-document.js'

// Recording of a session as JSON lines, and its coverage of the served documents.

/** The three served documents. */
export interface Documents {
  readonly openapi: Wire
  readonly operator: Wire
  readonly asyncapi: Wire
}

/** Request with its answer. */
export interface Exchange {
  readonly step: number
  readonly port: 'public' | 'operator'
  readonly method: string
  readonly path: string
  readonly sent: unknown
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Frame of a connection. */
export interface RecordedFrame {
  readonly step: number
  readonly way: 'sent' | 'received' | 'closed'
  readonly frame: Wire
}

const placeholder = '<volatile>'
const stages = ['socket', 'recovery', 'ring', 'batch', 'match', 'flush', 'pump'].map(
  (name) => `${name}_micros`,
)
const stateKeys = [
  ...['thread_id', 'heartbeat_ms', 'work_seconds', 'processor_seconds'],
  ...['flush_ms', 'flush_ms_max', 'history'],
]
/** Messages that supersede each other, with the field that is their key. Only the last one of a step is recorded. */
const replacing: Readonly<Record<string, (frame: Wire) => unknown>> = {
  OptionsChainUpdate: ({ action, currency, expiry, symbol, row }) =>
    [action, currency, expiry, symbol, row?.strike].join(' '),
  OrderbookUpdate: ({ symbol }) => symbol,
}
/** Fields that depend on the wall clock, process, build or chance. A path if the name is common. */
const volatile: readonly (readonly [path: RegExp, keys: readonly string[]])[] = [
  [/^\/version/, ['version', 'commit', 'ref', 'build_time']],
  [/^\/exchange-info/, ['push_public_key']],
  [/^\/orders\/why/, [...stages, 'total_micros']],
  [/^\/operator\/clock/, ['clock']],
  [/^\/operator\/audit/, ['time_ms', 'approval_id']],
  [/^\/operator\/(deposits|approvals)/, ['approval_id', 'expires_ts_ms', 'requested_ts_ms']],
  [/^\/operator\/state/, stateKeys],
]
/** Headers of the connection. */
const ownHeaders = /^(date|connection|keep-alive|content-length|transfer-encoding|uwebsockets)$/
const documentPaths = /^\/(openapi|asyncapi)\.json/
const pagePaths = /^\/(docs|app)/

/** Lines and coverage of one or more sessions. */
export class Recording {
  /** Lines by step. */
  readonly #exchanges: string[] = []
  readonly #connections: (readonly [name: string, frames: readonly RecordedFrame[]])[] = []
  /** Statuses and codes by operation. */
  readonly #answers = new Map<string, Map<string, number>>()
  readonly #messages = new Map<string, number>()
  #documents: Documents | null = null
  #paths: readonly (readonly [key: string, pattern: RegExp])[] = []

  /** Number of requests and advances so far. */
  step = 0

  /** Sets the documents. Call it before the first exchange; coverage uses the documents of the first venue. */
  begin(documents: Documents): void {
    this.#documents ??= documents
    const { openapi, operator } = this.#documents
    this.#paths = [...pathsOf(openapi, 'public'), ...pathsOf(operator, 'operator')]
  }

  get hasBegun(): boolean {
    return this.#documents !== null
  }

  get documents(): Documents {
    return this.#documents!
  }

  addExchange({ step, port, method, path, sent, status, headers, text }: Exchange): void {
    const body = recordedBody(path, headers.get('content-type') ?? '', text)
    const stableHeaders = [...headers].filter(([name]) => !ownHeaders.test(name)).sort()
    const line = { step, port, method, path, sent, status, headers: stableHeaders, body }
    this.#exchanges[step] = JSON.stringify(scrubbed(path, line))
    const found = this.#paths.find(
      ([key, pattern]) => key.startsWith(`${port} ${method} `) && pattern.test(path.split('?')[0]!),
    )
    const { code, reason_code } = (body ?? {}) as Wire
    const answers = this.#answers.get(found?.[0] ?? '') ?? new Map<string, number>()
    this.#answers.set(found?.[0] ?? '', answers)
    count(answers, [status, code ?? reason_code ?? ''].join(' ').trim())
  }

  /** Adds a connection. @param frames may still grow; they are written at the end. */
  addConnection(name: string, frames: readonly RecordedFrame[]): void {
    this.#connections.push([name, frames])
  }

  addMessage(type: string): void {
    count(this.#messages, type)
  }

  /** Returns the recording: text by file name. */
  files(): Readonly<Record<string, string>> {
    const documents = Object.entries(this.#documents ?? {}).map(([name, document]) => [
      `${name}.json`,
      `${JSON.stringify(bareDocument(document), null, 1)}\n`,
    ])
    const frames = this.#connections.flatMap(([connection, ofConnection]) =>
      withoutReplaced(ofConnection).map((each) =>
        JSON.stringify(scrubbed('/ws', { connection, ...each })),
      ),
    )
    const lines = [...this.#exchanges.filter((line) => line !== undefined), ...frames].map(
      (line) => `${line}\n`,
    )
    return {
      ...Object.fromEntries(documents),
      'recording.jsonl': lines.join(''),
      'coverage.txt': `${this.coverage().join('\n')}\n`,
    }
  }

  /** Returns a line per operation and message with its results. */
  coverage(): readonly string[] {
    const operations = this.#paths.map(([key]) => {
      const answers = [...(this.#answers.get(key) ?? [])].sort()
      return `${key}: ${answers.map(([answer, times]) => `${answer} (${times})`).join(', ')}`
    })
    const messages = this.#messageNames().map((name) => `${name}: ${this.#messages.get(name) ?? 0}`)
    return [...operations, ...messages]
  }

  /** Returns operations without a successful request, and messages that were neither sent nor received. */
  gaps(): readonly string[] {
    const operations = this.#paths.filter(([key]) => {
      const answers = [...(this.#answers.get(key)?.keys() ?? [])]
      return !answers.some((answer) => answer.startsWith('20'))
    })
    const messages = this.#messageNames().filter((name) => !this.#messages.has(name))
    return [...operations.map(([key]) => key), ...messages]
  }

  #messageNames(): readonly string[] {
    const { channels, 'x-channels': streams } = this.#documents?.asyncapi ?? {}
    const ofChannels = Object.values<Wire>(channels).flatMap(({ messages }) =>
      Object.keys(messages),
    )
    return [...ofChannels, ...Object.keys(streams).map((name) => `Subscribe ${name}`)]
  }
}

/**
 * Moves portfolio messages to the end of a step, because the read model sends them without an order relative to other
 * events. Greeks are due at the moment of new marks, so they can come before or after them.
 */
function placeOf({ frame }: RecordedFrame): number {
  if (frame.type !== 'PortfolioUpdate') return 0
  return isGreeks(frame) ? 2 : 1
}

/** Replaces the numbers of greeks, which depend on their marks. */
function withoutValues({ per_leg: legs, ...frame }: Wire): Wire {
  const symbols = legs.map(({ symbol, quantity }: Wire) => ({ symbol, quantity }))
  const aggregate = Object.keys(frame.aggregate)
  return { ...frame, per_leg: symbols, aggregate, timestamp: placeholder, seq: placeholder }
}

function isGreeks({ kind, snapshot }: Wire): boolean {
  return kind === 'GreeksUpdate' && snapshot !== true
}

/** Drops messages that another one supersedes in the same step. */
function withoutReplaced(frames: readonly RecordedFrame[]): readonly RecordedFrame[] {
  const last = new Map<string, RecordedFrame>()
  const keyOf = ({ step, frame }: RecordedFrame) =>
    `${step} ${frame.type} ${replacing[frame.type]?.(frame)} ${frame.snapshot === true}`
  for (const each of frames) last.set(keyOf(each), each)
  return frames
    .filter((each) => !(each.frame.type in replacing) || last.get(keyOf(each)) === each)
    .sort((one, other) => one.step - other.step || placeOf(one) - placeOf(other))
    .map((each) => (isGreeks(each.frame) ? { ...each, frame: withoutValues(each.frame) } : each))
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** Returns the operations of a document, paths without parameters first. */
function pathsOf(document: Wire, port: string): (readonly [key: string, pattern: RegExp])[] {
  const braces = (path: string) => path.split('{').length
  return Object.entries<Wire>(document.paths)
    .sort(([one], [other]) => braces(one) - braces(other))
    .flatMap(([path, operations]) => {
      const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`)
      const methods = Object.keys(operations).filter((name) => /^(get|post|put|delete)$/.test(name))
      return methods.map((name) => [`${port} ${name.toUpperCase()} ${path}`, pattern] as const)
    })
}

/** Reduces a body: documents have files of their own; metrics keep their names, pages their type. */
function recordedBody(path: string, type: string, text: string): unknown {
  if (documentPaths.test(path)) return '<document>'
  if (pagePaths.test(path) && !type.startsWith('application/json')) return '<page>'
  if (type.startsWith('application/json')) return JSON.parse(text)
  if (!path.startsWith('/metrics')) return text
  const names = text.split('\n').map((line) => (line.startsWith('#') ? '' : line.split(' ')[0]!))
  return [...new Set(names)].sort()
}

/** Replaces values that differ between two runs of one build. */
function scrubbed(path: string, value: unknown): unknown {
  const keys = new Set(volatile.flatMap(([pattern, names]) => (pattern.test(path) ? names : [])))
  return JSON.parse(
    JSON.stringify(value, (key, part) =>
      keys.has(key) && part !== null ? placeholder : part,
    ).replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:<port>'),
  )
}
