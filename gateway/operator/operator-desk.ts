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

/** A request as the audit log names it. */
export interface Asked {
  /** null: nobody that is known. */
  readonly identity: OperatorIdentity | null
  readonly address: string
  readonly method: string
  readonly path: string
}

export interface OperatorDeskOptions {
  readonly audit: AuditLog
  readonly tokens: OperatorTokens
  readonly sender: OperatorSender
  readonly context: RequestContext
  /** How long a request for money waits for a second identity; 0: it is not asked for. */
  readonly approvalMillis: number
  /** Where what waits is kept. */
  readonly keptRequests: KeptRequests
  /** The engine has refused a request. */
  readonly onRefused: (refusal: Fault) => void
  /** Something that an operator has to know. */
  readonly log: (line: string) => void
}

type Known = Asked & { readonly identity: OperatorIdentity }

/** A write, with the scope of its row. */
export interface AskedWrite {
  readonly scope: OperatorScope | null
  readonly endpoint: OperatorEndpoint
}

const isPending = new Set<Result>([Result.NotReady, Result.InternalError])

/** What operators have done here: each action with its lines in the audit log, and money with a second word. */
export class OperatorDesk {
  readonly #options: OperatorDeskOptions
  readonly #approvals: Approvals
  readonly #allowance = new RefusalAllowance(() => performance.now())

  constructor(options: OperatorDeskOptions) {
    this.#options = options
    this.#approvals = new Approvals({
      waitMillis: options.approvalMillis,
      nowMillis: options.context.wallMillis,
      file: options.keptRequests,
      onExpired: (waiting) => this.#expire(waiting),
    })
    this.#takeUp()
  }

  /** Executes a write once the audit log has it. @param scope of the write. */
  async execute(
    asked: Known,
    { scope, endpoint }: AskedWrite,
    bytes: Buffer | null,
  ): Promise<Answer> {
    if ('isApproval' in endpoint) return this.#decide(asked, endpoint, bytes)
    const body = parseBody(bytes)
    const request =
      body instanceof Fault ? body : readOperation(endpoint, body, this.#options.context)
    if (request instanceof Fault) return this.refuse(asked, request, bodyOf(body))
    const waits = scope === 'money' && this.#options.approvalMillis > 0
    if (waits) return this.#wait(asked, request, body as JsonObject)
    return this.#perform(actionOf(asked, body), request, (outcome) => ({
      ...{ ...doneOf(outcome), ...request.describe(outcome) },
    }))
  }

  /** Approves or rejects a request that waits. */
  async #decide(asked: Known, { fields }: ApprovalRow, bytes: Buffer | null): Promise<Answer> {
    const body = parseBody(bytes)
    const values = body instanceof Fault ? body : readBody(fields, body)
    if (values instanceof Fault) return this.refuse(asked, values, bodyOf(body))
    const waiting = this.#approvals.find(values.approval_id.toLowerCase())
    const fault = this.#faultOf(asked.identity, waiting, values)
    if (fault !== null) {
      const http = fault.result === Result.Unauthorized ? 403 : undefined
      return this.refuse(asked, fault, bodyOf(body), http)
    }
    const approvals = this.#approvals
    const { told, request } = approvals.take(waiting!.told.approval_id)!
    const action = { ...actionOf(asked, body), requested: told }
    const both = { approval_id: told.approval_id, requested_by: told.identity }
    if (values.verdict === rejectedPlace) return this.#reject(action, both, waiting!)
    return this.#perform(
      action,
      request,
      (outcome): ApprovalDecision => ({
        ...{ ...doneOf(outcome), verdict: 'approved', ...both },
        approved_by: asked.identity.name,
        answer: request.describe(outcome),
      }),
      {
        // What is sent may be done whatever comes then: it must never wait for another word.
        beforeSend: () => approvals.keep(),
        onUndone: () => this.#putBack(waiting!),
      },
    )
  }

  /** GET /operator/approvals. */
  readonly waiting = (): Answer<OperatorAnswer<'GET /operator/approvals'>> => {
    const data = this.#approvals.waiting.map(({ told, requestedMillis, expiresMillis }) => {
      const { identity, ...request } = told
      const times = { requested_ts_ms: requestedMillis, expires_ts_ms: expiresMillis }
      return { ...request, requested_by: identity, ...times }
    })
    return answerOf(200, { ok: true, data })
  }

  /** Refuses an attempt, and has a line of it while the log has lines for such. */
  async refuse(asked: Asked, fault: Fault, body: unknown = null, http?: number): Promise<Answer> {
    const leftOut = this.#allowance.take(asked.identity?.name ?? null)
    const answer = faultAnswer(fault, http)
    if (leftOut === null) return answer
    const ending = { ...refusedBy(fault, answer.status), left_out: leftOut }
    await this.#options.audit
      .note(actionOf(asked, body), ending)
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
    { beforeSend, onUndone }: Around = nothingAround,
  ): Promise<Answer> {
    const { audit, sender, onRefused } = this.#options
    let id: number | null = null
    try {
      id = await audit.begin(action)
      beforeSend()
    } catch (error) {
      onUndone()
      const fault = unwritten(id === null ? theLog : theList, error)
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
    // The answer is lost, and perhaps not the command.
    await audit.end(id, isPending.has(result) ? { ...ending, outcome: 'unknown' } : ending)
    if (result === Result.EngineBusy) onUndone()
    onRefused(refusal)
    return faultAnswer(refusal)
  }

  async #wait(asked: Known, request: OperatorRequest, body: JsonObject): Promise<Answer> {
    const { method, path, identity } = asked
    if (!this.#approvals.hasRoom(identity.name)) {
      const full = new Fault(Result.Conflict, {}, 'Too many of your requests wait for approval')
      return this.refuse(asked, full, body)
    }
    const told = { identity: identity.name, method, path, body: withoutSecrets(body) as JsonObject }
    const approvals = this.#approvals
    const waiting = approvals.prepare(told, body, request)
    // At once: several that come together are counted, too.
    approvals.add(waiting)
    const action = { ...actionOf(asked, body), requested: waiting.told }
    const ending = { outcome: 'waiting', status: 202, code: null, seq: null } as const
    let what = theList
    try {
      approvals.keep()
      what = theLog
      await this.#options.audit.note(action, ending)
    } catch (error) {
      approvals.take(waiting.told.approval_id)
      this.#keep()
      return this.#refuseUnwritten(unwritten(what, error), path, error)
    }
    return answerOf<WaitsForApproval>(202, {
      ...{ ok: true, result: 'WAITS_FOR_APPROVAL', approval_id: waiting.told.approval_id },
      ...{ requested_by: identity.name, expires_ts_ms: waiting.expiresMillis },
    })
  }

  async #reject(
    action: AuditAction,
    both: Pick<ApprovalDecision, 'approval_id' | 'requested_by'>,
    waiting: WaitingRequest,
  ): Promise<Answer> {
    let what = theList
    try {
      // Before the line: what that says to be rejected must not wait at the next start.
      this.#approvals.keep()
      what = theLog
      const ending = { outcome: 'done', status: 200, code: null, seq: null } as const
      await this.#options.audit.note(action, ending)
    } catch (error) {
      this.#putBack(waiting)
      return this.#refuseUnwritten(unwritten(what, error), action.path, error)
    }
    return answerOf<ApprovalDecision>(200, { ok: true, verdict: 'rejected', ...both })
  }

  /** Whoever asked may take it back, and cannot approve it; nor can anybody when that one has lost the right since. */
  #faultOf(
    identity: OperatorIdentity,
    waiting: WaitingRequest | null,
    { verdict }: Values<ApprovalRow['fields']>,
  ): Fault | null {
    if (waiting === null) return new Fault(Result.NotFound, {}, 'No such request waits')
    if (verdict === rejectedPlace) return null
    const { told } = waiting
    if (told.identity === identity.name) {
      return new Fault(Result.Unauthorized, {}, 'Another identity has to approve it')
    }
    if (this.#options.tokens.namesWith('money').includes(told.identity)) return null
    return new Fault(Result.Conflict, {}, `${told.identity} has no scope money any more`)
  }

  #refuseUnwritten(fault: Fault, path: string, error: unknown): Answer {
    this.#options.log(`alarm: ${fault.message}: ${path}: ${String(error)}`)
    return faultAnswer(fault)
  }

  /** What waited when the venue was stopped waits on, if it may still be asked for. */
  #takeUp(): void {
    const { keptRequests, context, approvalMillis, log } = this.#options
    const kept = keptRequests.read((text) => log(`alarm: ${text}`))
    const gone: KeptRequest[] = []
    for (const one of kept) {
      const request = requestOf(one, context)
      const isLate = one.expiresMillis <= context.wallMillis() || approvalMillis === 0
      if (request instanceof Fault || isLate) gone.push(one)
      else this.#approvals.add({ ...one, request })
    }
    if (gone.length > 0) this.#keep()
    for (const one of gone) this.#noteExpired(one)
  }

  /** Nothing was done, and it may be approved again. */
  #putBack(waiting: WaitingRequest): void {
    this.#approvals.add(waiting)
    this.#keep()
  }

  /** Where nothing more can be done about what cannot be written. */
  #keep(): void {
    try {
      this.#approvals.keep()
    } catch (error) {
      this.#options.log(`alarm: ${String(error)}: another start would not find what waits now`)
    }
  }

  #expire(waiting: WaitingRequest): void {
    this.#keep()
    this.#noteExpired(waiting)
  }

  #noteExpired({ told }: KeptRequest): void {
    const { identity, method, path, body } = told
    const action = { ...{ identity, method, path, body, address: '' }, requested: told }
    const ending = { outcome: 'expired', status: 0, code: null, seq: null } as const
    this.#options.audit.note(action, ending).catch((error) => {
      this.#options.log(`audit log: ${String(error)}`)
    })
  }
}

/** What belongs to an action beside its lines. */
interface Around {
  /** It has its line, and is sent next. @throws Error: it must not be. */
  readonly beforeSend: () => void
  /** Nothing was done, and may be asked for again. */
  readonly onUndone: () => void
}

const nothingAround: Around = { beforeSend: () => {}, onUndone: () => {} }

/** What a request asks for, read anew. */
function requestOf({ told, body }: KeptRequest, context: RequestContext): OperatorRequest | Fault {
  const key = `${told.method} ${told.path}`
  const row = Object.hasOwn(operatorEndpoints, key) ? operatorEndpoints[key] : undefined
  if (row === undefined || !('request' in row)) return new Fault(Result.NotFound)
  return readOperation(row, body, context)
}

const rejectedPlace = 1
const methodCharsMax = 16
const pathCharsMax = 256
const secretName = /token|secret|password|passphrase|private.?key|authorization/i

function actionOf({ identity, address, method, path }: Asked, body: unknown): AuditAction {
  const name = identity?.name ?? null
  // What a stranger writes there may be long.
  const shown = {
    method: method.slice(0, methodCharsMax),
    path: withoutTokens(path).slice(0, pathCharsMax),
  }
  return { identity: name, address, ...shown, body: bodyOf(body), requested: null }
}

/** What is kept of a body: all but what may be a secret, which none of our fields is. */
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

const theLog = 'The audit log'
const theList = 'What waits for approval'

function unwritten(what: string, error: unknown): Fault {
  const why = error instanceof LostFile ? `: ${error.message}` : ''
  return new Fault(Result.NotReady, {}, `${what} cannot be written${why}; nothing was done`)
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
  return new Fault(result, values, request.refusals?.[result])
}
