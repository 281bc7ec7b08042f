import { type Result, Result as Results, resultRows } from '../../../schemas/results.js'
import { nakedShort } from '../../link/outcome.js'
import { Envelope } from '../../wire/answers.js'
import type { JsonSchema } from '../../wire/json-shape.js'
import {
  component,
  count,
  described,
  exactly,
  integer,
  mapOf,
  millis,
  nothing,
  nullable,
  object,
  oneOf,
  text,
} from './shape.js'

// Schemas from the table of results: codes of errors, reasons of orders, and their values.

const okStatus = 200
const rows = Object.values(Results).map((result) => resultRows[result])

/** Codes of HTTP errors and of a stream's Error. */
export const errorCode = component(
  'ErrorCode',
  codes((http) => http !== okStatus),
)
/** Reason why an order or a request was rejected, or ended. */
export const reasonCode = component(
  'ReasonCode',
  codes((http) => http === okStatus),
)

const unitSchemas: Readonly<Record<string, JsonSchema>> = {
  micros: { type: 'string', description: 'Decimal text of USD' },
  lots: { type: 'string', description: 'Decimal text of contracts' },
  int: integer,
  instrument: text,
  underlying: text,
  scenario: nullable(object({ kind: text, id: text })),
  bound: nullable(text),
  until: { anyOf: [millis, exactly('reset'), { type: 'null' }] },
  route: text,
}

/** The values that a reason names. */
export const reasonDetails = component('ReasonDetails', {
  ...object({
    'cause?': exactly(nakedShort.cause),
    ...detailSchemas(),
  }),
  description: 'Values of a rejection that its reason names',
})

/** Hashed values of a request whose signature fails, and the recovered address. */
const signatureDetails = component(
  'SignatureDetails',
  object({
    layout: text,
    fields: mapOf({}),
    digest: text,
    recovered_address: nullable(text),
    domain: object({ name: text, version: text, chain_id: text }),
    'is_wallet?': { type: 'boolean' },
    'matches_other_layout?': nullable(text),
  }),
)

/** Fields of an error about a limit. */
export const limitFields = {
  'retry_after_secs?': described(count, 'Seconds until the window ends'),
  'limit?': described(integer, 'Limit per minute'),
}

/** Code of an error, which may be the reason of a rule of trading. */
export const anyCode = { anyOf: [errorCode, reasonCode] }
/** Details of an error. */
export const errorDetails = { anyOf: [reasonDetails, signatureDetails] }
const own = {
  code: anyCode,
  message: text,
  error: described(anyCode, 'The same as `code`'),
  'details?': errorDetails,
  ...limitFields,
}
const envelopes: Readonly<Record<Envelope, JsonSchema>> = {
  [Envelope.Bare]: component('Error', object(own)),
  [Envelope.Success]: component('ErrorOfList', object({ success: exactly(false), ...own })),
  [Envelope.Data]: component(
    'ErrorOfData',
    object({ success: exactly(false), data: nothing, ...own }),
  ),
}

/** Error of any code. */
export const errorOfAnyCode = envelopes[Envelope.Bare]

/** Errors of one HTTP status. */
export interface DocumentedError {
  readonly status: number
  readonly schema: JsonSchema
  /** In rising order. */
  readonly codes: readonly string[]
}

/** Returns the errors of these results by rising HTTP status. */
export function errorsOf(
  envelope: Envelope,
  results: readonly Result[],
): readonly DocumentedError[] {
  const byStatus = new Map<number, Set<string>>()
  for (const result of results) {
    const { code, http } = resultRows[result]
    byStatus.set(http, (byStatus.get(http) ?? new Set()).add(code!))
  }
  return [...byStatus]
    .sort(([one], [other]) => one - other)
    .map(([status, names]) => {
      const codes = [...names].sort()
      const properties = { code: described(oneOf(codes), 'Stable code of the error') }
      return { status, codes, schema: { allOf: [envelopes[envelope], { properties }] } }
    })
}

/** Returns the results with this code. */
export function resultsOfCodes(code: string): readonly Result[] {
  return Object.values(Results).filter((result) => resultRows[result].code === code)
}

/** Returns the schemas of details by name. A name with several units, depending on the reason, may have any of them. */
function detailSchemas(): Readonly<Record<string, JsonSchema>> {
  const units = new Map<string, Set<JsonSchema>>()
  for (const { name, unit } of rows.flatMap(({ details = [] }) => details)) {
    units.set(name, (units.get(name) ?? new Set()).add(unitSchemas[unit]!))
  }
  const schemas = [...units].map(([name, all]) => {
    const [first, ...others] = [...all]
    return [`${name}?`, others.length === 0 ? first! : { anyOf: [...all] }] as const
  })
  return Object.fromEntries(schemas)
}

/** Returns a schema of all codes of some statuses, described by their texts. */
function codes(isWanted: (http: number) => boolean): JsonSchema {
  const texts = new Map<string, Set<string>>()
  for (const { code, http, text: words } of rows) {
    if (code === null || !isWanted(http)) continue
    const status = http === okStatus ? '' : `${http}: `
    texts.set(code, (texts.get(code) ?? new Set()).add(`${status}${words}`))
  }
  const lines = [...texts].map(([code, words]) => `- \`${code}\`: ${[...words].join('; ')}`)
  return { ...oneOf([...texts.keys()]), description: lines.join('\n') }
}
