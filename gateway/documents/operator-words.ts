import {
  depositIdBytesMax,
  indexEntriesMax,
  microsPerUsd,
  surfacePointsMax,
} from '../../schemas/bounds.js'
import type { JsonSchema } from '../../schemas/interface/shape.js'

// Descriptions of the fields of the operator's requests, by name. Types and bounds are in the tables that read them.

const decimalsOf = Math.log10
const symbolForm = '`UNDERLYING-YYYYMMDD-STRIKE-C` or `-P`; its date also as `30JUN26`'

/** Descriptions by name, unless the place has its own below. */
const commonWords: Readonly<Record<string, string>> = {
  wallet: 'Wallet that acts, or that is read',
  scope: '`all`, an underlying, or a symbol',
  mode: 'Order to cancel when the wallet would trade with itself: the new one, the resting one, or both',
  tier: 'Tier of the wallet',
  amount: `USD: above 0, at most ${decimalsOf(microsPerUsd)} decimals`,
  underlying: 'Name of an underlying',
  expiry: 'Expiry as `YYYY-MM-DD`, as `YYYYMMDD`, or in Unix seconds',
  verdict: 'Decision',
  username: 'Name that the verdict is for, so that it cannot apply to a newer request',
  approval_id: 'approval_id of the 202 answer or of GET /operator/approvals',
  deposit_id: `At most ${depositIdBytesMax} bytes; the same id again changes nothing`,
  trading_mode: 'Trading mode: the book, requests for quote, both, or none',
  prices: `1 to ${indexEntriesMax} observations`,
  points: `Up to ${surfacePointsMax} of a smile, linear in between`,
  strike: 'Strike in USD',
  iv: 'Volatility as a fraction: 0.55',
  svi: 'Parameters of total variance a + b (rho (k - m) + sqrt((k - m)^2 + s^2)), instead of points',
  a: 'Level',
  b: 'Slope of both wings',
  rho: 'Skew, between -1 and 1',
  m: 'Position of the lowest point',
  max_index: 'Highest index that the venue accepts from now on',
  accept: 'Clock to continue with: `wall` or `engine`',
  builder: 'Builder that earns by orders that name it',
  id: 'Competition to change; absent: a new one',
  description: 'Description for participants',
  rules_url: 'Address of its rules',
  rules_content: 'Its rules',
  win_conditions: 'Metrics of its ranks, the primary one first',
  start_ts_ms: 'First Unix millisecond',
  end_ts_ms: 'Unix millisecond at which it ends',
  directive_id: 'The withdrawal',
}

/** Descriptions by operation or frame and name, where the name has another meaning. */
const ownWords: Readonly<Record<string, string>> = {
  'POST /operator/instruments symbol': `${symbolForm}; or \`UNDERLYING-PERP\``,
  'DELETE /operator/instruments symbol': `${symbolForm}; or \`UNDERLYING-PERP\``,
  'POST /operator/instruments expiry': 'Unix seconds, instead of the time of day of the underlying',
  'POST /operator/index-prices price': 'The index in USD',
  'POST /operator/index-prices timestamp': 'Unix milliseconds of the observation; absent: now',
  'POST /operator/settlement-prices price': 'Settlement price of the index in USD',
  'POST /operator/vol-surfaces s': 'Curvature of the lowest point',
  'POST /operator/halts mode':
    '`open`: everything; `cancel_only`: cancels; `halted`: cancels, and timers pause',
  'POST /operator/wallet-halts mode': '`open`: the wallet trades again',
  'POST /operator/halts scope': '`all`, instead of an underlying',
  'POST /operator/quote-providers status': '`active` if the wallet may quote',
  'POST /operator/builders status': '`active` if the builder is listed',
  'POST /operator/competitions name': 'Name of the competition',
}

/** Returns the description of a field or parameter of an operation or a frame; null: there is none. */
export function fieldWords(key: string, name: string): string | null {
  return ownWords[`${key} ${name}`] ?? commonWords[name] ?? null
}

/** Every text of the tables above. */
export const allFieldWords: readonly string[] = [
  ...Object.values(commonWords),
  ...Object.values(ownWords),
]

/** Returns a schema with its description first, followed by the description of its form. */
export function meaning(schema: JsonSchema, words: string | null): JsonSchema {
  const { description, ...rest } = schema
  if (words === null) return schema
  const form = typeof description === 'string' && description !== words ? `. ${description}` : ''
  return { ...rest, description: `${words}${form}` }
}

/** Returns the description of a field at a place; null: there is none. */
type WordsOf = (key: string, name: string) => string | null

/** Returns the schema of an operation or frame with a description of every field at any depth. */
export function worded(key: string, schema: JsonSchema, wordsOf: WordsOf = fieldWords): JsonSchema {
  const within = Object.entries(schema).map(([word, part]): readonly [string, unknown] => {
    if (word === 'items') return [word, worded(key, part as JsonSchema, wordsOf)]
    if (word === 'properties') return [word, wordedFields(key, part as JsonSchema, wordsOf)]
    const isChoice = word === 'anyOf' || word === 'oneOf' || word === 'allOf'
    return [word, isChoice ? (part as JsonSchema[]).map((one) => worded(key, one, wordsOf)) : part]
  })
  return Object.fromEntries(within)
}

function wordedFields(key: string, fields: JsonSchema, wordsOf: WordsOf): JsonSchema {
  const said = Object.entries(fields).map(([name, schema]) => {
    const inner = worded(key, schema as JsonSchema, wordsOf)
    const isOwn = inner['const'] !== undefined && name === 'type'
    return [name, isOwn ? inner : meaning(inner, wordsOf(key, name))] as const
  })
  return Object.fromEntries(said)
}
