import { createHash, timingSafeEqual } from 'node:crypto'
import { formatLots, formatMicros } from '../../schemas/decimal.js'
import { Result, resultRows } from '../../schemas/results.js'
import { allocateSocketCounts, SocketCounts, type SocketLimits } from '../limits/socket-counts.js'
import type { HeaderList, HttpCall } from '../transport/transport.js'
import type { Transports } from '../transport/transports.js'
import type { Answer } from '../wire/answers.js'
import { Fault } from '../wire/fault.js'
import { endpointOf } from '../wire/read-endpoints.js'
import { isJsonObject, type JsonObject } from '../wire/request-fields.js'
import { unknownFieldText } from '../wire/unknown-field.js'
import {
  type Operation,
  type OperatorRequest,
  operatorEndpoints,
  readOperation,
} from './operator-endpoints.js'
import { OperatorGuard } from './operator-guard.js'
import type { RequestContext } from './operator-listings.js'
import type { OperatorOutcome, OperatorSender } from './operator-port.js'
/** An answer that is not JSON of a command: health, metrics, state. */
export interface PlainAnswer {
  readonly status: number
  readonly contentType: string
  readonly body: string
}

/** A page with what it is made of. */
export interface PageAnswer extends Omit<PlainAnswer, 'body'> {
  readonly body: string | Uint8Array
  /** Beside its type. */
  readonly headers?: HeaderList
}

export interface OperatorServerOptions {
  readonly host: string
  /** 0: chosen by the system. */
  readonly port: number
  readonly transports: Transports
  /** '': the paths under /operator do not exist. */
  readonly token: string
  readonly context: RequestContext
  readonly sender: OperatorSender
  /** The engine has refused a request. */
  readonly onRefused: (refusal: Fault) => void
  /** Pages that anybody may read, by path: /livez, /readyz, /metrics, documents. */
  readonly openPages: Readonly<Record<string, () => PageAnswer | Promise<PageAnswer>>>
  /** Pages that need the token, by path: /operator/state. */
  readonly tokenPages: Readonly<Record<string, () => PlainAnswer | Promise<PlainAnswer>>>
  /** Reads with parameters that need the token, by path: /operator/usernames. */
  readonly lists?: Readonly<Record<string, (query: string) => Answer>>
  /** Names that it may be asked by, beside `host` and those of loopback. */
  readonly hosts?: readonly string[]
  /** Hears of wrong tokens. */
  readonly log?: (line: string) => void
}

const bearer = 'Bearer '
const operatorPath = '/operator'
// Within what is kept of the descriptors for the venue itself.
const connectionsMax = 64
const socketLimits: SocketLimits = {
  perAddressMax: connectionsMax,
  unfinishedBytesMax: 16 * 1024 * 1024,
  holdsOnLoopback: false,
  isProxy: () => false,
}
const jsonHeaders: HeaderList = [['Content-Type', 'application/json']]

/** Operations by path, then method. */
const operationsByPath = new Map<string, Map<string, Operation>>()
for (const [key, operation] of Object.entries(operatorEndpoints)) {
  const [method, path] = endpointOf(key)
  operationsByPath.set(
    path,
    (operationsByPath.get(path) ?? new Map<string, Operation>()).set(method, operation),
  )
}

/** The operator interface: an HTTP server of its own, on the main thread. */
export interface OperatorServer {
  /** `http://host:port`, with the port that the system chose. */
  readonly url: string
  close(): void
}

/**
 * Starts the operator interface.
 * @throws Error when the port cannot be had.
 */
export async function startOperatorServer(options: OperatorServerOptions): Promise<OperatorServer> {
  const { hosts = [], log = () => {} } = options
  const ledger = new SocketCounts(allocateSocketCounts(), socketLimits)
  ledger.setMax(connectionsMax)
  const guard = new OperatorGuard({ host: options.host, hosts, log })
  const transport = options.transports.open(
    {
      onCall: (call) => {
        handle(call, options, guard).catch((error: unknown) => {
          refuse(call, new Fault(Result.InternalError, {}, String(error)))
        })
      },
      refuseStream: () => ({ status: 503, body: '', headers: [] }),
      refuseCall: () => null,
      onCallEnd: () => {},
      onStream: () => {
        throw new Error('the operator interface has no streams')
      },
    },
    { ledger },
  )
  const { port, release } = await options.transports.holdPort(options.host, options.port)
  await transport.listen(options.host, port)
  release()
  const host = options.host.includes(':') ? `[${options.host}]` : options.host
  return { url: `http://${host}:${port}`, close: () => transport.close() }
}

async function handle(
  call: HttpCall,
  options: OperatorServerOptions,
  guard: OperatorGuard,
): Promise<void> {
  const stranger = guard.refusesHost(call.host)
  if (stranger !== null) return refuse(call, stranger, jsonHeaders, 403)
  const isClosed = needsToken(call.path)
  if (isClosed && options.token === '') return refuse(call, unknownPath(call))
  if (isClosed && !isAuthorized(call.authorization, options.token)) {
    await guard.onWrongToken(call.address)
    return refuse(call, new Fault(Result.Unauthorized, {}, 'Bearer token missing or wrong'))
  }
  const page = isClosed ? options.tokenPages[call.path] : options.openPages[call.path]
  const list = isClosed ? options.lists?.[call.path] : undefined
  const isRead = call.method === 'GET' || call.method === 'HEAD'
  if (list !== undefined && isRead) {
    const { status, body } = list(call.query)
    return call.answer(status, body, jsonHeaders)
  }
  const operations = operationsByPath.get(call.path)
  if (page === undefined && operations === undefined) return refuse(call, unknownPath(call))
  const parameter = [...new URLSearchParams(call.query).keys()][0]
  if (parameter !== undefined) {
    return refuse(call, new Fault(Result.InvalidField, {}, unknownFieldText(parameter, [])))
  }
  if (page !== undefined) return servePage(call, page)
  const operation = operations!.get(call.method)
  const reads = list === undefined ? [] : ['GET', 'HEAD']
  if (operation === undefined) return refuseMethod(call, [...reads, ...operations!.keys()])
  return execute(call, operation, options)
}

async function execute(
  call: HttpCall,
  operation: Operation,
  options: OperatorServerOptions,
): Promise<void> {
  const body = parseBody(call.body)
  const request = body instanceof Fault ? body : readOperation(operation, body, options.context)
  if (request instanceof Fault) return refuse(call, request)
  const outcome = await options.sender.send(request.command)
  if (outcome.result !== Result.Accepted) {
    const refusal = refusalOf(outcome, request)
    options.onRefused(refusal)
    return refuse(call, refusal)
  }
  const { seq, timeMillis } = outcome
  const answer = { ok: true, seq, timestamp: timeMillis, ...request.describe(outcome) }
  call.answer(200, JSON.stringify(answer), jsonHeaders)
}

/** Why the engine did not do it, with the values that it named. */
function refusalOf(outcome: OperatorOutcome, request: OperatorRequest): Fault {
  const { result, details, wallet } = outcome
  const values: Record<string, string> = { wallet, ...request.valuesOf?.(outcome) }
  for (const { name, unit } of resultRows[result].details ?? []) {
    const value = details[name] ?? 0
    if (unit === 'micros') values[name] = formatMicros(value)
    if (unit === 'lots') values[name] = formatLots(value)
  }
  return new Fault(result, values)
}

async function servePage(
  call: HttpCall,
  page: () => PageAnswer | Promise<PageAnswer>,
): Promise<void> {
  if (call.method !== 'GET' && call.method !== 'HEAD') return refuseMethod(call, ['GET', 'HEAD'])
  const { status, contentType, body, headers = [] } = await page()
  call.answer(status, body, [['Content-Type', contentType], ...headers])
}

function parseBody(bytes: Buffer | null): JsonObject | Fault {
  if (bytes === null) return new Fault(Result.PayloadTooLarge)
  try {
    const body: unknown = JSON.parse(bytes.toString())
    if (isJsonObject(body)) return body
    return new Fault(Result.InvalidRequest, {}, 'The body must be a JSON object')
  } catch {
    return new Fault(Result.InvalidJson)
  }
}

/** Whether only the operator hears of a path, be it served or not. */
function needsToken(path: string): boolean {
  return path === operatorPath || path.startsWith(`${operatorPath}/`) || operationsByPath.has(path)
}

function unknownPath(call: HttpCall): Fault {
  const isRead = call.method === 'GET' || call.method === 'HEAD'
  return new Fault(isRead ? Result.NotFound : Result.UnsupportedEndpoint)
}

/** Compares digests, so that neither the length nor the first difference shows in the time it takes. */
function isAuthorized(authorization: string, token: string): boolean {
  if (!authorization.startsWith(bearer)) return false
  return timingSafeEqual(digestOf(authorization.slice(bearer.length)), digestOf(token))
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function refuseMethod(call: HttpCall, allowed: readonly string[]): void {
  const headers: HeaderList = [...jsonHeaders, ['Allow', allowed.join(', ')]]
  refuse(call, new Fault(Result.MethodNotAllowed), headers)
}

function refuse(
  call: HttpCall,
  { result, message }: Fault,
  headers: HeaderList = jsonHeaders,
  http?: number,
): void {
  const row = resultRows[result]
  // What trading answers with 200 and a status is a plain conflict here: nothing changed.
  const status = http ?? (row.http === 200 ? 409 : row.http)
  const code = row.code ?? 'conflict'
  call.answer(status, JSON.stringify({ code, message, error: code }), headers)
}
