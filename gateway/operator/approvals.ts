import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../wire/request-fields.js'
import type { AuditRequest } from './audit-log.js'
import type { KeptRequest, KeptRequests } from './kept-requests.js'
import type { OperatorRequest } from './operator-endpoints.js'

/** Request that waits for approval by a second identity. */
export interface WaitingRequest extends KeptRequest {
  readonly request: OperatorRequest
}

export interface ApprovalsOptions {
  readonly waitMillis: number
  readonly nowMillis: () => number
  readonly file: Pick<KeptRequests, 'write'>
  /** Called when a request was not decided in time. */
  readonly onExpired: (waiting: WaitingRequest) => void
}

/** Pending requests per identity, so that one identity cannot crowd out the others. */
const waitingMax = 20

/** Pending requests: in memory, and in a file after `keep`. */
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

  /** True if one more request of this identity may be pending. */
  hasRoom(identity: string): boolean {
    return this.waiting.filter(({ audited }) => audited.identity === identity).length < waitingMax
  }

  /** Returns a pending request without adding it. */
  prepare(
    origin: Omit<AuditRequest, 'approval_id'>,
    body: JsonObject,
    request: OperatorRequest,
  ): WaitingRequest {
    const requestedMillis = this.#options.nowMillis()
    const expiresMillis = requestedMillis + this.#options.waitMillis
    const audited = { approval_id: randomUUID(), ...origin }
    return { audited, body, request, requestedMillis, expiresMillis }
  }

  add(waiting: WaitingRequest): void {
    const id = waiting.audited.approval_id
    this.#byId.set(id, waiting)
    const timer = setTimeout(() => {
      if (this.take(id) !== null) this.#options.onExpired(waiting)
    }, this.#restMillis(waiting))
    this.#timers.set(id, timer.unref())
  }

  find(id: string): WaitingRequest | null {
    return this.#byId.get(id) ?? null
  }

  /** Removes a request, so that only one decision can apply to it. */
  take(id: string): WaitingRequest | null {
    const waiting = this.find(id)
    clearTimeout(this.#timers.get(id))
    this.#timers.delete(id)
    this.#byId.delete(id)
    return waiting
  }

  /** Writes the pending requests, which a later start restores. @throws Error if they cannot be written. */
  keep(): void {
    this.#options.file.write(this.waiting)
  }

  /** Stops expiry. Leaves the file as it is, because a decision in progress may not have been saved yet. */
  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }

  /** Returns the remaining wait, at most the full time even if the clock was set back. */
  #restMillis({ expiresMillis }: WaitingRequest): number {
    const { nowMillis, waitMillis } = this.#options
    return Math.min(waitMillis, Math.max(0, expiresMillis - nowMillis()))
  }
}
