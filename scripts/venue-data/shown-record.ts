import { formatNonce } from '../../schemas/nonce.js'
import {
  type DecodedRecord,
  type DecodeOptions,
  decodeRecord,
} from '../../schemas/record-rules/decode-record.js'
import type { RecordViews } from '../../schemas/record-views.js'
import { commands } from '../../schemas/records/commands.js'
import { events } from '../../schemas/records/events.js'
import { type Result, resultRows } from '../../schemas/results.js'

/** Names of fields that only their owner may read, at any depth. */
const secretName = /secret|private|password|token|p256dh|^auth$|^endpoint$|^keys$/i
const hidden = '(not shown)'

export function shownCommand(views: RecordViews, at: number, all = false): DecodedRecord {
  return shown(decodeRecord(commands, views, at, wordsOf(all)))
}

export function shownEvent(views: RecordViews, at: number, all = false): DecodedRecord {
  return shown(decodeRecord(events, views, at, wordsOf(all)))
}

/** Returns a record or a row with its secrets hidden. */
export function shown(record: DecodedRecord): DecodedRecord {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      secretName.test(name) ? hidden : withoutSecrets(value),
    ]),
  )
}

/** Fields without use for people: lengths of texts, and the gateway and request number. */
const dullName = /^(recordBytes|recordType|seq|timeMillis|digest|gateway|request|\w+IdBytes)$/

/** Formats a record as one line for people. Leaves out empty and zero fields. */
export function lineOf({ type, ...fields }: DecodedRecord): string {
  const words = wordsOfFields(fields)
  return words === '' ? String(type) : `${type} ${words}`
}

function wordsOfFields(fields: DecodedRecord): string {
  return Object.entries(withWholeNonce(fields))
    .filter(([name]) => !dullName.test(name) && (name !== 'details' || hasReason(fields)))
    .map(([name, value]) => [name, name === 'result' ? codeOf(value) : textOf(value)] as const)
    .filter(([, text]) => !/^(0x)?0*$/.test(text) && text !== 'NaN')
    .map(([name, text]) => `${name}=${text}`)
    .join(' ')
}

/** Replaces the two halves of a nonce by its decimal text. */
function withWholeNonce({ nonceHigh, nonceLow, ...fields }: DecodedRecord): DecodedRecord {
  if (nonceHigh === undefined || nonceLow === undefined) return fields
  return { ...fields, nonce: formatNonce(Number(nonceHigh) >>> 0, Number(nonceLow) >>> 0) }
}

/** Returns true if `details` belong to a reason. Without one they are stale. */
function hasReason({ result }: DecodedRecord): boolean {
  return result === undefined || (typeof result === 'number' && result < 0)
}

function codeOf(result: unknown): string {
  const row = resultRows[result as Result]
  return row === undefined ? textOf(result) : (row.code ?? '')
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) {
    const texts = value.map(textOf)
    return texts.every((text) => /^0*$/.test(text)) ? '' : `[${texts.join(', ')}]`
  }
  if (typeof value !== 'object' || value === null) return String(value)
  const words = wordsOfFields(value as DecodedRecord)
  return words === '' ? '' : `{${words}}`
}

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  return typeof value === 'object' && value !== null ? shown(value as DecodedRecord) : value
}

function wordsOf(all: boolean): DecodeOptions {
  return { words: true, insteads: all }
}
