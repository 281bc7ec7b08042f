import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordedExamples } from '../../gateway/documents/examples.js'

// Keeps, for each operation, error and message that passes the document's check, the one that shows most. It is switched on
// by the command that renews the examples of the documents, and writes what it has as the process ends.

/** A part of what is recorded. */
export type ExampleSection = keyof RecordedExamples
/** Examples, by section, key and name. */
export type Recorded = Record<ExampleSection, Record<string, Record<string, unknown>>>

/** Folder that recorders write to; none: nothing is recorded. */
export const examplesVariable = 'RECORD_EXAMPLES'
const bytesMax = 2500
const namesMax = 8
const wallets = [
  '0x0123456789abcdef0123456789abcdef01234567',
  '0x89abcdef0123456789abcdef0123456789abcdef',
  '0xfedcba9876543210fedcba9876543210fedcba98',
]
/** What no two instruments, moments or wallets have alike: names of the entries of a map. */
const entryName = /[-\d]|^[A-Z]+$/

class ExampleRecorder {
  readonly #best: Recorded = emptyExamples()

  constructor(folder: string) {
    process.on('exit', () => {
      writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(this.#best))
    })
  }

  /** @param isSound whether the document has a value so; what is cut short may be so no longer. */
  take(
    place: readonly [section: ExampleSection, key: string, name: string],
    value: unknown,
    isSound: (value: unknown) => boolean,
  ): void {
    const [section, key, name] = place
    const short = withoutTraces(shortened(value))
    const example = isSound(short) ? short : withoutTraces(value)
    if (JSON.stringify(example).length > bytesMax || !isSound(example)) return
    keepBetter((this.#best[section][key] ??= {}), name, example)
  }
}

let made: ExampleRecorder | null = null

/** The recorder, or null where nothing is recorded. */
export function exampleRecorder(): ExampleRecorder | null {
  const folder = process.env[examplesVariable]
  if (folder === undefined) return null
  return (made ??= new ExampleRecorder(folder))
}

export function emptyExamples(): Recorded {
  return { answers: {}, errors: {}, messages: {}, frames: {}, operator: {} }
}

/** Puts an example in, unless what is there shows more. */
export function keepBetter(named: Record<string, unknown>, name: string, example: unknown): void {
  const known = named[name]
  if (known === undefined || isBetter(example, known)) named[name] = example
}

/** What an answer of an order, or of a list of them, is an example of; of orders each status and reason. */
export function nameOfAnswer(key: string, body: unknown): string {
  const lists = body as { readonly results?: readonly Outcome[] } & readonly Outcome[]
  const first = (Array.isArray(body) ? lists[0] : lists?.results?.[0]) ?? (body as Outcome | null)
  const { status, reason_code, success } = first?.data ?? first ?? {}
  if (key === 'POST /order')
    return String(status === 'REJECTED' ? reason_code : status).toLowerCase()
  return status === 'REJECTED' || success === false ? 'rejected' : 'answered'
}

/** What tells whether an order was taken, as far as an answer has it. */
interface Outcome {
  readonly status?: unknown
  readonly reason_code?: unknown
  readonly success?: unknown
  readonly data?: Outcome | null
}

function isBetter(one: unknown, other: unknown): boolean {
  const difference = leavesOf(one) - leavesOf(other)
  return difference > 0 || (difference === 0 && JSON.stringify(one) < JSON.stringify(other))
}

/** How many values it has that say something. */
function leavesOf(value: unknown): number {
  if (value === null || value === '') return 0
  if (typeof value !== 'object') return 1
  return Object.values(value).reduce((sum: number, part) => sum + leavesOf(part), 0)
}

/** A value with one row of each list, some of each list of names, and one entry of each map. */
function shortened(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const isOfRows = typeof value[0] === 'object'
    const rows = isOfRows ? [...value].sort((one, other) => leavesOf(other) - leavesOf(one)) : value
    return rows.slice(0, isOfRows ? 1 : namesMax).map(shortened)
  }
  const entries = Object.entries(value)
  const isMap = entries.length > 1 && entries.every(([name]) => entryName.test(name))
  const kept = isMap ? entries.slice(0, 1) : entries
  return Object.fromEntries(kept.map(([name, part]) => [name, shortened(part)]))
}

/** A value that names the wallets of all examples, and no port of a moment. */
function withoutTraces(value: unknown): unknown {
  const found = new Map<string, string>()
  const text = JSON.stringify(value)
    .replace(/0x[0-9a-f]{40}(?![0-9a-f])/gi, (wallet) => {
      if (/^0x0{40}$/.test(wallet)) return wallet
      const name = wallet.toLowerCase()
      const known = found.get(name) ?? wallets[found.size % wallets.length]!
      found.set(name, known)
      return known
    })
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:8080')
  return JSON.parse(text)
}
