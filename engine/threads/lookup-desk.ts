import { FoundReply, LookupRequest } from '../../schemas/generated/lookups.js'
import { lookUpOutcome } from '../core/account/look-up.js'
import type { Core } from '../core/core.js'
import type { Doorbell } from '../memory/doorbell.js'
import type { Ring } from '../memory/ring.js'

const answersPerTurnMax = 64

const request = new LookupRequest()
const reply = new FoundReply()

/** What is asked on one ring, and where it is answered. */
export interface LookupCounter {
  readonly requests: Ring
  readonly replies: Ring
  /** Wakes who has asked. */
  readonly bell: Pick<Doorbell, 'ring'>
}

/**
 * Answers between two batches what signed actions have come to. A command that was sent before somebody asked is decided
 * before the answer, whichever gateway sent it: what is unknown then was on no way to the core.
 */
export class LookupDesk {
  readonly #core: Core
  readonly #counters: readonly LookupCounter[]
  /** How far the commands must be decided first; null: nobody asks. */
  #commandEnds: readonly number[] | null = null
  /** By counter: how far its requests are older than that. */
  #requestEnds: readonly number[] = []

  constructor(core: Core, counters: readonly LookupCounter[]) {
    this.#core = core
    this.#counters = counters
  }

  /** @returns how many were answered. */
  doWork(): number {
    if (this.#commandEnds === null) {
      if (!this.#isAsked()) return 0
      // Requests first: what was sent before one of these is in the rings of the commands by then.
      this.#requestEnds = this.#counters.map(({ requests }) => requests.end())
      this.#commandEnds = this.#core.commandEnds()
    }
    if (!this.#core.hasDecided(this.#commandEnds)) return 0
    let count = 0
    let isOver = true
    for (const [index, counter] of this.#counters.entries()) {
      count += this.#answer(counter, this.#requestEnds[index]!, answersPerTurnMax - count)
      isOver &&= counter.requests.hasRead(this.#requestEnds[index]!)
    }
    if (isOver) this.#commandEnds = null
    return count
  }

  #isAsked(): boolean {
    for (const { requests } of this.#counters) if (requests.hasNext()) return true
    return false
  }

  #answer({ requests, replies, bell }: LookupCounter, end: number, countMax: number): number {
    let count = 0
    while (count < countMax && !requests.hasRead(end) && reply.claim(replies)) {
      request.over(requests, requests.next())
      reply.clear().slot = request.slot
      lookUpOutcome(this.#core.state, request, reply)
      count++
    }
    if (count === 0) return 0
    replies.commit()
    requests.release()
    bell.ring()
    return count
  }
}
