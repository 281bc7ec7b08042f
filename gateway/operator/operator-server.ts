import {
  type OperatorAnswer,
  type OperatorRow,
  type OperatorScope,
  operatorRows,
} from '../../schemas/interface/operator.js'
import type { Parameters } from '../../schemas/interface/parameter.js'
import { endpointOf } from '../../schemas/interface/paths.js'
import { Result } from '../../schemas/results.js'
import { addressText } from '../transport/client-address.js'
import { Compressor } from '../transport/compressor.js'
import type { HeaderList, HttpCall } from '../transport/transport.js'
import type { Answer } from '../wire/answers.js'
import { Fault } from '../wire/fault.js'
import { unknownFieldText, unknownPathText } from '../wire/unknown-field.js'
import { auditAnswer } from './audit-read.js'
import { type OperatorEndpoint, operatorEndpoints } from './operator-endpoints.js'
import { OperatorGuard } from './operator-guard.js'
import { type OperatorAddress, OperatorListener } from './operator-listener.js'
import { hasScope, type OperatorIdentity } from './operator-scopes.js'
import {
  OperatorService,
  type OperatorServiceOptions,
  type RequestOrigin,
} from './operator-service.js'
import { faultAnswer } from './refused-answer.js'

/** Answer other than JSON of a command: health, metrics, state. */
export interface PlainAnswer {
  readonly status: number
  readonly contentType: string
  readonly body: string
}

/** Page with its content type and headers. A body of bytes is the same object for every request. */
export interface PageAnswer extends Omit<PlainAnswer, 'body'> {
  readonly body: string | Uint8Array
  /** Headers in addition to the content type. */
  readonly headers?: HeaderList
}

/** Authenticated read, whose query contains only parameters of its row. */
export type OperatorReader = (query: string) => Answer | Promise<Answer>

export interface OperatorServerOptions
  extends Omit<OperatorServiceOptions, 'log'>,
    OperatorAddress {
  /** Open listener of the port; absent: the server opens one. */
  readonly listener?: OperatorListener
  /** Pages without authentication, by path: /livez, /readyz, /metrics, documents. */
  readonly openPages: Readonly<Record<string, () => PageAnswer | Promise<PageAnswer>>>
  /** Reads by the path of their rows; the server adds the audit log and the approvals. */
  readonly reads: Readonly<Record<string, OperatorReader>>
  /** Host names to accept, in addition to `host` and loopback. */
  readonly hosts?: readonly string[]
  /** Receives messages about wrong tokens and failed writes. */
  readonly log?: (line: string) => void
}

const operatorPath = '/operator'
const identityPath = `${operatorPath}/identity`
/** Headers against caching, and against reads by scripts of other sites. */
const guardedHeaders: HeaderList = [
  ['Cache-Control', 'no-store'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
]
const jsonHeaders: HeaderList = [['Content-Type', 'application/json'], ...guardedHeaders]

/** Operation that needs a token. A read has no endpoint. */
interface ProtectedRow {
  readonly scope: OperatorScope | null
  readonly query: Parameters
  readonly endpoint: OperatorEndpoint | undefined
}

/** Rows by path, then method. */
const rowsByPath = new Map<string, Map<string, ProtectedRow>>()
for (const [key, { scope, query }] of Object.entries<OperatorRow>(operatorRows)) {
  if (scope === undefined) continue
  const [method, path] = endpointOf(key)
  const ofPath = rowsByPath.get(path) ?? new Map<string, ProtectedRow>()
  const row = { scope, query, endpoint: operatorEndpoints[key] }
  rowsByPath.set(path, ofPath.set(method, row))
  if (method === 'GET') ofPath.set('HEAD', row)
}

/** Operator interface: its own HTTP server, on the main thread. */
export interface OperatorServer {
  /** `http://host:port`, with the port that the system chose. */
  readonly url: string
  close(): void
}

/** Dependencies of the request handlers. */
interface ServerParts {
  readonly options: OperatorServerOptions
  readonly guard: OperatorGuard
  readonly service: OperatorService
  readonly reads: Readonly<Record<string, OperatorReader>>
  readonly compressor: Compressor
}

/**
 * Starts the operator interface.
 * @throws Error if the port is not available.
 */
export async function startOperatorServer(options: OperatorServerOptions): Promise<OperatorServer> {
  const { audit, hosts = [], log = () => {} } = options
  const guard = new OperatorGuard({ host: options.host, hosts, log })
  const service = new OperatorService({ ...options, log })
  const reads = {
    ...options.reads,
    '/operator/audit': (query: string) => auditAnswer(audit, query),
    '/operator/approvals': service.waiting,
  }
  const compressor = new Compressor()
  const listener = options.listener ?? (await OperatorListener.open(options))
  listener.onCall = (call) => {
    handle(call, { options, guard, service, reads, compressor }).catch((error: unknown) => {
      answer(call, faultAnswer(new Fault(Result.InternalError, {}, String(error))))
    })
  }
  const close = () => {
    service.close()
    listener.close()
  }
  return { url: listener.url, close }
}

async function handle(call: HttpCall, parts: ServerParts): Promise<void> {
  const { options, guard, service, compressor } = parts
  const { tokens } = options
  const isProtected = needsToken(call.path)
  const { method, path, address } = call
  const origin = { identity: null, method, path, address: addressText(address) }
  const stranger = guard.refusesHost(call.host)
  if (stranger !== null) {
    return answer(
      call,
      isProtected ? await service.refuse(origin, stranger, null, 403) : faultAnswer(stranger, 403),
    )
  }
  if (!isProtected) return serveOpenPage(call, options, compressor)
  if (!tokens.isOpen) return answer(call, faultAnswer(unknownPath(call, [])))
  const identity = tokens.identityOf(call.authorization)
  if (identity === null) {
    await guard.onWrongToken(address)
    const fault = new Fault(Result.Unauthorized, {}, 'The bearer token is missing or wrong')
    return answer(call, await service.refuse(origin, fault))
  }
  return serveKnown(call, { ...origin, identity }, parts)
}

/** Serves an authenticated request. Checks in this order: path, parameters, method, scope. */
async function serveKnown(
  call: HttpCall,
  origin: RequestOrigin & { readonly identity: NonNullable<RequestOrigin['identity']> },
  { service, reads, compressor }: ServerParts,
): Promise<void> {
  const rows = rowsByPath.get(call.path)
  if (rows === undefined) return answer(call, faultAnswer(unknownPath(call, rowsByPath.keys())))
  const row = rows.get(call.method)
  const parameter = unknownParameter(call.query, row)
  if (parameter !== null) return answer(call, faultAnswer(parameter))
  if (row === undefined) return refuseMethod(call, [...rows.keys()])
  const { scopes, name } = origin.identity
  if (row.scope !== null && !hasScope(origin.identity, row.scope)) {
    const message = `Scope ${row.scope} missing: ${name} has ${scopes.join(', ')}`
    return answer(
      call,
      await service.refuse(origin, new Fault(Result.Unauthorized, {}, message), null, 403),
    )
  }
  if (call.path === identityPath) return answer(call, identityAnswer(origin.identity))
  const { scope, endpoint } = row
  if (endpoint !== undefined) {
    return answer(call, await service.execute(origin, { scope, endpoint }, call.body))
  }
  answer(compressor.single(call), await reads[call.path]!(call.query))
}

/** Answers GET /operator/identity. */
function identityAnswer({ name, scopes }: OperatorIdentity): Answer {
  const body: OperatorAnswer<'GET /operator/identity'> = { ok: true, identity: name, scopes }
  return { status: 200, body: JSON.stringify(body) }
}

async function serveOpenPage(
  call: HttpCall,
  { openPages }: OperatorServerOptions,
  compressor: Compressor,
): Promise<void> {
  const page = openPages[call.path]
  if (page === undefined) {
    return answer(call, faultAnswer(unknownPath(call, Object.keys(openPages))))
  }
  const parameter = unknownParameter(call.query)
  if (parameter !== null) return answer(call, faultAnswer(parameter))
  if (call.method !== 'GET' && call.method !== 'HEAD') return refuseMethod(call, ['GET', 'HEAD'])
  const { status, contentType, body, headers = guardedHeaders } = await page()
  compressor.kept(call).answer(status, body, [['Content-Type', contentType], ...headers])
}

/** Returns the fault of an unknown parameter, or null. The text repeats no value, which may be a token. */
function unknownParameter(query: string, row?: ProtectedRow): Fault | null {
  const known = Object.keys(row?.query ?? {})
  const unknown = [...new URLSearchParams(query).keys()].find((name) => !known.includes(name))
  if (unknown === undefined) return null
  return new Fault(Result.InvalidField, {}, unknownFieldText(unknown, known))
}

/** True if a path needs a token, whether it is served or not. */
function needsToken(path: string): boolean {
  return path === operatorPath || path.startsWith(`${operatorPath}/`) || rowsByPath.has(path)
}

/**
 * @param known Paths that the requester may know.
 */
function unknownPath({ method, path }: HttpCall, known: Iterable<string>): Fault {
  const isRead = method === 'GET' || method === 'HEAD'
  const result = isRead ? Result.NotFound : Result.UnsupportedEndpoint
  return new Fault(result, {}, unknownPathText(result, path, known))
}

function refuseMethod(call: HttpCall, allowed: readonly string[]): void {
  const headers: HeaderList = [['Allow', allowed.join(', ')]]
  answer(call, faultAnswer(new Fault(Result.MethodNotAllowed)), headers)
}

function answer(call: HttpCall, { status, body }: Answer, headers: HeaderList = []): void {
  call.answer(status, body, [...jsonHeaders, ...headers])
}
