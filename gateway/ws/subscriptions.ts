import { createHash } from 'node:crypto'
import { Right } from '../../schemas/domain.js'
import { expiryForms, parseExpiry } from '../../schemas/expiry-text.js'
import {
  type Channel,
  channelRows,
  isChannel,
  type SymbolKind,
  withdrawnPrefix,
} from '../../schemas/interface/channels.js'
import { Result } from '../../schemas/results.js'
import { canonicalSymbol, isUnderlying } from '../../schemas/symbol.js'
import type { Config } from '../config/config-schema.js'
import { Fault } from '../wire/fault.js'
import { invalidField, type JsonObject, requiredText } from '../wire/request-fields.js'
import { printable, quoted } from '../wire/shown-text.js'

/** Subscription: a channel with its filters. */
export interface Subscription {
  readonly channel: Channel
  /** Identifies channel and filters in at most 128 characters; equal for frames with the same filters. */
  readonly key: string
  /** Canonical names; null: all. Names that match nothing are left out. */
  readonly symbols: ReadonlySet<string> | null
  /** YYYYMMDD, or null. */
  readonly expiryDate: number | null
  readonly right: Right | null
  readonly hasFilters: boolean
}

/** Returns the limit of symbols in all subscriptions of one connection. */
export function subscribedSymbolsMax({ stream }: Pick<Config, 'stream'>): number {
  return stream.maxSymbolsPerFrame + stream.maxSubscriptions
}

/**
 * Reads a Subscribe or Unsubscribe frame.
 * @param symbolsMax Limit of names in one frame.
 */
export function readSubscription(frame: JsonObject, symbolsMax: number): Subscription | Fault {
  const channel = requiredText(frame, 'channel')
  if (channel instanceof Fault) return channel
  if (!isChannel(channel)) return unknownChannel(channel)
  const names = readSymbols(frame['symbols'] ?? null, symbolsMax)
  if (names instanceof Fault) return names
  const expiryDate = readExpiry(frame['expiry'] ?? null)
  if (expiryDate instanceof Fault) return expiryDate
  const right = readOptionType(frame['option_type'] ?? null)
  if (right instanceof Fault) return right
  const symbols = names === null ? null : matchable(names, channelRows[channel].symbols)
  const key = [channel, keyOf(names), expiryDate ?? '', right ?? ''].join('|')
  const hasFilters = names !== null || expiryDate !== null || right !== null
  return { channel, key, symbols, expiryDate, right, hasFilters }
}

/** Returns the sequence after which a Subscribe resumes; undefined: it starts with a snapshot. */
export function readFromSeq({ from_seq: value = null }: JsonObject): number | undefined | Fault {
  if (value === null) return undefined
  const isSeq = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
  return isSeq ? value : invalidField('from_seq', 'must be an integer from 0 to 2^53 - 1')
}

/** True if a Subscribe requests the sequence that it starts with. */
export function readSeqAsked({ as_of_seq: value = null }: JsonObject): boolean | Fault {
  if (value === null || typeof value === 'boolean') return value === true
  return invalidField('as_of_seq', 'must be true or false')
}

function unknownChannel(channel: string): Fault {
  const isWithdrawn = channel.startsWith(withdrawnPrefix)
  const text = isWithdrawn ? 'Channel withdrawn' : 'Unknown channel'
  return new Fault(Result.NotFound, {}, `${text}: ${printable(channel)}`)
}

function readSymbols(value: unknown, symbolsMax: number): readonly string[] | null | Fault {
  if (value === null) return null
  const isList = Array.isArray(value) && value.every((name) => typeof name === 'string')
  if (!isList) return invalidField('symbols', 'must be a list of strings')
  if (value.length > symbolsMax) {
    return invalidField('symbols', `has ${value.length} names; at most ${symbolsMax} are allowed`)
  }
  return value.map(canonicalName)
}

function canonicalName(name: string): string {
  return canonicalSymbol(name) ?? name
}

/** Returns the names that can match on the channel. A channel without symbols accepts the filter and ignores it. */
function matchable(names: readonly string[], kind: SymbolKind): ReadonlySet<string> | null {
  if (kind === 'none') return null
  return new Set(
    names.filter((name) => {
      const isName = isUnderlying(name)
      if (kind === 'both') return isName || canonicalSymbol(name) !== null
      return kind === 'underlying' ? isName : canonicalSymbol(name) !== null
    }),
  )
}

/** Hashes the names, including those that match nothing and are not retained. */
function keyOf(names: readonly string[] | null): string {
  if (names === null) return '*'
  const text = JSON.stringify([...new Set(names)].sort())
  return createHash('sha256').update(text).digest('base64url')
}

/** Returns the date of an expiry as the integer YYYYMMDD. */
function readExpiry(value: unknown): number | null | Fault {
  if (value === null) return null
  if (typeof value !== 'string') return invalidField('expiry', 'must be a string')
  const expiry = parseExpiry(value)
  if (expiry === null) {
    return invalidField('expiry', `must be ${expiryForms}, not ${quoted(value)}`)
  }
  if ('date' in expiry) return expiry.date
  return Number(new Date(expiry.seconds * 1000).toISOString().slice(0, 10).replaceAll('-', ''))
}

function readOptionType(value: unknown): Right | null | Fault {
  if (value === null) return null
  const text = typeof value === 'string' ? value.toLowerCase() : ''
  if (text === 'call' || text === 'c') return Right.Call
  if (text === 'put' || text === 'p') return Right.Put
  return invalidField('option_type', 'must be call, put, C or P')
}
