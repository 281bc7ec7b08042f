import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../wire/request-fields.js'
import type { AuditRequest } from './audit-log.js'
import type { KeptRequest, KeptRequests } from './kept-requests.js'
import type { OperatorRequest } from './operator-endpoints.js'

/** A request that waits for the word of a second identity. */
export interface WaitingRequest extends KeptRequest {
  readonly request: OperatorRequest
}

export interface ApprovalsOptions {
  readonly waitMillis: number
  readonly nowMillis: () => number
  readonly file: Pick<KeptRequests, 'write'>
  /** Nobody has said a second word in time. */
  readonly onExpired: (waiting: WaitingRequest) => void
}

/** So many may wait that one identity has asked for: nobody crowds out the others. */
const waitingMax = 20

/** Requests that wait: in memory, and in a file once they are kept. */
export class Approvals {
  readonly #options: ApprovalsOptions
  readonly #byId = new Map<string, WaitingRequest>()
  readonly #timers = new Map<string, NodeJS.Timeout>()

  constructor(options: ApprovalsOptions) {
    this.#options = options
  }

  get waiting(): readonly WaitingRequest[] {
    return [...this.#byId.values()]
  }

  /** Whether one more may wait for what this identity asks. */
  hasRoom(identity: string): boolean {
    return this.waiting.filter(({ told }) => told.identity === identity).length < waitingMax
  }

  /** What would wait: it does when it is added. */
  prepare(
    asked: Omit<AuditRequest, 'approval_id'>,
    body: JsonObject,
    request: OperatorRequest,
  ): WaitingRequest {
    const requestedMillis = this.#options.nowMillis()
    const expiresMillis = requestedMillis + this.#options.waitMillis
    const told = { approval_id: randomUUID(), ...asked }
    return { told, body, request, requestedMillis, expiresMillis }
  }

  add(waiting: WaitingRequest): void {
    const id = waiting.told.approval_id
    this.#byId.set(id, waiting)
    const timer = setTimeout(() => {
      if (this.take(id) !== null) this.#options.onExpired(waiting)
    }, this.#restMillis(waiting))
    this.#timers.set(id, timer.unref())
  }

  find(id: string): WaitingRequest | null {
    return this.#byId.get(id) ?? null
  }

  /** Takes it out: it is one word's, and no other's. */
  take(id: string): WaitingRequest | null {
    const waiting = this.find(id)
    clearTimeout(this.#timers.get(id))
    this.#timers.delete(id)
    this.#byId.delete(id)
    return waiting
  }

  /** Has a later start find what waits now, and nothing else. @throws Error when it cannot be written. */
  keep(): void {
    this.#options.file.write(this.waiting)
  }

  /** Nothing expires here any more. What waits stays: a word that is being done may keep the others still. */
  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }

  /** A clock that was set back makes nobody wait longer than the whole time. */
  #restMillis({ expiresMillis }: WaitingRequest): number {
    const { nowMillis, waitMillis } = this.#options
    return Math.min(waitMillis, Math.max(0, expiresMillis - nowMillis()))
  }
}
