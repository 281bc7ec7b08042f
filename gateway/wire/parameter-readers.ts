import { expiryForms, parseExpiry } from '../../schemas/expiry-text.js'
import type {
  Parameter,
  ParameterKind,
  Parameters,
  ValuesOf,
} from '../../schemas/interface/parameter.js'
import { parseNonce } from '../../schemas/nonce.js'
import { Result } from '../../schemas/results.js'
import { isUnderlying } from '../../schemas/symbol.js'
import type { QueryReader } from './query-reader.js'
import { patternOf } from './schema-pattern.js'
import { quoted } from './shown-text.js'

/** Reads a parameter of a query. The query keeps the first fault. */
type Reader = (query: QueryReader, name: string, parameter: Parameter) => unknown

const cursorFault = 'cursor must be the next_cursor of a previous page'

const readers: Readonly<Record<ParameterKind, Reader>> = {
  wallet: (query) => query.wallet(),
  address: (query, name) => query.optionalWallet(name),
  digest(query, name, { schema }) {
    const given = query.requiredText(name).toLowerCase()
    if (patternOf(schema).test(given)) return given
    query.refuse(
      Result.InvalidParameter,
      `${name} must be 0x followed by 64 hexadecimal digits, not ${quoted(given)}`,
    )
    return given
  },
  nonce(query, name, { schema }) {
    const given = query.text(name)
    if (given === null) return null
    const halves = new Uint32Array(2)
    if (patternOf(schema).test(given) && parseNonce(given, halves)) return halves
    query.refuse(
      Result.InvalidParameter,
      `${name} must be an integer from 0 to 2^64 - 1, not ${quoted(given)}`,
    )
    return null
  },
  text: (query, name, { aliases, isRequired }) =>
    isRequired ? query.requiredText(name, ...aliases) : query.text(name, ...aliases),
  integer: (query, name, { schema: { minimum, maximum }, aliases, absent }) =>
    query.integer([name, ...aliases], Number(minimum), Number(maximum), absent),
  flag: (query, name, { aliases, absent }) => query.boolean(absent === true, name, ...aliases),
  name: (query, name, parameter) => nameOf(query, name, parameter, query.text(name)),
  anyCaseName: (query, name, parameter) =>
    nameOf(query, name, parameter, query.text(name)?.toUpperCase() ?? null),
  names(query, name, { names }) {
    const given = query.text(name)?.split(',') ?? null
    const unknown = given?.find((one) => !names.includes(one))
    if (unknown !== undefined) {
      const allowed = `one or more of ${names.join(', ')}, separated by commas`
      query.refuse(Result.InvalidParameter, `${name} must be ${allowed}, not ${quoted(unknown)}`)
    }
    return given === null ? null : names.filter((one) => given.includes(String(one)))
  },
  texts: (query, name) => query.text(name)?.split(',') ?? null,
  place(query, name, { names, aliases }) {
    const given = query.agreedText(name, ...aliases)
    if (given === null) return null
    const found = names.indexOf(given)
    if (found < 0) query.refuse(Result.InvalidParameter, noneOf(name, given, names))
    return found
  },
  expiry(query, name) {
    const given = query.text(name)
    const expiry = given === null ? null : parseExpiry(given)
    if (given !== null && expiry === null) {
      query.refuse(Result.InvalidParameter, `${name} must be ${expiryForms}, not ${quoted(given)}`)
    }
    return expiry
  },
  underlying(query, name) {
    const given = query.text(name)
    if (given === null || isUnderlying(given)) return given
    const allowed = 'the name of an underlying, such as BTC'
    query.refuse(Result.InvalidParameter, `${name} must be ${allowed}, not ${quoted(given)}`)
    return null
  },
  cursor(query, name, { schema }) {
    const given = query.text(name)
    if (given !== null && !patternOf(schema).test(given)) {
      query.refuse(Result.InvalidParameter, cursorFault)
    }
    return given === null ? null : Number(given)
  },
  transferCursor(query, name, { schema }) {
    const given = query.text(name)
    if (given === null) return null
    const match = patternOf(schema).exec(given)
    if (match === null) query.refuse(Result.InvalidParameter, cursorFault)
    return { seq: Number(match?.[1] ?? 0), id: match?.[2] ?? '' }
  },
  ignored: (query, name) => query.has(name),
}

/** Returns a function that reads these parameters of a query. */
export function readerOf<P extends Parameters>(parameters: P): (query: QueryReader) => ValuesOf<P> {
  const entries = Object.entries(parameters)
  return (query) => {
    const values: Record<string, unknown> = {}
    for (const [name, parameter] of entries) values[name] = readParameter(query, name, parameter)
    return values as ValuesOf<P>
  }
}

/** Reads one parameter of a query. */
export function readParameter<Value>(
  query: QueryReader,
  name: string,
  parameter: Parameter<Value>,
): Value {
  return readers[parameter.kind](query, name, parameter) as Value
}

function nameOf(
  query: QueryReader,
  name: string,
  { names, absent }: Parameter,
  given: string | null,
): unknown {
  if (given === null) return absent
  if (names.includes(given)) return given
  query.refuse(Result.InvalidParameter, noneOf(name, query.text(name) ?? '', names))
  return absent
}

/** Returns the error for a value that is none of these names. */
function noneOf(name: string, given: string, names: readonly (string | null)[]): string {
  const listed = names.filter((each) => each !== null && each !== '')
  return `${name} must be one of ${listed.join(', ')}, not ${quoted(given)}`
}
