import { hostOf } from '../wire/push-endpoint.js'
import type { PushNotice, PushOutcome } from './push-notice.js'

export interface PushQueueOptions {
  /** Notifications that wait, for their first attempt or another. */
  readonly queueMax: number
  readonly perHostMax: number
  readonly attemptsMax: number
  readonly retryMillis: number
  readonly maxAgeSeconds: number
  readonly send: (notice: PushNotice) => Promise<PushOutcome>
  /** Its push service says that the subscription is gone. */
  readonly onGone: (notice: PushNotice) => void
  readonly onCount: (what: PushCount) => void
  /** From 0 to 1. */
  readonly random?: () => number
}

export type PushCount = 'delivered' | 'refused' | 'failed' | 'dropped' | 'gone' | 'retried'

interface Job {
  readonly notice: PushNotice
  readonly bornMillis: number
  attempts: number
}

/** What waits for one push service. */
interface Lane {
  readonly host: string
  readonly waiting: Job[]
  underWay: number
  /** It wants to be left alone until then. */
  restsUntilMillis: number
  timer: NodeJS.Timeout | null
}

/** Of one subscription: who trades a lot does not take the room of all others. */
const perSubscriptionMax = 32
const underWayMax = 64
/** Of one wallet, wherever its browsers are: none that names ten services that hang holds up everybody else. */
const perWalletMax = 4
const pauseMillisMax = 60_000

/**
 * Notifications on their way to push services: a bounded number of them, the oldest of which give way; some at a time to
 * each service, so that one that hangs holds up its own alone; and further attempts at what failed for now, later and
 * later, at moments that no two have in common.
 */
export class PushQueue {
  readonly #options: PushQueueOptions
  readonly #random: () => number
  readonly #lanes = new Map<string, Lane>()
  #waiting = 0
  /** The same by subscription. */
  readonly #waitingOf = new Map<number, number>()
  /** What waits for another attempt. */
  #later = 0
  #underWay = 0
  /** The same by wallet. */
  readonly #underWayOf = new Map<string, number>()

  constructor(options: PushQueueOptions) {
    this.#options = options
    this.#random = options.random ?? Math.random
  }

  /** What waits, for its first attempt or another, or is under way. */
  get count(): number {
    return this.#waiting + this.#later + this.#underWay
  }

  add(notice: PushNotice): void {
    const url = new URL(notice.endpoint)
    const lane = this.#laneOf(`${hostOf(url)}:${url.port}`)
    const { id } = notice
    const isOwnFull = (this.#waitingOf.get(id) ?? 0) >= perSubscriptionMax
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

  #laneOf(host: string): Lane {
    const known = this.#lanes.get(host)
    if (known !== undefined) return known
    const lane = { host, waiting: [], underWay: 0, restsUntilMillis: 0, timer: null }
    this.#lanes.set(host, lane)
    return lane
  }

  /** The oldest of a subscription. */
  #dropOf(lane: Lane, id: number): void {
    const place = lane.waiting.findIndex(({ notice }) => notice.id === id)
    const [job] = lane.waiting.splice(place, 1)
    this.#dropped(job!)
  }

  #dropped(job: Job): void {
    this.#count(job, -1)
    this.#options.onCount('dropped')
  }

  #dropOldest(): void {
    const heads = [...this.#lanes.values()].filter(({ waiting }) => waiting.length > 0)
    const bornOf = (lane: Lane) => lane.waiting[0]!.bornMillis
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

  #beginNext(lane: Lane): void {
    while (this.#underWay < underWayMax && lane.underWay < this.#options.perHostMax) {
      const place = lane.waiting.findIndex(({ notice }) => this.#hasRoom(notice.wallet))
      if (place < 0) return
      const [job] = lane.waiting.splice(place, 1)
      this.#begin(lane, job!)
    }
  }

  #hasRoom(wallet: string): boolean {
    return (this.#underWayOf.get(wallet) ?? 0) < perWalletMax
  }

  #wakeLater(lane: Lane, nowMillis: number): void {
    if (lane.timer !== null) return
    lane.timer = setTimeout(() => {
      lane.timer = null
      this.#pump()
    }, lane.restsUntilMillis - nowMillis)
  }

  #begin(lane: Lane, job: Job): void {
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

  /** One more is under way, or one less. */
  #attempt(lane: Lane, { notice: { wallet } }: Job, change: 1 | -1): void {
    lane.underWay += change
    this.#underWay += change
    const own = (this.#underWayOf.get(wallet) ?? 0) + change
    if (own > 0) this.#underWayOf.set(wallet, own)
    else this.#underWayOf.delete(wallet)
  }

  #end(lane: Lane, job: Job, outcome: PushOutcome): void {
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

  #again(lane: Lane, job: Job, afterMillis: number): void {
    const { attemptsMax, retryMillis, maxAgeSeconds, onCount } = this.#options
    const most = Math.min(pauseMillisMax, retryMillis * 2 ** (job.attempts - 1))
    // Between half of it and all of it: what failed together does not come again together.
    const pauseMillis = Math.max(afterMillis, most * (0.5 + 0.5 * this.#random()))
    const isOver = Date.now() + pauseMillis - job.bornMillis > maxAgeSeconds * 1000
    if (job.attempts >= attemptsMax || isOver) {
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
