import { randomUUID } from 'node:crypto'
import type { AuditRequest } from './audit-log.js'
import type { OperatorRequest } from './operator-endpoints.js'

/** A request that waits for the word of a second identity. */
export interface WaitingRequest {
  readonly told: AuditRequest
  readonly request: OperatorRequest
  readonly requestedMillis: number
  readonly expiresMillis: number
}

export interface ApprovalsOptions {
  readonly waitMillis: number
  readonly nowMillis: () => number
  /** Nobody has said a second word in time. */
  readonly onExpired: (waiting: WaitingRequest) => void
}

/** So many may wait that one identity has asked for: nobody crowds out the others. */
const waitingMax = 20

/** Requests that wait, in memory: those that a restart takes away were not done, and are asked for anew. */
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
  prepare(asked: Omit<AuditRequest, 'approval_id'>, request: OperatorRequest): WaitingRequest {
    const requestedMillis = this.#options.nowMillis()
    const expiresMillis = requestedMillis + this.#options.waitMillis
    const told = { approval_id: randomUUID(), ...asked }
    return { told, request, requestedMillis, expiresMillis }
  }

  add(waiting: WaitingRequest): void {
    const id = waiting.told.approval_id
    this.#byId.set(id, waiting)
    const millis = Math.max(0, waiting.expiresMillis - this.#options.nowMillis())
    const timer = setTimeout(() => {
      if (this.take(id) !== null) this.#options.onExpired(waiting)
    }, millis)
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

  close(): void {
    for (const { told } of this.waiting) this.take(told.approval_id)
  }
}
