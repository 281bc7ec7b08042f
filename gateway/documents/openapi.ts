import { STATUS_CODES } from 'node:http'
import { type DocumentedError, errorsOf } from '../../schemas/interface/errors.js'
import { operationRows } from '../../schemas/interface/operations.js'
import type { Parameter } from '../../schemas/interface/parameter.js'
import { endpointOf } from '../../schemas/interface/paths.js'
import { groups, readerWords } from '../../schemas/interface/read.js'
import { notReady } from '../../schemas/interface/venue.js'
import { readSessionPattern } from '../../schemas/read-session.js'
import { typedStructs } from '../actions/typed-structs.js'
import type { Config } from '../config/config-schema.js'
import { patternOf } from '../wire/schema-pattern.js'
import { componentsOf } from './components.js'
import { exampleSymbol, exampleWallet } from './example-names.js'
import { bodyExamples, errorExamples, examplesNamedIn } from './examples.js'
import { recordedExamples } from './generated/recorded-examples.js'
import { hashesText } from './hashes.js'
import { limitsOf } from './limits.js'
import { type Operation, operationsOf, pageKeys } from './operation-list.js'
import { spelledOut } from './request-bodies.js'
import { header, headers, htmlType, jsonType, response, SharedResponses } from './responses.js'
import { httpRules } from './rules.js'
import { signatureText, signedRule } from './signed-values.js'
import { statesText } from './states.js'

/** Venue of a document, with its configuration. */
export interface DocumentedVenue {
  readonly config: Config
  readonly version: string
}

type Json = Readonly<Record<string, unknown>>

const pages = ['GET /', ...pageKeys]
const minSeq = {
  name: 'min_seq',
  in: 'query',
  description: 'Waits until the answer includes this sequence',
  schema: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 },
}
const requestId = {
  name: 'X-Request-Id',
  in: 'header',
  description: 'Printable ASCII that the answer repeats',
  schema: { type: 'string', minLength: 1, maxLength: 64 },
}
const readSession = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: readSessionPattern,
  description:
    '`wallet.expiresAt.signature`, signed by the wallet or an agent of it over ' +
    `\`${typedStructs.ReadSession.encodeType}\`; \`expiresAt\`, Unix milliseconds, is at most an hour ` +
    'ahead. Required where /exchange-info has `private_reads: signed`.',
}
const exampleSignature = `0x${'1b'.repeat(65)}`

/** Example values of parameters whose schema has none. */
const exampleValues: Readonly<Record<string, string | number>> = {
  wallet: exampleWallet,
  account: exampleWallet,
  instrument_id: exampleSymbol,
  instrument_name: exampleSymbol,
  instrument_names: exampleSymbol,
  option_id: exampleSymbol,
  symbol: exampleSymbol,
  nonce: '1',
  currency: 'BTC',
  underlying: 'BTC',
  expiry: '2030-12-27',
  order_id: 'first-1',
  competition_id: '1',
  asset: 'USDC',
  digest: `0x${'0'.repeat(63)}7`,
  cursor: '1',
}

const countedHeaders = {
  'X-RateLimit-Limit': headers.limit,
  'X-RateLimit-Remaining': headers.remaining,
  'X-RateLimit-Reset': headers.reset,
}
const deprecationHeaders = {
  Deprecation: header('string', 'Present on answers to an order without route'),
  Sunset: header('string', 'Date at which the route becomes required'),
  'X-Deprecation-Removal-Unix': header('integer', 'The same in Unix seconds'),
  Warning: header('string', 'The same in words'),
}

/** Returns the OpenAPI document of the HTTP interface of a venue. */
export function openApi(venue: DocumentedVenue): Json {
  const paths: Record<string, Record<string, Json>> = {}
  const errors = new SharedResponses()
  for (const operation of operationsOf(venue.config)) {
    const [method, path] = endpointOf(operation.key)
    const shown = path.endsWith('/') && path !== '/' ? `${path}{${lastPart(operation)}}` : path
    const ofPath = (paths[shown] ??= {})
    ofPath[method.toLowerCase()] = operationText(operation, venue, errors)
  }
  return {
    openapi: '3.1.0',
    info: infoOf(venue, 'Strikebook HTTP interface', httpWords, httpRules(venue.config)),
    servers: [{ url: '/' }],
    // Only reads use the `Authorization` header; writes carry a signature in their body.
    security: [],
    tags: tagsOf(),
    paths,
    components: {
      schemas: componentsOf([paths, errors.texts]),
      responses: errors.texts,
      examples: examplesNamedIn(errors.texts),
      securitySchemes: { readSession },
    },
    'x-states': statesText(),
    'x-hashes': hashesText(),
    'x-limits': limitsOf(venue.config),
  }
}

/** Returns the `info` object of a document. */
export function infoOf(
  { version, config }: DocumentedVenue,
  title: string,
  words: string,
  rules = '',
): Json {
  return {
    title,
    version,
    description: `${words} This venue runs the ${config.preset} preset.\n\n${rules}`.trim(),
    license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
  }
}

/** Returns the name of the parameter in the last part of a path. */
function lastPart({ pathParameter }: Operation): string {
  return pathParameter ?? 'id'
}

const httpWords = [
  'Prices, sizes and amounts are decimal texts unless a schema says otherwise. Every write to an account',
  'is signed (EIP-712): `x-signature` has the domain and the structs. If there are several structs, sign',
  'the one whose fields the body has.',
  signedRule,
  'A rejected order is HTTP 200 with status `REJECTED`; errors have a stable `code`. `x-rate-limit` has',
  'the window that an operation counts in; a window lasts a minute. `x-either` has groups of parameters',
  'of which exactly one is required. `x-reader` lists the permitted readers where private reads are',
  'signed. Every GET path also answers HEAD, and every path OPTIONS, with open CORS.',
  'The venue compresses documents and reads of more than 1 KiB with br or gzip, as `Accept-Encoding`',
  'prefers, while its budget for that lasts. It does not compress answers to commands.',
].join(' ')

function operationText(
  operation: Operation,
  venue: DocumentedVenue,
  errors: SharedResponses,
): Json {
  const { key, body, either, rate, signature } = operation
  const { group, summary, description } = operationRows[key]!
  const parameters = [requestId, ...parametersOf(operation)]
  return {
    operationId: operationIdOf(key),
    tags: [group],
    summary,
    ...(description === undefined ? {} : { description }),
    parameters,
    ...(either === undefined ? {} : { 'x-either': either }),
    ...(body === null ? {} : { requestBody: requestBodyOf(operation) }),
    responses: responsesOf(operation, venue, errors),
    ...(rate === null ? {} : { 'x-rate-limit': rate }),
    ...readerText(operation, venue.config),
    ...(signature === null ? {} : { 'x-signature': signatureText(signature, venue.config) }),
  }
}

/** Describes the permitted readers, and the read session if private reads are signed. */
function readerText({ reader }: Operation, { reads }: Config): Json {
  if (reader === 'anybody') return {}
  const isFree = reads.private === 'open' || reader === 'named' || reader === 'auctioned'
  return {
    'x-reader': `Where private reads are signed: ${readerWords[reader]}`,
    security: [...(isFree ? [{}] : []), { readSession: [] }],
  }
}

/** Returns the operation id, for example `postBulkOrder` for `POST /bulk_order`. */
export function operationIdOf(key: string): string {
  const [method, path] = endpointOf(key)
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  const suffix = path.endsWith('/') ? [...words, path === '/' ? 'index' : 'one'] : words
  const names = suffix.map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return method.toLowerCase() + names.join('')
}

function parametersOf(operation: Operation): readonly Json[] {
  const path = endpointOf(operation.key)[1]
  const own = Object.entries(operation.query).map(([name, parameter]) =>
    parameterText(name, parameter, operation.pathParameter),
  )
  const isBelow = path.endsWith('/') && path !== '/' && operation.pathParameter === null
  const last = {
    ...{ name: 'id', in: 'path', required: true, schema: { type: 'string' }, example: '1' },
    description: operation.pathId,
  }
  return [...(isBelow ? [last] : []), ...own, ...(operation.isRead ? [minSeq] : [])]
}

/** Describes a parameter. @param pathParameter parameter in the path; null: none. */
export function parameterText(
  name: string,
  { schema, aliases, isRequired, description: words }: Parameter,
  pathParameter: string | null,
): Json {
  const isInPath = name === pathParameter
  const isList = schema['type'] === 'array'
  // Lists use different forms of cursors; this one has two parts.
  const isPair = name === 'cursor' && !patternOf(schema).test('1')
  // An order id that is a text may also be a client id.
  const usual = schema['type'] === 'integer' ? undefined : exampleValues[name]
  const example = isPair ? '1.1' : usual
  const others = aliases.length === 0 ? [] : [`Other names: ${aliases.join(', ')}`]
  const description = [words, ...others].join('. ')
  const value = isList ? [example] : example
  const isNeeded = isRequired || isInPath
  const spelled = spelledOut(schema)
  return {
    name,
    in: isInPath ? 'path' : 'query',
    required: isNeeded,
    description,
    ...(isList ? { style: 'form', explode: false } : {}),
    // The reference page sends an example that is next to the schema. For an optional parameter it would match nothing.
    schema: example === undefined || isNeeded ? spelled : { ...spelled, examples: [value] },
    ...(example === undefined || !isNeeded ? {} : { example: value }),
  }
}

function requestBodyOf({ key, body, signature }: Operation): Json {
  const example = exampleBody(key, body!.list, signature !== null)
  const { schema } = body!
  return { required: true, content: { [jsonType]: { schema, example } } }
}

/** Returns the example of a body, with placeholders for signature and nonce. */
export function exampleBody(key: string, list: string | null, isSigned: boolean): unknown {
  const row = operationRows[key]!
  const body = 'example' in row ? row.example : {}
  const name = key.includes('/rfq/') ? 'wallet_address' : 'wallet'
  const owner = key.includes('/v1/actions/') ? 'account' : name
  const signed = isSigned ? exampleSigned(owner) : { [owner]: exampleWallet }
  const whole = { ...body, ...signed }
  return list === null ? whole : { [list]: [whole] }
}

/** Returns wallet, nonce and signature of an example. */
export function exampleSigned(owner: string): Json {
  return { [owner]: exampleWallet, nonce: 1, signature: exampleSignature }
}

function responsesOf(
  operation: Operation,
  { version }: DocumentedVenue,
  shared: SharedResponses,
): Json {
  const { key, envelope, results, rate } = operation
  const row = operationRows[key]!
  const own = 'errors' in row ? (row.errors ?? []) : []
  const errors = errorsOf(envelope, [...results, ...own])
  const counted = {
    'X-Request-Id': headers.requestId,
    ...(rate === null || rate.of === 'client' ? {} : countedHeaders),
  }
  const answered = errors.find(({ status }) => status === 200)?.schema
  const good = row.answer?.schema
  const schema = answered === undefined ? good : { anyOf: [good, answered] }
  const deprecated = key === 'POST /order' ? deprecationHeaders : {}
  const others = errors
    .filter(({ status }) => status !== 200)
    .map((error) => {
      const { status } = error
      const late = status === 429 ? { 'Retry-After': headers.retryAfter } : {}
      const text = response(STATUS_CODES[status]!, errorContent(operation, error), {
        ...counted,
        ...late,
        ...deprecated,
      })
      return [String(status), shared.share(status, text)] as const
    })
  const page = pages.includes(key) ? { [htmlType]: { schema: { type: 'string' } } } : {}
  const examples = bodyExamples(recordedExamples.answers, key, version)
  const json = schema === undefined ? {} : { [jsonType]: { schema, ...examples } }
  return {
    '200': response('Answered', { ...json, ...page }, { ...counted, ...deprecated }),
    ...Object.fromEntries(others),
  }
}

function errorContent({ key, envelope }: Operation, error: DocumentedError): Json {
  const { status, schema, codes } = error
  const isReady = key === 'GET /ready' && status === 503
  return {
    [jsonType]: {
      schema: isReady ? { anyOf: [schema, notReady.schema] } : schema,
      examples: errorExamples(envelope, codes),
    },
  }
}

function tagsOf(): readonly Json[] {
  return Object.entries(groups).map(([name, description]) => ({ name, description }))
}
