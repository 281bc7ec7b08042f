import { FoundReply, LookupRequest } from '../../schemas/generated/lookups.js'
import { lookUpOutcome } from '../core/account/look-up.js'
import type { Core } from '../core/core.js'
import type { Ring } from '../memory/ring.js'
import type { Wakeup } from '../memory/wakeup.js'

const answersPerTurnMax = 64

const request = new LookupRequest()
const reply = new FoundReply()

/** Rings for the lookups of one gateway. */
export interface LookupRings {
  readonly requests: Ring
  readonly replies: Ring
  /** Wakes the requester. */
  readonly bell: Pick<Wakeup, 'ring'>
}

/**
 * Answers lookups of signed actions between two batches. All commands sent before a lookup, by any gateway, are decided
 * before its answer. An action that is then unknown was not on its way to the core.
 */
export class LookupService {
  readonly #core: Core
  readonly #rings: readonly LookupRings[]
  /** Ends of the command rings that must be decided before the answer; null without lookups. */
  #commandEnds: readonly number[] | null = null
  /** End of the requests of each gateway that are older than those commands. */
  #requestEnds: readonly number[] = []

  constructor(core: Core, rings: readonly LookupRings[]) {
    this.#core = core
    this.#rings = rings
  }

  /** Answers pending lookups. @returns the number of answers. */
  doWork(): number {
    if (this.#commandEnds === null) {
      if (!this.#isRequested()) return 0
      // Requests first: every command sent before one of them is then in the command rings.
      this.#requestEnds = this.#rings.map(({ requests }) => requests.end())
      this.#commandEnds = this.#core.commandEnds()
    }
    if (!this.#core.hasDecided(this.#commandEnds)) return 0
    let count = 0
    let isDone = true
    for (const [index, pair] of this.#rings.entries()) {
      count += this.#answer(pair, this.#requestEnds[index]!, answersPerTurnMax - count)
      isDone &&= pair.requests.hasRead(this.#requestEnds[index]!)
    }
    if (isDone) this.#commandEnds = null
    return count
  }

  #isRequested(): boolean {
    for (const { requests } of this.#rings) if (requests.hasNext()) return true
    return false
  }

  #answer({ requests, replies, bell }: LookupRings, end: number, countMax: number): number {
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
