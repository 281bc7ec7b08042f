import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordedExamples } from '../../gateway/documents/examples.js'

// Keeps the most informative example of each operation, error and message that passes the document's check. The command
// that renews the documents' examples switches it on. It writes its examples when the process ends.

/** Section of the recording. */
export type ExampleSection = keyof RecordedExamples
/** Examples, by section, key and name. */
export type Recorded = Record<ExampleSection, Record<string, Record<string, unknown>>>

/** Folder that recorders write to; if unset, nothing is recorded. */
export const examplesVariable = 'RECORD_EXAMPLES'
const bytesMax = 2500
const namesMax = 8
const wallets = [
  '0x0123456789abcdef0123456789abcdef01234567',
  '0x89abcdef0123456789abcdef0123456789abcdef',
  '0xfedcba9876543210fedcba9876543210fedcba98',
]
/** Map keys that vary with instrument, time or wallet. */
const entryName = /[-\d]|^[A-Z]+$/

class ExampleRecorder {
  readonly #best: Recorded = emptyExamples()

  constructor(folder: string) {
    process.on('exit', () => {
      writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(this.#best))
    })
  }

  /** @param isSound true if the document accepts the value; a shortened one may fail */
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

/** Returns the recorder, or null if recording is off. */
export function exampleRecorder(): ExampleRecorder | null {
  const folder = process.env[examplesVariable]
  if (folder === undefined) return null
  return (made ??= new ExampleRecorder(folder))
}

export function emptyExamples(): Recorded {
  return { answers: {}, errors: {}, messages: {}, frames: {}, operator: {} }
}

/** Stores an example, unless the present one is more informative. */
export function keepBetter(named: Record<string, unknown>, name: string, example: unknown): void {
  const known = named[name]
  if (known === undefined || isBetter(example, known)) named[name] = example
}

/** Returns the name of an example: for orders and lists of them, each status and reason. */
export function nameOfAnswer(key: string, body: unknown): string {
  const lists = body as { readonly results?: readonly Outcome[] } & readonly Outcome[]
  const first = (Array.isArray(body) ? lists[0] : lists?.results?.[0]) ?? (body as Outcome | null)
  const { status, reason_code, success } = first?.data ?? first ?? {}
  if (key === 'POST /order')
    return String(status === 'REJECTED' ? reason_code : status).toLowerCase()
  return status === 'REJECTED' || success === false ? 'rejected' : 'answered'
}

/** Fields that show whether an order was accepted, if the answer has them. */
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

/** Returns the number of values other than null and ''. */
function leavesOf(value: unknown): number {
  if (value === null || value === '') return 0
  if (typeof value !== 'object') return 1
  return Object.values(value).reduce((sum: number, part) => sum + leavesOf(part), 0)
}

/** Shortens a value to one row per list, some entries of each list of names, and one entry per map. */
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

/** Replaces wallets by those of the examples, and removes ephemeral ports and the name of the branch. */
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
    .replace(/refs\/heads\/[^"]+/g, 'refs/heads/main')
  return JSON.parse(text)
}
