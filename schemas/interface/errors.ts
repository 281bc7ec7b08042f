import { nakedShortCause, type Result, resultRows, Result as results } from '../results.js'
import { Envelope } from './answer.js'
import {
  anyOf,
  anything,
  bareName,
  component,
  count,
  described,
  exactly,
  flag,
  integer,
  type JsonSchema,
  mapOf,
  millis,
  named,
  nothing,
  nullable,
  object,
  oneOf,
  type Shape,
  text,
} from './shape.js'

// Errors and reasons, from the table of results.

const okStatus = 200
const rows = Object.values(results).map((result) => resultRows[result])

/** Code of an HTTP error, and of an Error of the streams. */
export const errorCode: Shape<string> = {
  schema: component(
    'ErrorCode',
    codes((http) => http !== okStatus),
  ),
}
/** Stable code of the reason why an order or a request was rejected or ended. */
export const reasonCode: Shape<string> = {
  schema: component(
    'ReasonCode',
    codes((http) => http === okStatus),
  ),
}
/** Code of an error. The engine's reasons are errors of some endpoints. */
export const anyCode = anyOf([errorCode, reasonCode], 'Stable code of the error')

/** Failures that leave no order; `GET /orders/why` explains them, too. */
export const unrecordedResults = [
  results.SignatureFailed,
  results.Unauthorized,
  results.RateLimitExceeded,
] as const
export const unrecordedCodes = unrecordedResults.map((result) => resultRows[result].code ?? '')

const unitShapes: Readonly<Record<string, Shape<unknown>>> = {
  micros: text('USD as decimal text'),
  lots: text('Contracts as decimal text'),
  int: integer(),
  instrument: text(),
  underlying: text(),
  scenario: nullable(object({ kind: text('Kind of the shock'), id: text('Id of the scenario') })),
  bound: nullable(text()),
  until: anyOf([millis(), exactly('reset'), nothing()]),
  route: text(),
}

/** Descriptions of the values of reasons. */
const detailWords: Readonly<Record<string, string>> = {
  required: 'Required equity in USD',
  equity: 'Equity of the account in USD',
  shortfall: 'Shortfall of equity in USD',
  consumed_im: 'Initial margin in use without the order, in USD',
  incremental_im: 'Initial margin that the order adds, in USD',
  consumed_mm: 'Maintenance margin in use without the order, in USD',
  incremental_mm: 'Maintenance margin that the order adds when filled, in USD',
  scenario: 'Binding scenario; null: the margin model has none',
  bound_by: 'Term that determines the required margin; null: unknown',
  symbol: 'Canonical symbol of the instrument',
  underlying: 'Name of the underlying',
  expiry: 'Expiry as YYYYMMDD',
  needed: 'Cash that the order and all working buy orders need, in USD',
  available: 'Cash of the wallet in USD',
  long_position: 'Long position of the wallet in contracts',
  working_sells: 'Total size of the working sell orders in contracts',
  order_size: 'Size of the order in contracts',
  until: 'End of the freeze in Unix milliseconds; `reset`: frozen until a reset',
  lower: 'Lowest accepted price in USD',
  upper: 'Highest accepted price in USD',
  used: 'Amount in use, in the unit of `bound`',
  bound: 'Limit of the check: USD or contracts as decimal text, or a count as an integer',
  cost: 'Price times size of the order in USD',
  cash: 'Cash of the wallet in USD',
  route: 'Route of the order',
  entry: 'Position in the list of the request, from 0',
  amount: 'Amount of the earlier deposit with the same id, in USD',
  withdrawable: 'Withdrawable amount in USD',
  leg: 'Position of the leg in the request, from 0',
}

/** Values of a reason, by name. */
export const reasonDetails: Shape<Readonly<Record<string, unknown>>> = {
  schema: component('ReasonDetails', {
    ...object({
      'cause?': exactly(
        nakedShortCause,
        'Cause of the rejection; present if the order would open an uncovered short position',
      ),
      ...detailShapes(),
    }).schema,
    description: 'Values of a reason by name; each reason has its own set',
  }),
}

/** Values that the venue hashed for a signature, and the address that it recovered. */
export const signatureDetails = named('SignatureDetails', {
  layout: text('Name of the signed struct'),
  fields: mapOf(anything(), 'Fields of the struct, as hashed'),
  digest: text('EIP-712 digest'),
  recovered_address: nullable(text('Recovered signer; null: the signature recovers no address')),
  domain: object(
    {
      name: text('Name of the domain'),
      version: text('Version of the domain'),
      chain_id: text('Chain id of the domain, as decimal text'),
    },
    'EIP-712 domain of the digest',
  ),
  'is_wallet?': flag(
    'True if the wallet itself is the signer; absent: the request is not an order',
  ),
  'matches_other_layout?': nullable(
    text('Layout that the wallet did sign; null: none; absent: the request is not an order'),
  ),
})

/** Fields of an error about a limit. */
export const retryFields = {
  'retry_after_secs?': count('Seconds until the rate-limit window ends'),
  'limit?': integer('Requests that the window allows per minute'),
}

/** Details of an error. */
export const errorDetails = anyOf([reasonDetails, signatureDetails], 'Values of the error, by name')

const own = {
  code: anyCode,
  message: text('Description for people; may change'),
  error: described(anyCode, 'The same as `code`'),
  'details?': errorDetails,
  ...retryFields,
}
const success = exactly(false, 'Always false: the request failed')
const envelopes: Readonly<Record<Envelope, JsonSchema>> = {
  [Envelope.Bare]: named('Error', own).schema,
  [Envelope.Success]: named('ErrorOfList', { success, ...own }).schema,
  [Envelope.Data]: named('ErrorOfData', {
    success,
    data: nothing('Always null: the request failed'),
    ...own,
  }).schema,
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
export function errorsOf(envelope: Envelope, some: readonly Result[]): readonly DocumentedError[] {
  const byStatus = new Map<number, Set<string>>()
  for (const result of some) {
    const { code, http } = resultRows[result]
    byStatus.set(http, (byStatus.get(http) ?? new Set()).add(code!))
  }
  return [...byStatus]
    .sort(([one], [other]) => one - other)
    .map(([status, names]) => {
      const sorted = [...names].sort()
      const properties = { code: oneOf(sorted, 'Stable code of the error').schema }
      return { status, codes: sorted, schema: { allOf: [envelopes[envelope], { properties }] } }
    })
}

/** Returns the results with this code. */
export function resultsOfCodes(code: string): readonly Result[] {
  return Object.values(results).filter((result) => resultRows[result].code === code)
}

/** Returns the shapes of details by name. A name with several units, depending on the reason, may have any of them. */
function detailShapes(): Readonly<Record<string, Shape<unknown>>> {
  const units = new Map<string, Set<Shape<unknown>>>()
  for (const { name, unit } of rows.flatMap(({ details = [] }) => details)) {
    units.set(name, (units.get(name) ?? new Set()).add(unitShapes[unit]!))
  }
  const shapes = [...units].map(([name, all]) => {
    const [first, ...others] = [...all]
    const shape = others.length === 0 ? first! : anyOf([...all])
    const words = detailWords[bareName(name)]
    return [`${name}?`, words === undefined ? shape : described(shape, words)] as const
  })
  return Object.fromEntries(shapes)
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
  return oneOf([...texts.keys()], lines.join('\n')).schema
}
