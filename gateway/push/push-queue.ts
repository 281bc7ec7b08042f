import { pushWaitingMax } from '../../schemas/bounds.js'
import { hostOf } from '../wire/push-endpoint.js'
import type { PushNotice, PushOutcome } from './push-notice.js'

export interface PushQueueOptions {
  /** Limit of waiting notifications, including retries. */
  readonly queueMax: number
  readonly perHostMax: number
  readonly attemptsMax: number
  readonly retryMillis: number
  readonly maxAgeSeconds: number
  readonly send: (notice: PushNotice) => Promise<PushOutcome>
  /** Called when a push service reports the subscription as gone. */
  readonly onGone: (notice: PushNotice) => void
  readonly onCount: (what: PushCount) => void
  /** Random number from 0 to 1. */
  readonly random?: () => number
}

export type PushCount = 'delivered' | 'refused' | 'failed' | 'dropped' | 'gone' | 'retried'

interface Job {
  readonly notice: PushNotice
  readonly bornMillis: number
  attempts: number
}

/** Notifications for one push service. */
interface HostQueue {
  readonly host: string
  readonly waiting: Job[]
  underWay: number
  /** Time until which the service has asked for a pause. */
  restsUntilMillis: number
  timer: NodeJS.Timeout | null
}

const inProgressMax = 64
/** Per wallet over all services, so that a wallet that names ten hanging services does not delay all others. */
const perWalletMax = 4
const pauseMillisMax = 60_000

/**
 * Queue of notifications to push services. Its size is bounded, and the oldest are dropped first. Limits the requests
 * in progress per service, so that a hanging one delays only its own notifications. Retries temporary failures with
 * backoff and jitter.
 */
export class PushQueue {
  readonly #options: PushQueueOptions
  readonly #random: () => number
  readonly #lanes = new Map<string, HostQueue>()
  #waiting = 0
  /** Waiting notifications by subscription. */
  readonly #waitingOf = new Map<number, number>()
  /** Number of notifications that wait for a retry. */
  #later = 0
  #underWay = 0
  /** Requests in progress by wallet. */
  readonly #underWayOf = new Map<string, number>()

  constructor(options: PushQueueOptions) {
    this.#options = options
    this.#random = options.random ?? Math.random
  }

  /** Number of notifications that wait or are in progress. */
  get count(): number {
    return this.#waiting + this.#later + this.#underWay
  }

  add(notice: PushNotice): void {
    const url = new URL(notice.endpoint)
    const lane = this.#laneOf(`${hostOf(url)}:${url.port}`)
    const { id } = notice
    const isOwnFull = (this.#waitingOf.get(id) ?? 0) >= pushWaitingMax
    if (isOwnFull) this.#dropOf(lane, id)
    else if (this.#waiting + this.#later >= this.#options.queueMax) this.#dropOldest()
    const job = { notice, bornMillis: Date.now(), attempts: 0 }
    lane.waiting.push(job)
    this.#count(job, 1)
    this.#pump()
  }

  #count({ notice: { id } }: Job, change: 1 | -1): void {
    this.#waiting += change
    const own = (this.#waitingOf.get(id) ?? 0) + change
    if (own > 0) this.#waitingOf.set(id, own)
    else this.#waitingOf.delete(id)
  }

  #laneOf(host: string): HostQueue {
    const known = this.#lanes.get(host)
    if (known !== undefined) return known
    const lane = { host, waiting: [], underWay: 0, restsUntilMillis: 0, timer: null }
    this.#lanes.set(host, lane)
    return lane
  }

  /** Drops the oldest notification of a subscription. */
  #dropOf(lane: HostQueue, id: number): void {
    const index = lane.waiting.findIndex(({ notice }) => notice.id === id)
    const [job] = lane.waiting.splice(index, 1)
    this.#dropped(job!)
  }

  #dropped(job: Job): void {
    this.#count(job, -1)
    this.#options.onCount('dropped')
  }

  #dropOldest(): void {
    const heads = [...this.#lanes.values()].filter(({ waiting }) => waiting.length > 0)
    const bornOf = (lane: HostQueue) => lane.waiting[0]!.bornMillis
    const [first] = heads.toSorted((one, other) => bornOf(one) - bornOf(other))
    if (first !== undefined) this.#dropped(first.waiting.shift()!)
  }

  #pump(): void {
    const nowMillis = Date.now()
    for (const lane of this.#lanes.values()) {
      if (lane.restsUntilMillis > nowMillis) this.#wakeLater(lane, nowMillis)
      else this.#beginNext(lane)
      const isIdle = lane.waiting.length === 0 && lane.underWay === 0 && lane.timer === null
      if (isIdle) this.#lanes.delete(lane.host)
    }
  }

  #beginNext(lane: HostQueue): void {
    while (this.#underWay < inProgressMax && lane.underWay < this.#options.perHostMax) {
      const index = lane.waiting.findIndex(({ notice }) => this.#hasRoom(notice.wallet))
      if (index < 0) return
      const [job] = lane.waiting.splice(index, 1)
      this.#begin(lane, job!)
    }
  }

  #hasRoom(wallet: string): boolean {
    return (this.#underWayOf.get(wallet) ?? 0) < perWalletMax
  }

  #wakeLater(lane: HostQueue, nowMillis: number): void {
    if (lane.timer !== null) return
    lane.timer = setTimeout(() => {
      lane.timer = null
      this.#pump()
    }, lane.restsUntilMillis - nowMillis)
  }

  #begin(lane: HostQueue, job: Job): void {
    this.#count(job, -1)
    if (this.#isOld(job)) {
      this.#options.onCount('failed')
      return
    }
    job.attempts++
    this.#attempt(lane, job, 1)
    this.#options
      .send(job.notice)
      .catch((): PushOutcome => ({ kind: 'failed' }))
      .then((outcome) => {
        this.#attempt(lane, job, -1)
        this.#end(lane, job, outcome)
        this.#pump()
      })
  }

  /** Counts a request that starts or ends. */
  #attempt(lane: HostQueue, { notice: { wallet } }: Job, change: 1 | -1): void {
    lane.underWay += change
    this.#underWay += change
    const own = (this.#underWayOf.get(wallet) ?? 0) + change
    if (own > 0) this.#underWayOf.set(wallet, own)
    else this.#underWayOf.delete(wallet)
  }

  #end(lane: HostQueue, job: Job, outcome: PushOutcome): void {
    const { onCount, onGone } = this.#options
    if (outcome.kind === 'retry') {
      this.#again(lane, job, outcome.afterMillis)
      return
    }
    onCount(outcome.kind)
    if (outcome.kind !== 'gone') return
    onGone(job.notice)
    const { id } = job.notice
    while (this.#waitingOf.has(id)) this.#dropOf(lane, id)
  }

  #again(lane: HostQueue, job: Job, afterMillis: number): void {
    const { attemptsMax, retryMillis, maxAgeSeconds, onCount } = this.#options
    const limitMillis = Math.min(pauseMillisMax, retryMillis * 2 ** (job.attempts - 1))
    // Jitter between half and all of the pause, so that failures of the same moment do not retry together.
    const pauseMillis = Math.max(afterMillis, limitMillis * (0.5 + 0.5 * this.#random()))
    const isTooLate = Date.now() + pauseMillis - job.bornMillis > maxAgeSeconds * 1000
    if (job.attempts >= attemptsMax || isTooLate) {
      onCount('failed')
      return
    }
    onCount('retried')
    if (afterMillis > 0) lane.restsUntilMillis = Date.now() + Math.min(afterMillis, pauseMillisMax)
    this.#later++
    setTimeout(() => {
      this.#later--
      this.#laneOf(lane.host).waiting.unshift(job)
      this.#count(job, 1)
      this.#pump()
    }, pauseMillis)
  }

  #isOld({ bornMillis }: Job): boolean {
    return Date.now() - bornMillis > this.#options.maxAgeSeconds * 1000
  }
}
