import { readWaitMillisMax } from './read-protocol.js'

/** Somebody whose answer must include a sequence. */
interface SeqWait {
  readonly seq: number
  readonly untilMillis: number
  readonly then: (isThere: boolean) => void
}

// A client may name any sequence, and each event that passes checks all that wait.
const waitingMax = 4096

/** Who waits until the gateway has passed a sequence on, and how long at most. */
export class SeqWaits {
  #lastSeq = 0
  #waiting: SeqWait[] = []

  /** How many wait. */
  get count(): number {
    return this.#waiting.length
  }

  /**
   * @param then hears whether the sequence is there, at once where it is, or that it did not come within 2 s; false at
   * once while 4,096 wait.
   */
  wait(seq: number, nowMillis: number, then: (isThere: boolean) => void): void {
    if (seq <= this.#lastSeq) then(true)
    else if (this.#waiting.length >= waitingMax) then(false)
    else this.#waiting.push({ seq, untilMillis: nowMillis + readWaitMillisMax, then })
  }

  /** Events up to here have been passed on. */
  onSeq(seq: number): void {
    this.#lastSeq = seq
    if (this.#waiting.length === 0) return
    this.#end((wait) => wait.seq <= seq, true)
  }

  /** Looks at the clock. */
  tick(nowMillis: number): void {
    if (this.#waiting.length > 0) this.#end((wait) => wait.untilMillis <= nowMillis, false)
  }

  #end(isOver: (wait: SeqWait) => boolean, isThere: boolean): void {
    const over = this.#waiting.filter(isOver)
    if (over.length === 0) return
    this.#waiting = this.#waiting.filter((wait) => !isOver(wait))
    for (const { then } of over) then(isThere)
  }
}
