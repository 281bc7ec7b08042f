import { Envelope } from '../../schemas/interface/answer.js'
import { errorOfAnyCode, errorsOf } from '../../schemas/interface/errors.js'
import {
  type OperatorRow,
  type OperatorScope,
  operatorGroups,
  operatorRows,
  scopeWords,
  waitsForApproval,
} from '../../schemas/interface/operator.js'
import { endpointOf } from '../../schemas/interface/paths.js'
import { type JsonSchema, nullable, object } from '../../schemas/interface/shape.js'
import { Result } from '../../schemas/results.js'
import { operatorEndpoints } from '../operator/operator-endpoints.js'
import { componentsOf } from './components.js'
import { bodyExamples, errorExamples, examplesNamedIn } from './examples.js'
import { recordedExamples } from './generated/recorded-examples.js'
import { type DocumentedVenue, infoOf, operationIdOf, parameterText } from './openapi.js'
import { spelledOut } from './request-bodies.js'
import { htmlType, jsonType, response, SharedResponses } from './responses.js'

type Json = Readonly<Record<string, unknown>>

const scopeLines = Object.entries(scopeWords).map(([scope, reach]) => `- \`${scope}\`: ${reach}`)
const words = [
  [
    'Interface of the operator, on a port of its own. Paths under /operator, and POST /user-tier, need',
    '`Authorization: Bearer` with a token: `operator.token`, the file `operator.token` in the data',
    'directory, or an identity of `operator.tokensFile` with the scope of the operation (`x-scope`).',
    'Health, metrics and this document need no token; the document has no secrets. The answer to a write',
    'comes after the change and its line in the audit log are on disk. `seq` is the sequence of the change.',
    'With `operator.secondApproval` writes of the scope `money` answer 202, and the venue executes them',
    'when another identity approves them. The venue compresses pages and reads of more than 1 KiB with br',
    'or gzip, as `Accept-Encoding` prefers.',
  ].join(' '),
  `Scopes:\n\n${scopeLines.join('\n')}`,
].join('\n\n')
const textType = 'text/plain'
const plainTexts = ['GET /metrics', 'GET /metrics/detail']
const pages = ['GET /docs', 'GET /docs/', 'GET /app', 'GET /app/']
/** Pages whose 503 has the schema of their 200. */
const healthKeys = ['GET /livez', 'GET /readyz']
const statusWords: Readonly<Record<number, string>> = {
  400: 'The request is invalid',
  401: 'The token is missing or wrong',
  403: 'The token lacks the scope, or the port does not serve the Host header',
  404: 'The object of the request does not exist',
  409: 'The state of the venue does not permit the change',
  413: 'The body is too large',
  500: 'The venue failed; the result is unknown',
  503: 'The venue cannot process the request now',
}
const ofAll = [Result.Unauthorized, Result.InternalError]
const ofReads = [...ofAll, Result.InvalidField]
const ofLists = [...ofReads, Result.InvalidParameter, Result.InvalidWallet]
const ofWrites = [
  ...[...ofLists, Result.InvalidRequest, Result.InvalidJson, Result.MissingField],
  ...[Result.PayloadTooLarge, Result.NotFound, Result.NoAccount, Result.EngineBusy],
  Result.NotReady,
]

const rows: Readonly<Record<string, OperatorRow>> = operatorRows

/** Methods and paths of the operator port. */
export const operatorKeys: readonly string[] = Object.keys(operatorRows)

/** Returns the OpenAPI document of the operator port. */
export function operatorOpenApi(venue: DocumentedVenue): Json {
  const paths: Record<string, Record<string, Json>> = {}
  const errors = new SharedResponses()
  for (const key of operatorKeys) {
    const [method, path] = endpointOf(key)
    const ofPath = (paths[path.endsWith('/') ? `${path}{part}` : path] ??= {})
    ofPath[method.toLowerCase()] = operationText(key, errors)
  }
  const tags = Object.entries(operatorGroups)
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
  const row = rows[key]!
  const { group, summary, description, scope, example } = row
  const fields = operatorEndpoints[key]?.fields
  const content = { schema: bodySchema(fields ?? {}), example }
  return {
    operationId: operationIdOf(key),
    tags: [group],
    summary,
    ...(scope === undefined ? { description } : scopeText(scope, description)),
    parameters: parametersOf(key, row),
    ...(fields === undefined
      ? {}
      : { requestBody: { required: true, content: { [jsonType]: content } } }),
    responses: responsesOf(key, shared),
  }
}

/** Describes the required scope, as a role of the bearer scheme and as text. */
function scopeText(scope: OperatorScope | null, description: string | undefined): Json {
  if (scope === null) return { description, security: [{ operatorToken: [] }] }
  const needed = `Needs the scope \`${scope}\`: ${scopeWords[scope]}.`
  return {
    description: description === undefined ? needed : `${description} ${needed}`,
    'x-scope': scope,
    security: [{ operatorToken: [scope] }],
  }
}

function parametersOf(key: string, { query }: OperatorRow): readonly Json[] {
  if (key.endsWith('/')) {
    const description = 'Name of the part'
    return [{ name: 'part', in: 'path', required: true, description, schema: { type: 'string' } }]
  }
  return Object.entries(query).map(([name, parameter]) => parameterText(name, parameter, null))
}

function bodySchema(fields: Readonly<Record<string, { schema: JsonSchema; isOptional: boolean }>>) {
  const own = Object.entries(fields).map(([name, { schema, isOptional }]) => {
    const spelled = { schema: spelledOut(schema) }
    return isOptional ? ([`${name}?`, nullable(spelled)] as const) : ([name, spelled] as const)
  })
  return object(Object.fromEntries(own)).schema
}

function responsesOf(key: string, shared: SharedResponses): Json {
  const { scope, query } = rows[key]!
  const endpoint = operatorEndpoints[key]
  const isWrite = endpoint !== undefined
  const ofKey = isWrite ? ofWrites : Object.keys(query).length > 0 ? ofLists : ofReads
  const results =
    scope !== undefined ? ofKey : ofKey.filter((result) => result !== Result.Unauthorized)
  const errors = errorsOf(Envelope.Bare, results)
  // 403: a wrong Host header, or a token without the scope. 409: the state does not allow the write.
  const ofAnyCode = new Set([403, ...(isWrite ? [409] : [])])
  const answers = new Map<number, Json>(
    [...ofAnyCode].map((status) => [status, { schema: errorOfAnyCode }]),
  )
  for (const { status, schema, codes } of errors) {
    const examples = errorExamples(Envelope.Bare, codes)
    answers.set(status, { schema: ofAnyCode.has(status) ? errorOfAnyCode : schema, examples })
  }
  if (healthKeys.includes(key)) answers.set(503, { schema: rows[key]!.answer!.schema })
  const others = [...answers].map(([status, content]) => {
    const isFailedCheck = status === 503 && healthKeys.includes(key)
    const text = response(
      isFailedCheck ? 'The check failed' : statusWords[status]!,
      { [jsonType]: content },
      {},
    )
    return [String(status), shared.share(status, text)] as const
  })
  const waiting = scope === 'money' && isWrite && 'request' in endpoint
  return {
    '200': response('The request succeeded', goodContent(key), {}),
    ...(waiting ? { '202': waitingResponse } : {}),
    ...Object.fromEntries(others),
  }
}

const waitingResponse = response(
  'The request waits for the approval of another identity',
  { [jsonType]: { schema: waitsForApproval.schema } },
  {},
)

function goodContent(key: string): Json {
  const texts = { schema: { type: 'string' } }
  if (plainTexts.includes(key)) return { [textType]: texts }
  if (pages.includes(key)) return { [htmlType]: texts }
  const examples = bodyExamples(recordedExamples.operator, key)
  return { [jsonType]: { schema: rows[key]!.answer!.schema, ...examples } }
}
