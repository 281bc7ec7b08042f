import { STATUS_CODES } from 'node:http'
import { Result } from '../../schemas/results.js'
import { operatorEndpoints } from '../operator/operator-endpoints.js'
import { pendingNamesEndpoint } from '../operator/pending-names.js'
import { Envelope } from '../wire/answers.js'
import type { JsonSchema } from '../wire/json-shape.js'
import { endpointOf } from '../wire/read-endpoints.js'
import { operatorAnswers } from './answers/operator-answers.js'
import { errorOfAnyCode, errorsOf } from './errors.js'
import { bodyExamples, errorExamples, examplesNamedIn } from './examples.js'
import { recordedExamples } from './generated/recorded-examples.js'
import { type DocumentedVenue, infoOf, operationIdOf, parameterText } from './openapi.js'
import { operatorNotes, operatorTagWords } from './operator-operations.js'
import { spelledOut } from './request-bodies.js'
import { htmlType, jsonType, response, SharedResponses } from './responses.js'
import { componentsOf, nullable, object } from './shape.js'

type Json = Readonly<Record<string, unknown>>

const words = [
  'For whoever runs the venue, on a port of its own. Paths under /operator, and POST /user-tier,',
  'want `Authorization: Bearer` with the token of `operator.token` or of the file `operator-token`',
  'in the data directory; health, metrics and this document, which holds no secret, are open to',
  'whoever reaches the port. A write has happened, and is on disk, when its answer is here; `seq` is',
  'its place in the one sequence of events.',
].join(' ')
const security = [{ operatorToken: [] }]
const textType = 'text/plain'
const plainTexts = ['GET /metrics', 'GET /metrics/detail']
const pages = ['GET /docs', 'GET /docs/']
/** What answers 503 with what it answers else. */
const healthKeys = ['GET /livez', 'GET /readyz']
const ofAll = [Result.Unauthorized, Result.InternalError]
const ofReads = [...ofAll, Result.InvalidField]
const ofLists = [...ofReads, Result.InvalidParameter, Result.InvalidWallet]
const ofWrites = [
  ...[...ofLists, Result.InvalidRequest, Result.InvalidJson, Result.MissingField],
  ...[Result.PayloadTooLarge, Result.NotFound, Result.NoAccount, Result.EngineBusy],
  Result.NotReady,
]

/** Method and path of everything that the operator port serves. */
export const operatorKeys: readonly string[] = Object.keys(operatorNotes)

/** The OpenAPI document of what a venue serves its operator. */
export function operatorOpenApi(venue: DocumentedVenue): Json {
  const paths: Record<string, Record<string, Json>> = {}
  const errors = new SharedResponses()
  for (const key of operatorKeys) {
    const [method, path] = endpointOf(key)
    const ofPath = (paths[path.endsWith('/') ? `${path}{part}` : path] ??= {})
    ofPath[method.toLowerCase()] = operationText(key, errors)
  }
  const tags = Object.entries(operatorTagWords)
  return {
    openapi: '3.1.0',
    info: infoOf(venue, 'Strikebook operator interface', words),
    servers: [{ url: '/' }],
    security: [],
    tags: tags.map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: componentsOf([paths, errors.texts]),
      responses: errors.texts,
      examples: examplesNamedIn(errors.texts),
      securitySchemes: { operatorToken: { type: 'http', scheme: 'bearer' } },
    },
  }
}

function operationText(key: string, shared: SharedResponses): Json {
  const { tag, summary, body } = operatorNotes[key]!
  const isSecret = key.includes('/operator/') || key === 'POST /user-tier'
  const fields = operatorEndpoints[key]?.fields
  const content = { schema: bodySchema(fields ?? {}), example: body }
  return {
    operationId: operationIdOf(key),
    tags: [tag],
    summary,
    ...(isSecret ? { security } : {}),
    parameters: parametersOf(key),
    ...(fields === undefined
      ? {}
      : { requestBody: { required: true, content: { [jsonType]: content } } }),
    responses: responsesOf(key, isSecret, shared),
  }
}

function parametersOf(key: string): readonly Json[] {
  if (key === 'GET /docs/') {
    return [{ name: 'part', in: 'path', required: true, schema: { type: 'string' } }]
  }
  if (key !== 'GET /operator/usernames') return []
  const { query } = pendingNamesEndpoint
  return Object.entries(query).map(([name, parameter]) => parameterText(name, parameter, null))
}

function bodySchema(fields: Readonly<Record<string, { schema: JsonSchema; isOptional: boolean }>>) {
  const own = Object.entries(fields).map(([name, { schema, isOptional }]) => {
    const spelled = spelledOutWithin(schema)
    return isOptional ? ([`${name}?`, nullable(spelled)] as const) : ([name, spelled] as const)
  })
  return object(Object.fromEntries(own))
}

/** Formats are of ours at any depth. */
function spelledOutWithin(schema: unknown): JsonSchema {
  if (Array.isArray(schema)) return schema.map(spelledOutWithin) as unknown as JsonSchema
  if (typeof schema !== 'object' || schema === null) return schema as unknown as JsonSchema
  const within = Object.entries(schema).map(([name, part]) => [name, spelledOutWithin(part)])
  return spelledOut(Object.fromEntries(within))
}

function responsesOf(key: string, isSecret: boolean, shared: SharedResponses): Json {
  const isWrite = operatorEndpoints[key] !== undefined
  const ofKey = isWrite ? ofWrites : key === 'GET /operator/usernames' ? ofLists : ofReads
  const results = isSecret ? ofKey : ofKey.filter((result) => result !== Result.Unauthorized)
  const errors = errorsOf(Envelope.Bare, results)
  const told = errors.map(({ status, schema, codes }): readonly [number, Json] => [
    status,
    { schema, examples: errorExamples(Envelope.Bare, codes) },
  ])
  // Asked by another name than its own it answers nobody; what trading refuses is a conflict.
  const further: (readonly [number, Json])[] = [[403, { schema: errorOfAnyCode }]]
  if (isWrite) further.push([409, { schema: errorOfAnyCode }])
  if (healthKeys.includes(key)) further.push([503, { schema: operatorAnswers[key] }])
  const others = [...told, ...further].map(([status, content]) => {
    const text = response(STATUS_CODES[status]!, { [jsonType]: content }, {})
    return [String(status), shared.share(status, text)] as const
  })
  return { '200': response('Answered', goodContent(key), {}), ...Object.fromEntries(others) }
}

function goodContent(key: string): Json {
  const texts = { schema: { type: 'string' } }
  if (plainTexts.includes(key)) return { [textType]: texts }
  if (pages.includes(key)) return { [htmlType]: texts }
  const examples = bodyExamples(recordedExamples.operator, key)
  return { [jsonType]: { schema: operatorAnswers[key], ...examples } }
}
