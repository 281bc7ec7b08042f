import { CompetitionState } from '../../../schemas/domain.js'
import type { MessageOf } from '../../../schemas/interface/streams.js'
import { PushKind } from '../../link/read-protocol.js'
import { encodeJson } from '../../wire/json-text.js'
import type { Ledger } from '../standings/ledger.js'
import type { BoardObserver, StandingsBoard } from '../standings/standings-board.js'
import {
  type Contest,
  gapOf,
  lifetimeRealized,
  participantOf,
  rankOf,
  standingOf,
  standingText,
  valuesOf,
} from '../texts/competition-text.js'
import type { FeedParts } from './portfolio-feed.js'

interface ContestFeedParts extends FeedParts {
  readonly standings: StandingsBoard
}

/** Watch of a wallet by a gateway. */
interface ContestWatch {
  readonly gateway: number
  readonly wallet: string
  /** Channel of ranks and gaps instead of the channel of values. */
  readonly isEngagement: boolean
  readonly slot: number
  readonly logOffset: number
}

/** State of a wallet in a competition when it was last sent or first read. */
interface LastSent {
  version: number
  rank: number
  values: string
  gap: string
  gapMillis: number
}

/** One wallet watched by one gateway. */
class Watch {
  readonly gateway: number
  readonly wallet: string
  readonly isEngagement: boolean
  snapshots: Pick<ContestWatch, 'slot' | 'logOffset'>[] = []
  readonly lastSent = new Map<number, LastSent>()
  /** True once its state has been read. That first state is not sent as a change. */
  isKnown = false
  checkMillis = 0
  /** Competitions that have begun or ended since. */
  turned: number[] = []

  constructor({ gateway, wallet, isEngagement }: ContestWatch) {
    this.gateway = gateway
    this.wallet = wallet
    this.isEngagement = isEngagement
  }
}

const checkIntervalMillis = 1000
const gapIntervalMillis = 5000

/**
 * The channels `competition` and `competition_engagement`: the standings of the watched wallets only. Checks each of
 * them once a second, while a competition changes. The cost of a check does not depend on the number of participants.
 */
export class CompetitionFeed implements BoardObserver {
  readonly #parts: ContestFeedParts
  readonly #watches = new Map<string, Watch>()
  #nextMillis = 0

  constructor(parts: ContestFeedParts) {
    this.#parts = parts
  }

  /** Watches a wallet, unless it is already watched. The channel of values sends a snapshot. */
  watch(request: ContestWatch): void {
    const key = keyOf(request)
    let watch = this.#watches.get(key)
    if (watch === undefined) this.#watches.set(key, (watch = new Watch(request)))
    const { logOffset, slot } = request
    if (!watch.isEngagement) watch.snapshots.push({ slot, logOffset })
    this.#nextMillis = 0
  }

  unwatch(gateway: number, wallet: string, isEngagement: boolean): void {
    this.#watches.delete(keyOf({ gateway, wallet, isEngagement }))
  }

  onTurn({ id }: Ledger): void {
    for (const watch of this.#watches.values()) watch.turned.push(id)
    this.#nextMillis = 0
  }

  /** Publishes due messages while the rings have room. @returns The number of messages. */
  publish(nowMillis: number): number {
    if (nowMillis < this.#nextMillis || this.#watches.size === 0) return 0
    const { outs, standings } = this.#parts
    if (standings.active === null) return 0
    let nextMillis = nowMillis + checkIntervalMillis
    let count = 0
    for (const watch of this.#watches.values()) {
      if (outs[watch.gateway]!.isLagging) {
        nextMillis = nowMillis
        continue
      }
      count += this.#publishOf(watch, nowMillis)
      if (watch.snapshots.length > 0) nextMillis = nowMillis
      nextMillis = Math.min(nextMillis, watch.checkMillis)
    }
    this.#nextMillis = nextMillis
    return count
  }

  #publishOf(watch: Watch, nowMillis: number): number {
    let count = this.#publishTurns(watch)
    if (!watch.isKnown || nowMillis >= watch.checkMillis) {
      for (const ledger of this.#parts.standings.active!) {
        count += this.#publishChange(watch, ledger, nowMillis)
      }
      watch.isKnown = true
      watch.checkMillis = nowMillis + checkIntervalMillis
    }
    const ready = watch.snapshots.filter(({ logOffset }) => this.#parts.hasPassed(logOffset))
    if (ready.length === 0) return count
    watch.snapshots = watch.snapshots.filter((snapshot) => !ready.includes(snapshot))
    for (const { slot } of ready) this.#pushSummary(watch, slot)
    return count + ready.length
  }

  #publishTurns(watch: Watch): number {
    const turned = watch.turned
    if (turned.length === 0) return 0
    watch.turned = []
    let count = 0
    for (const id of turned) {
      const contest = this.#contestOf(id)
      if (contest?.facts.state !== CompetitionState.Post) continue
      watch.lastSent.delete(id)
      const row = participantOf(contest, watch.wallet)
      if (row < 0) continue
      const type = watch.isEngagement ? 'CompetitionFinalStanding' : 'CompetitionFinalStats'
      this.#push(watch, id, { type, competition_id: id, ...standingOf(contest, row) })
      count++
    }
    if (watch.isEngagement) return count
    this.#pushSummary(watch, 0)
    return count + 1
  }

  #publishChange(watch: Watch, ledger: Ledger, nowMillis: number): number {
    const { id, version } = ledger
    const before = watch.lastSent.get(id)
    const isGapOld = before !== undefined && before.gapMillis + gapIntervalMillis <= nowMillis
    if (before?.version === version && !isGapOld) return 0
    const contest = this.#contestOf(id)
    if (contest === null) return 0
    const row = participantOf(contest, watch.wallet)
    if (row < 0) return 0
    const rank = rankOf(contest, row, contest.facts.winConditions[0]!)!
    const values = valuesOf(contest, row)
    const gap = gapOf(contest, row)
    const now = { version, rank, values: JSON.stringify([rank, values]), gap: JSON.stringify(gap) }
    const isFirst = before === undefined
    const lastSent = isFirst
      ? { ...now, gapMillis: nowMillis }
      : { ...before, ...now, gap: before.gap }
    watch.lastSent.set(id, lastSent)
    if (isFirst && !watch.isKnown) return 0
    if (!watch.isEngagement) {
      if (before?.values === now.values) return 0
      this.#push(watch, id, { type: 'CompetitionUpdate', competition_id: id, rank, ...values })
      return 1
    }
    const places = isFirst ? 0 : before.rank - rank
    if (places !== 0) {
      const change = { from_rank: rank + places, to_rank: rank, delta_places: places }
      const { pnl } = values
      const type = 'CompetitionRankChange'
      this.#push(watch, id, { type, competition_id: id, ...change, pnl })
    }
    const isGapDue = isFirst || (isGapOld && now.gap !== before.gap)
    if (!isGapDue) return places === 0 ? 0 : 1
    lastSent.gap = now.gap
    lastSent.gapMillis = nowMillis
    this.#push(watch, id, { type: 'CompetitionGapUpdate', competition_id: id, ...gap })
    return places === 0 ? 1 : 2
  }

  #pushSummary(watch: Watch, slot: number): void {
    const { views } = this.#parts
    const { current } = views.competitions
    const contest = current?.state === CompetitionState.Active ? this.#contestOf(current.id) : null
    const content: Content = {
      type: 'CompetitionPnlSummary',
      lifetime_realized_pnl: lifetimeRealized(views, watch.wallet),
      active_competition: contest === null ? null : standingText(contest, watch.wallet),
    }
    this.#push(watch, 0, content, slot)
  }

  #contestOf(id: number): Contest | null {
    const { standings, views } = this.#parts
    const facts = views.competitions.find(id)
    if (facts === null) return null
    return { facts, ledger: standings.find(id, facts.state === CompetitionState.Post) }
  }

  #push({ gateway, wallet }: Watch, subject: number, content: Content, slot = 0): void {
    const { outs, views } = this.#parts
    const { seq, timeMillis } = views
    const { type, ...fields } = content
    const message = {
      type,
      wallet_address: wallet,
      ...fields,
      ...{ timestamp: timeMillis, seq },
      ...(slot > 0 ? { snapshot: true, as_of_seq: seq } : {}),
    }
    const body = Buffer.from(encodeJson(message))
    outs[gateway]!.push({ kind: kinds[type], slot, subject, seq, wallet, body })
  }
}

const kinds = {
  CompetitionUpdate: PushKind.CompetitionUpdate,
  CompetitionPnlSummary: PushKind.CompetitionSummary,
  CompetitionFinalStats: PushKind.CompetitionFinalStats,
  CompetitionRankChange: PushKind.CompetitionRankChange,
  CompetitionGapUpdate: PushKind.CompetitionGapUpdate,
  CompetitionFinalStanding: PushKind.CompetitionFinalStanding,
} as const
type CompetitionType = keyof typeof kinds
/** Fields added to every message when it is sent. */
type CommonFields = 'wallet_address' | 'timestamp' | 'seq' | 'snapshot' | 'as_of_seq'
type Content = {
  readonly [Type in CompetitionType]: Omit<MessageOf<Type>, CommonFields>
}[CompetitionType]

function keyOf({ gateway, isEngagement, wallet }: Omit<ContestWatch, 'slot' | 'logOffset'>) {
  return `${gateway} ${isEngagement} ${wallet}`
}
