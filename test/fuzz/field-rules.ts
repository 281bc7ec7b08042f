import { isUtf8 } from 'node:buffer'

// Rules of the specification for bodies, written a second time: nonces, order of checks, values,
// codes.

export type Code = string
type Fields = Readonly<Record<string, unknown>>

/** Requirements of a kind of message. */
export interface FieldRules {
  readonly required: (body: Fields) => readonly string[]
  /** Optional texts; the required ones but nonce, order_id and ids are texts too. */
  readonly texts: readonly string[]
  readonly booleans: readonly string[]
  /** Required ones that are JSON integers, with their bounds. */
  readonly integers?: Readonly<Record<string, readonly [min: number, max: number]>>
  /** Codes of wrong values, by field; a value is checked if it has the right type. */
  readonly values: Readonly<Record<string, (text: string, body: Fields) => Code | null>>
  /** Codes for the fields together, with their types right: at least one of those fields is wrong. */
  readonly together?: (body: Fields) => { step: 'required' | 'types' | 'values'; code: Code } | null
}

const addressText = /^0x[0-9a-fA-F]{40}$/
const zeroAddress = /^0x0{40}$/
const decimalText = /^([0-9]+)(?:\.([0-9]+))?$/
const months = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ')

/** Value × 10^decimals of a decimal text, or null when it has another form or more decimals. */
export function scaledOf(text: string, decimals: number): bigint | null {
  const match = decimalText.exec(text)
  if (match === null) return null
  const fraction = (match[2] ?? '').replace(/0+$/, '')
  if (fraction.length > decimals) return null
  return BigInt(match[1] + fraction.padEnd(decimals, '0'))
}

export function isPrice(text: string): boolean {
  const micros = scaledOf(text, 6)
  if (micros === null || micros <= 0n || micros > 10n ** 15n) return false
  return String(micros).replace(/0+$/, '').length <= 5
}

export function isSize(text: string): boolean {
  const lots = scaledOf(text, 8)
  return lots !== null && lots > 0n && lots <= 10n ** 13n
}

/** YYYYMMDD of a calendar date from 1970 to 2105 in one of the two forms of symbols, or null. */
export function dateOf(text: string): number | null {
  const long = /^([0-9]{4})([0-9]{2})([0-9]{2})$/.exec(text)
  const short = /^([0-9]{2})([A-Z]{3})([0-9]{2})$/.exec(text)
  const [year, month, day] = long
    ? [Number(long[1]), Number(long[2]), Number(long[3])]
    : short
      ? [2000 + Number(short[3]), months.indexOf(short[2]!) + 1, Number(short[1])]
      : [0, 0, 0]
  const date = new Date(Date.UTC(year, month - 1, day))
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && month > 0
  return isReal && year >= 1970 && year <= 2105 ? year * 10_000 + month * 100 + day : null
}

export function isOptionSymbol(text: string): boolean {
  const match = /^([A-Z0-9._]{1,16})-([^-]*)-([^-]*)-([CP])$/.exec(text)
  if (match === null || dateOf(match[2]!) === null) return false
  const strike = scaledOf(match[3]!, 6)
  return strike !== null && strike > 0n && strike <= 10n ** 15n
}

export function isNonce(value: unknown): boolean {
  if (typeof value === 'string') return /^[0-9]+$/.test(value) && BigInt(value) < 2n ** 64n
  return Number.isSafeInteger(value) && (value as number) >= 0 && !Object.is(value, -0)
}

export function isOrderId(value: unknown): boolean {
  if (typeof value === 'number') return isNonce(value)
  return typeof value === 'string' && /^[0-9]{1,16}$/.test(value) && Number(value) <= 2 ** 53 - 1
}

const fieldUnless =
  (isSound: (text: string) => boolean) =>
  (text: string): Code | null =>
    isSound(text) ? null : 'invalid_field'
const oneOf = (...names: string[]) => fieldUnless((text) => names.includes(text))
export const isWallet = (text: string) => addressText.test(text) && !zeroAddress.test(text)
const wallet = (text: string): Code | null => (isWallet(text) ? null : 'invalid_wallet')
const clientId = fieldUnless((text) => /^[\x20-\x7e]{0,64}$/.test(text))

/** Price × size stays below 2^53 micros. */
function notional(text: string, { price }: Fields): Code | null {
  if (typeof price !== 'string' || !isPrice(price) || !isSize(text)) return null
  const product = scaledOf(price, 6)! * scaledOf(text, 8)!
  return product > (2n ** 53n - 1n) * 10n ** 8n ? 'invalid_field' : null
}

const order = ['wallet', 'symbol', 'side', 'size', 'price', 'tif', 'nonce', 'signature']
const orderValues: FieldRules['values'] = {
  wallet,
  symbol: fieldUnless(isOptionSymbol),
  side: oneOf('Buy', 'Sell'),
  size: (text, body) => fieldUnless(isSize)(text) ?? notional(text, body),
  price: fieldUnless(isPrice),
  tif: oneOf('gtc', 'ioc', 'fok'),
  client_id: clientId,
  builder_code_address: fieldUnless((text) => addressText.test(text)),
}
const newValues: FieldRules['values'] = {
  ...orderValues,
  route: oneOf('best_execution', 'book_only', 'rfq_only'),
}
const optionalTexts = ['client_id', 'builder_code_address']
const booleans = ['reduce_only', 'mmp_enabled']
const withRoute = (names: readonly string[]) => (body: Fields) =>
  body['reduce_only'] === true ? [...names, 'route'] : names

export const placeRules: FieldRules = {
  required: withRoute(order),
  texts: ['route', ...optionalTexts],
  booleans,
  values: newValues,
}
const { symbol: _symbol, ...streamValues } = newValues
/** The stream's: `tif` may be absent, and a symbol that does not parse is no error. */
export const streamRules: FieldRules = {
  required: withRoute(order.filter((name) => name !== 'tif')),
  texts: ['tif', 'route', ...optionalTexts],
  booleans,
  values: streamValues,
}
export const replaceRules: FieldRules = {
  required: () => ['order_id', ...order],
  texts: optionalTexts,
  booleans,
  values: orderValues,
}

const notEmptyId = (text: string): Code | null => (text === '' ? 'invalid_field' : clientId(text))
const isThere = (body: Fields, name: string) => body[name] !== undefined && body[name] !== null
export const cancelRules: FieldRules = {
  required: () => ['wallet', 'nonce', 'signature'],
  texts: ['client_id'],
  booleans: [],
  values: { wallet, client_id: notEmptyId },
  together: (body) => {
    const count = Number(isThere(body, 'order_id')) + Number(isThere(body, 'client_id'))
    if (count === 1) return null
    return count === 0
      ? { step: 'required', code: 'missing_field' }
      : { step: 'types', code: 'invalid_parameter' }
  },
}
export const cancelByClientIdRules: FieldRules = {
  required: () => ['wallet', 'client_id', 'nonce', 'signature'],
  texts: [],
  booleans: [],
  values: { wallet, client_id: notEmptyId },
}
export const agentRules: FieldRules = {
  required: () => ['agent', 'nonce', 'signature'],
  texts: ['wallet'],
  booleans: [],
  values: { wallet, agent: fieldUnless(isWallet) },
}
export const allAgentsRules: FieldRules = {
  required: () => ['nonce', 'signature'],
  texts: ['wallet'],
  booleans: [],
  values: { wallet },
}
export const selfTradeRules: FieldRules = {
  required: () => ['wallet', 'mode', 'nonce', 'signature'],
  texts: [],
  booleans: [],
  values: { wallet, mode: oneOf('cancel_taker', 'cancel_maker', 'cancel_both') },
}
const currency = fieldUnless((text) => /^[\x21-\x7e]{1,16}$/.test(text))
export const mmpEndRules: FieldRules = {
  required: () => ['wallet', 'currency', 'nonce', 'signature'],
  texts: [],
  booleans: [],
  values: { wallet, currency },
}
const dayMillis = 86_400_000
const limitNames = ['qty_limit', 'delta_limit', 'vega_limit']
const mmpLimit = (text: string): Code | null => {
  const micros = text === '' ? 1n : scaledOf(text, 6)
  return micros !== null && micros > 0n && micros <= 2n ** 52n ? null : 'invalid_field'
}
export const mmpRules: FieldRules = {
  required: () => ['wallet', 'currency', 'interval_ms', 'frozen_time_ms', 'nonce', 'signature'],
  texts: limitNames,
  booleans: [],
  integers: { interval_ms: [1, dayMillis], frozen_time_ms: [0, dayMillis] },
  values: {
    wallet,
    currency,
    qty_limit: mmpLimit,
    delta_limit: mmpLimit,
    vega_limit: mmpLimit,
  },
  together: (body) => {
    const hasLimit = limitNames.some((name) => isThere(body, name) && body[name] !== '')
    return hasLimit ? null : { step: 'values', code: 'invalid_field' }
  },
}
export const marginModeRules: FieldRules = {
  required: () => ['wallet', 'margin_mode', 'nonce', 'signature'],
  texts: [],
  booleans: [],
  values: { wallet, margin_mode: oneOf('standard', 'portfolio') },
}
export const payoutsSeenRules: FieldRules = {
  required: () => ['wallet', 'ids', 'nonce', 'signature'],
  texts: [],
  booleans: ['seen'],
  values: { wallet },
  together: ({ ids }) => {
    const isList = Array.isArray(ids) && ids.length >= 1 && ids.length <= 100
    const isTyped = isList && ids.every((id) => Number.isSafeInteger(id))
    if (!isTyped) return { step: 'types', code: 'invalid_parameter' }
    return ids.every((id) => id >= 1) ? null : { step: 'values', code: 'invalid_field' }
  },
}
export const tierRules: FieldRules = {
  required: () => ['wallet', 'tier', 'nonce', 'signature'],
  texts: [],
  booleans: [],
  values: { wallet, tier: oneOf('default', 'tier1', 'tier2', 'market_maker', 'mm') },
}

/**
 * Returns the codes that may answer a body: those of the first step with a fault. None if the body is
 * sound; then its signature is checked.
 */
export function faultCodes(body: Fields, rules: FieldRules): readonly Code[] {
  const together = rules.together?.(body) ?? null
  const required = rules.required(body)
  if (together?.step === 'required' || required.some((name) => !isThere(body, name))) {
    return ['missing_field']
  }
  const integers = Object.entries(rules.integers ?? {})
  const texts = [...required, ...rules.texts].filter(
    (name) => name !== 'nonce' && name !== 'ids' && rules.integers?.[name] === undefined,
  )
  const isTyped =
    texts.every(
      (name) => !isThere(body, name) || typeof body[name] === 'string' || name === 'order_id',
    ) &&
    rules.booleans.every((name) => !isThere(body, name) || typeof body[name] === 'boolean') &&
    integers.every(([name]) => Number.isSafeInteger(body[name])) &&
    isNonce(body['nonce']) &&
    (!isThere(body, 'order_id') || !isOrderIdRead(rules) || isOrderId(body['order_id']))
  if (together?.step === 'types' || !isTyped) return ['invalid_parameter']
  const codes = Object.entries(rules.values).map(([name, codeOf]) => {
    const value = body[name]
    return typeof value === 'string' ? codeOf(value, body) : null
  })
  for (const [name, [min, max]] of integers) {
    const value = body[name] as number
    if (value < min || value > max) codes.push('invalid_field')
  }
  if (together !== null) codes.push(together.code)
  return codes.filter((code) => code !== null)
}

/** Returns the same codes for the bytes of a whole body. */
export function bodyFaultCodes(bytes: Buffer, rules: FieldRules): readonly Code[] {
  const read = readJson(bytes)
  if (read.code !== undefined) return [read.code]
  return isObject(read.value) ? faultCodes(read.value, rules) : ['invalid_request']
}

/** The value of a JSON text, or the code of what is none. */
export function readJson(bytes: Buffer): { readonly value?: unknown; readonly code?: Code } {
  if (!isUtf8(bytes)) return { code: 'invalid_request' }
  try {
    return { value: JSON.parse(bytes.toString()) }
  } catch {
    return { code: 'invalid_json' }
  }
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isOrderIdRead(rules: FieldRules): boolean {
  return rules === replaceRules || rules === cancelRules
}
