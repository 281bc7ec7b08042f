import { formatLots, formatMicros } from '../../schemas/decimal.js'
import type {
  ApprovalDecision,
  Done,
  OperatorAnswer,
  OperatorScope,
  WaitsForApproval,
} from '../../schemas/interface/operator.js'
import { Result, resultRows } from '../../schemas/results.js'
import type { Answer } from '../wire/answers.js'
import { Fault } from '../wire/fault.js'
import { parseJson } from '../wire/parse-json.js'
import { isJsonObject, type JsonObject } from '../wire/request-fields.js'
import { Approvals, type WaitingRequest } from './approvals.js'
import type { AuditAction, AuditEnding, AuditLog } from './audit-log.js'
import type { Values } from './body-field.js'
import type { KeptRequest, KeptRequests } from './kept-requests.js'
import { LostFile } from './noted-files.js'
import {
  type ApprovalRow,
  type OperatorEndpoint,
  type OperatorRequest,
  operatorEndpoints,
  readOperation,
} from './operator-endpoints.js'
import { readBody } from './operator-fields.js'
import type { RequestContext } from './operator-listings.js'
import type { OperatorOutcome, OperatorSender } from './operator-port.js'
import type { OperatorIdentity } from './operator-scopes.js'
import { type OperatorTokens, withoutTokens } from './operator-tokens.js'
import { RefusalAllowance } from './refusal-allowance.js'
import { faultAnswer, statusOf } from './refused-answer.js'

/** Request as the audit log records it. */
export interface RequestOrigin {
  /** Null: unauthenticated. */
  readonly identity: OperatorIdentity | null
  readonly address: string
  readonly method: string
  readonly path: string
}

export interface OperatorServiceOptions {
  readonly audit: AuditLog
  readonly tokens: OperatorTokens
  readonly sender: OperatorSender
  readonly context: RequestContext
  /** Time that a money request waits for approval by a second identity; 0: no approval needed. */
  readonly approvalMillis: number
  /** Storage of pending requests. */
  readonly keptRequests: KeptRequests
  /** Called when the engine has rejected a request. */
  readonly onRefused: (refusal: Fault) => void
  /** Receives messages for the operator. */
  readonly log: (line: string) => void
}

type KnownOrigin = RequestOrigin & { readonly identity: OperatorIdentity }

/** Endpoint of a write, with the scope of its row. */
export interface ScopedEndpoint {
  readonly scope: OperatorScope | null
  readonly endpoint: OperatorEndpoint
}

const unknownResults = new Set<Result>([Result.NotReady, Result.InternalError])

/** Executes the operators' writes. Records each action in the audit log, and holds money requests for approval. */
export class OperatorService {
  readonly #options: OperatorServiceOptions
  readonly #approvals: Approvals
  readonly #allowance = new RefusalAllowance(() => performance.now())

  constructor(options: OperatorServiceOptions) {
    this.#options = options
    this.#approvals = new Approvals({
      waitMillis: options.approvalMillis,
      nowMillis: options.context.wallMillis,
      file: options.keptRequests,
      onExpired: (waiting) => this.#expire(waiting),
    })
    this.#restore()
  }

  /** Executes a write after recording it in the audit log. */
  async execute(
    origin: KnownOrigin,
    { scope, endpoint }: ScopedEndpoint,
    bytes: Buffer | null,
  ): Promise<Answer> {
    if ('isApproval' in endpoint) return this.#decide(origin, endpoint, bytes)
    const body = parseBody(bytes)
    const request =
      body instanceof Fault ? body : readOperation(endpoint, body, this.#options.context)
    if (request instanceof Fault) return this.refuse(origin, request, bodyOf(body))
    const waits = scope === 'money' && this.#options.approvalMillis > 0
    if (waits) return this.#wait(origin, request, body as JsonObject)
    return this.#perform(actionOf(origin, body), request, (outcome) => ({
      ...{ ...doneOf(outcome), ...request.describe(outcome) },
    }))
  }

  /** Approves or rejects a pending request. */
  async #decide(
    origin: KnownOrigin,
    { fields }: ApprovalRow,
    bytes: Buffer | null,
  ): Promise<Answer> {
    const body = parseBody(bytes)
    const values = body instanceof Fault ? body : readBody(fields, body)
    if (values instanceof Fault) return this.refuse(origin, values, bodyOf(body))
    const waiting = this.#approvals.find(values.approval_id.toLowerCase())
    const fault = this.#faultOf(origin.identity, waiting, values)
    if (fault !== null) {
      const http = fault.result === Result.Unauthorized ? 403 : undefined
      return this.refuse(origin, fault, bodyOf(body), http)
    }
    const approvals = this.#approvals
    const { audited, request } = approvals.take(waiting!.audited.approval_id)!
    const action = { ...actionOf(origin, body), requested: audited }
    const both = { approval_id: audited.approval_id, requested_by: audited.identity }
    if (values.verdict === rejectedIndex) return this.#reject(action, both, waiting!)
    return this.#perform(
      action,
      request,
      (outcome): ApprovalDecision => ({
        ...{ ...doneOf(outcome), verdict: 'approved', ...both },
        approved_by: origin.identity.name,
        answer: request.describe(outcome),
      }),
      {
        // A sent request may take effect whatever happens next, so it must no longer be pending.
        beforeSend: () => approvals.keep(),
        onUndone: () => this.#putBack(waiting!),
      },
    )
  }

  /** Answers GET /operator/approvals. */
  readonly waiting = (): Answer<OperatorAnswer<'GET /operator/approvals'>> => {
    const data = this.#approvals.waiting.map(({ audited, requestedMillis, expiresMillis }) => {
      const { identity, ...request } = audited
      const times = { requested_ts_ms: requestedMillis, expires_ts_ms: expiresMillis }
      return { ...request, requested_by: identity, ...times }
    })
    return answerOf(200, { ok: true, data })
  }

  /** Fails an attempt, and records it in the audit log within the allowance for failed attempts. */
  async refuse(
    origin: RequestOrigin,
    fault: Fault,
    body: unknown = null,
    http?: number,
  ): Promise<Answer> {
    const leftOut = this.#allowance.take(origin.identity?.name ?? null)
    const answer = faultAnswer(fault, http)
    if (leftOut === null) return answer
    const ending = { ...refusedBy(fault, answer.status), left_out: leftOut }
    await this.#options.audit
      .note(actionOf(origin, body), ending)
      .catch((error) => this.#options.log(`audit log: ${String(error)}`))
    return answer
  }

  close(): void {
    this.#approvals.close()
  }

  async #perform(
    action: AuditAction,
    request: OperatorRequest,
    describe: (outcome: OperatorOutcome) => object,
    { beforeSend, onUndone }: ActionHooks = noHooks,
  ): Promise<Answer> {
    const { audit, sender, onRefused } = this.#options
    let id: number | null = null
    try {
      id = await audit.begin(action)
      beforeSend()
    } catch (error) {
      onUndone()
      const fault = unwritten(id === null ? auditLogName : approvalsName, error)
      const answer = this.#refuseUnwritten(fault, action.path, error)
      if (id !== null) await audit.end(id, refusedBy(fault, answer.status))
      return answer
    }
    const outcome = await sender.send(request.command)
    const { result, seq } = outcome
    if (result === Result.Accepted) {
      await audit.end(id, { outcome: 'done', status: 200, code: null, seq })
      return answerOf(200, describe(outcome))
    }
    const refusal = refusalOf(outcome, request)
    const ending = refusedBy(refusal, statusOf(refusal))
    // The answer is lost, but the command may have been executed.
    await audit.end(id, unknownResults.has(result) ? { ...ending, outcome: 'unknown' } : ending)
    if (result === Result.EngineBusy) onUndone()
    onRefused(refusal)
    return faultAnswer(refusal)
  }

  async #wait(origin: KnownOrigin, request: OperatorRequest, body: JsonObject): Promise<Answer> {
    const { method, path, identity } = origin
    if (!this.#approvals.hasRoom(identity.name)) {
      const full = new Fault(
        Result.Conflict,
        {},
        'Too many of your requests already await approval',
      )
      return this.refuse(origin, full, body)
    }
    const audited = {
      identity: identity.name,
      method,
      path,
      body: withoutSecrets(body) as JsonObject,
    }
    const approvals = this.#approvals
    const waiting = approvals.prepare(audited, body, request)
    // Added synchronously, so that concurrent requests count too.
    approvals.add(waiting)
    const action = { ...actionOf(origin, body), requested: waiting.audited }
    const ending = { outcome: 'waiting', status: 202, code: null, seq: null } as const
    let what = approvalsName
    try {
      approvals.keep()
      what = auditLogName
      await this.#options.audit.note(action, ending)
    } catch (error) {
      approvals.take(waiting.audited.approval_id)
      this.#saveOrLog()
      return this.#refuseUnwritten(unwritten(what, error), path, error)
    }
    return answerOf<WaitsForApproval>(202, {
      ...{ ok: true, result: 'WAITS_FOR_APPROVAL', approval_id: waiting.audited.approval_id },
      ...{ requested_by: identity.name, expires_ts_ms: waiting.expiresMillis },
    })
  }

  async #reject(
    action: AuditAction,
    both: Pick<ApprovalDecision, 'approval_id' | 'requested_by'>,
    waiting: WaitingRequest,
  ): Promise<Answer> {
    let what = approvalsName
    try {
      // Before the audit line: a request recorded as rejected must not be pending after the next start.
      this.#approvals.keep()
      what = auditLogName
      const ending = { outcome: 'done', status: 200, code: null, seq: null } as const
      await this.#options.audit.note(action, ending)
    } catch (error) {
      this.#putBack(waiting)
      return this.#refuseUnwritten(unwritten(what, error), action.path, error)
    }
    return answerOf<ApprovalDecision>(200, { ok: true, verdict: 'rejected', ...both })
  }

  /**
   * Returns why an identity may not decide, or null. The requester may withdraw but not approve it. Nobody can approve
   * it once the requester has lost the scope.
   */
  #faultOf(
    identity: OperatorIdentity,
    waiting: WaitingRequest | null,
    { verdict }: Values<ApprovalRow['fields']>,
  ): Fault | null {
    if (waiting === null)
      return new Fault(Result.NotFound, {}, 'No request with this approval_id awaits approval')
    if (verdict === rejectedIndex) return null
    const { audited } = waiting
    if (audited.identity === identity.name) {
      return new Fault(Result.Unauthorized, {}, 'Another identity must approve this request')
    }
    if (this.#options.tokens.namesWith('money').includes(audited.identity)) return null
    return new Fault(Result.Conflict, {}, `${audited.identity} no longer has the scope money`)
  }

  #refuseUnwritten(fault: Fault, path: string, error: unknown): Answer {
    this.#options.log(`alarm: ${fault.message}: ${path}: ${String(error)}`)
    return faultAnswer(fault)
  }

  /** Restores the pending requests of the previous run that are still valid. */
  #restore(): void {
    const { keptRequests, context, approvalMillis, log } = this.#options
    const kept = keptRequests.read((text) => log(`alarm: ${text}`))
    const gone: KeptRequest[] = []
    for (const one of kept) {
      const request = requestOf(one, context)
      const isLate = one.expiresMillis <= context.wallMillis() || approvalMillis === 0
      if (request instanceof Fault || isLate) gone.push(one)
      else this.#approvals.add({ ...one, request })
    }
    if (gone.length > 0) this.#saveOrLog()
    for (const one of gone) this.#noteExpired(one)
  }

  /** Restores a request after nothing was done, so that it can be approved again. */
  #putBack(waiting: WaitingRequest): void {
    this.#approvals.add(waiting)
    this.#saveOrLog()
  }

  /** Saves the pending requests, when a failure can only be logged. */
  #saveOrLog(): void {
    try {
      this.#approvals.keep()
    } catch (error) {
      this.#options.log(`alarm: ${String(error)}: another start would not find what waits now`)
    }
  }

  #expire(waiting: WaitingRequest): void {
    this.#saveOrLog()
    this.#noteExpired(waiting)
  }

  #noteExpired({ audited }: KeptRequest): void {
    const { identity, method, path, body } = audited
    const action = { ...{ identity, method, path, body, address: '' }, requested: audited }
    const ending = { outcome: 'expired', status: 0, code: null, seq: null } as const
    this.#options.audit.note(action, ending).catch((error) => {
      this.#options.log(`audit log: ${String(error)}`)
    })
  }
}

/** Callbacks of an action in addition to its audit lines. */
interface ActionHooks {
  /** Called after the audit line and before the command is sent. @throws Error to prevent the command. */
  readonly beforeSend: () => void
  /** Called if nothing was done, so that it can be requested again. */
  readonly onUndone: () => void
}

const noHooks: ActionHooks = { beforeSend: () => {}, onUndone: () => {} }

/** Parses the operation of a pending request again. */
function requestOf(
  { audited, body }: KeptRequest,
  context: RequestContext,
): OperatorRequest | Fault {
  const key = `${audited.method} ${audited.path}`
  const row = Object.hasOwn(operatorEndpoints, key) ? operatorEndpoints[key] : undefined
  if (row === undefined || !('request' in row)) return new Fault(Result.NotFound)
  return readOperation(row, body, context)
}

const rejectedIndex = 1
const methodCharsMax = 16
const pathCharsMax = 256
const secretName = /token|secret|password|passphrase|private.?key|authorization/i

function actionOf({ identity, address, method, path }: RequestOrigin, body: unknown): AuditAction {
  const name = identity?.name ?? null
  // Texts from an unauthenticated client may be long.
  const shown = {
    method: method.slice(0, methodCharsMax),
    path: withoutTokens(path).slice(0, pathCharsMax),
  }
  return { identity: name, address, ...shown, body: bodyOf(body), requested: null }
}

/** Returns a body for the audit log with possible secrets masked. No field of this interface holds one. */
function bodyOf(body: unknown): unknown {
  return body instanceof Fault ? null : withoutSecrets(body)
}

function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return withoutTokens(value)
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, part]) => {
    return [withoutTokens(name), secretName.test(name) ? '***' : withoutSecrets(part)]
  })
  return Object.fromEntries(fields)
}

function parseBody(bytes: Buffer | null): JsonObject | Fault {
  if (bytes === null) return new Fault(Result.PayloadTooLarge)
  const body = parseJson(bytes)
  if (body instanceof Fault || isJsonObject(body)) return body
  return new Fault(Result.InvalidRequest, {}, 'The body must be a JSON object')
}

function answerOf<Json extends object>(status: number, json: Json): Answer<Json> {
  return { status, body: JSON.stringify(json) }
}

function doneOf({ seq, timeMillis }: OperatorOutcome): Done {
  return { ok: true, seq, timestamp: timeMillis }
}

function refusedBy({ result }: Fault, status: number): AuditEnding {
  const code = resultRows[result].code ?? 'conflict'
  return { outcome: 'refused', status, code, seq: null }
}

const auditLogName = 'The audit log'
const approvalsName = 'The file of pending approvals'

function unwritten(what: string, error: unknown): Fault {
  const why = error instanceof LostFile ? `: ${error.message}` : ''
  return new Fault(Result.NotReady, {}, `${what} cannot be written${why}; nothing was done`)
}

/** Returns the fault of a command that the engine rejected, with its values. */
function refusalOf(outcome: OperatorOutcome, request: OperatorRequest): Fault {
  const { result, details, wallet } = outcome
  const values: Record<string, string> = { wallet, ...request.valuesOf?.(outcome) }
  for (const { name, unit } of resultRows[result].details ?? []) {
    const value = details[name] ?? 0
    if (unit === 'micros') values[name] = formatMicros(value)
    if (unit === 'lots') values[name] = formatLots(value)
  }
  return new Fault(result, values, request.refusals?.[result])
}
