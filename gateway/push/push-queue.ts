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
  readonly waiting: Job[]
  underWay: number
  /** It wants to be left alone until then. */
  restsUntilMillis: number
  timer: NodeJS.Timeout | null
}

/** Of one subscription: who trades a lot does not take the room of all others. */
const perSubscriptionMax = 32
const underWayMax = 64
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
  readonly #later = new Set<NodeJS.Timeout>()
  #waiting = 0
  #underWay = 0

  constructor(options: PushQueueOptions) {
    this.#options = options
    this.#random = options.random ?? Math.random
  }

  /** What waits, for its first attempt or another, or is under way. */
  get count(): number {
    return this.#waiting + this.#later.size + this.#underWay
  }

  add(notice: PushNotice): void {
    const host = URL.canParse(notice.endpoint) ? new URL(notice.endpoint).host : ''
    const lane = this.#laneOf(host)
    const own = lane.waiting.filter((job) => job.notice.id === notice.id)
    if (own.length >= perSubscriptionMax) this.#drop(lane, own[0]!)
    else if (this.#waiting + this.#later.size >= this.#options.queueMax) this.#dropOldest()
    lane.waiting.push({ notice, bornMillis: Date.now(), attempts: 0 })
    this.#waiting++
    this.#pump()
  }

  close(): void {
    for (const timer of this.#later) clearTimeout(timer)
    for (const { timer } of this.#lanes.values()) if (timer !== null) clearTimeout(timer)
    this.#later.clear()
    this.#lanes.clear()
    this.#waiting = 0
  }

  #laneOf(host: string): Lane {
    const known = this.#lanes.get(host)
    if (known !== undefined) return known
    const lane = { waiting: [], underWay: 0, restsUntilMillis: 0, timer: null }
    this.#lanes.set(host, lane)
    return lane
  }

  #drop(lane: Lane, job: Job): void {
    lane.waiting.splice(lane.waiting.indexOf(job), 1)
    this.#waiting--
    this.#options.onCount('dropped')
  }

  #dropOldest(): void {
    const heads = [...this.#lanes.values()].filter(({ waiting }) => waiting.length > 0)
    const bornOf = (lane: Lane) => lane.waiting[0]!.bornMillis
    const [first] = heads.toSorted((one, other) => bornOf(one) - bornOf(other))
    if (first !== undefined) this.#drop(first, first.waiting[0]!)
  }

  #pump(): void {
    const nowMillis = Date.now()
    for (const [host, lane] of this.#lanes) {
      if (lane.restsUntilMillis > nowMillis) this.#wakeLater(lane, nowMillis)
      else while (this.#mayBegin(lane)) this.#begin(lane)
      const isIdle = lane.waiting.length === 0 && lane.underWay === 0 && lane.timer === null
      if (isIdle) this.#lanes.delete(host)
    }
  }

  #mayBegin(lane: Lane): boolean {
    if (lane.waiting.length === 0 || this.#underWay >= underWayMax) return false
    return lane.underWay < this.#options.perHostMax
  }

  #wakeLater(lane: Lane, nowMillis: number): void {
    if (lane.timer !== null) return
    lane.timer = setTimeout(() => {
      lane.timer = null
      this.#pump()
    }, lane.restsUntilMillis - nowMillis)
  }

  #begin(lane: Lane): void {
    const job = lane.waiting.shift()!
    this.#waiting--
    if (this.#isOld(job)) {
      this.#options.onCount('failed')
      return
    }
    job.attempts++
    lane.underWay++
    this.#underWay++
    this.#options
      .send(job.notice)
      .catch((): PushOutcome => ({ kind: 'failed' }))
      .then((outcome) => {
        lane.underWay--
        this.#underWay--
        this.#end(lane, job, outcome)
        this.#pump()
      })
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
    for (const other of lane.waiting.filter(({ notice }) => notice.id === job.notice.id)) {
      this.#drop(lane, other)
    }
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
    const timer = setTimeout(() => {
      this.#later.delete(timer)
      const host = new URL(job.notice.endpoint).host
      this.#laneOf(host).waiting.unshift(job)
      this.#waiting++
      this.#pump()
    }, pauseMillis)
    this.#later.add(timer)
  }

  #isOld({ bornMillis }: Job): boolean {
    return Date.now() - bornMillis > this.#options.maxAgeSeconds * 1000
  }
}
