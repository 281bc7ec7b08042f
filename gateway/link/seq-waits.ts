import { readWaitMillisMax } from './read-protocol.js'

/** Request whose answer must include a sequence. */
interface SeqWait {
  readonly seq: number
  readonly untilMillis: number
  readonly then: (isReached: boolean) => void
}

// A client may request any sequence, and each event checks all waits.
const waitingMax = 4096

/** Requests that wait until the gateway has published a sequence, with a timeout. */
export class SeqWaits {
  #lastSeq = 0
  #waiting: SeqWait[] = []

  /** Number of waits. */
  get count(): number {
    return this.#waiting.length
  }

  /**
   * Waits for a sequence.
   * @param then Called with true once the sequence is published, or false after 2 s. False immediately while 4,096
   * wait.
   */
  wait(seq: number, nowMillis: number, then: (isReached: boolean) => void): void {
    if (seq <= this.#lastSeq) then(true)
    else if (this.#waiting.length >= waitingMax) then(false)
    else this.#waiting.push({ seq, untilMillis: nowMillis + readWaitMillisMax, then })
  }

  /** Notes that events up to `seq` have been published. */
  onSeq(seq: number): void {
    this.#lastSeq = seq
    if (this.#waiting.length === 0) return
    this.#end((wait) => wait.seq <= seq, true)
  }

  /** Ends waits that have timed out. */
  tick(nowMillis: number): void {
    if (this.#waiting.length > 0) this.#end((wait) => wait.untilMillis <= nowMillis, false)
  }

  #end(mustEnd: (wait: SeqWait) => boolean, isReached: boolean): void {
    const ended = this.#waiting.filter(mustEnd)
    if (ended.length === 0) return
    this.#waiting = this.#waiting.filter((wait) => !mustEnd(wait))
    for (const { then } of ended) then(isReached)
  }
}
