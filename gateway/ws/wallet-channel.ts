import type { WatchRecord } from '../../schemas/generated/reads.js'
import type { PushKind } from '../link/read-protocol.js'
import type { Publication } from '../link/reads.js'
import type { Session } from './session.js'
import type { WatchLink } from './watch-link.js'

/** What one private channel of the read model is asked for with. */
export interface WalletChannelWords {
  readonly begin: WatchRecord
  readonly end: WatchRecord
  /** The last message of a snapshot; null: the channel has none. */
  readonly snapshotEnd: PushKind | null
}

/** One connection's subscriptions of its wallet. */
interface Member {
  subscriptions: number
  /** Whether its first snapshot is out: before it, changes would be about nothing it knows. */
  isReady: boolean
  /** Of the snapshots that it waits for. */
  readonly slots: Set<number>
}

interface Awaited {
  readonly session: Session
  readonly member: Member
}

// One under way and one that is asked for meanwhile. Who asks again before they come gets the second:
// it is as new as one of its own, and a client cannot make the read model work for each of its frames.
const snapshotsAwaitedMax = 2

type Deliver = (session: Session, bytes: Uint8Array, key: string | null) => void

/**
 * A private channel of one gateway that the read model feeds: it encodes, this hands out. A snapshot goes to the
 * subscription that asked for it, everything else to all connections of the wallet that have had theirs.
 */
export class WalletChannel {
  readonly #words: WalletChannelWords
  readonly #link: WatchLink
  readonly #deliver: Deliver
  readonly #byWallet = new Map<string, Map<Session, Member>>()
  readonly #bySlot = new Map<number, Awaited>()

  /** @param deliver takes a key under which a newer message may overtake one that still waits. */
  constructor(words: WalletChannelWords, link: WatchLink, deliver: Deliver) {
    this.#words = words
    this.#link = link
    this.#deliver = deliver
  }

  /** Another subscription of the session's wallet. */
  add(session: Session): void {
    let members = this.#byWallet.get(session.wallet)
    if (members === undefined) this.#byWallet.set(session.wallet, (members = new Map()))
    const member = members.get(session)
    if (member !== undefined) member.subscriptions++
    else
      members.set(session, {
        subscriptions: 1,
        isReady: this.#words.snapshotEnd === null,
        slots: new Set(),
      })
  }

  /** Takes back one `add`, made under the session's present wallet. */
  remove(session: Session): void {
    const { wallet } = session
    const members = this.#byWallet.get(wallet)
    const member = members?.get(session)
    if (members === undefined || member === undefined || --member.subscriptions > 0) return
    members.delete(session)
    for (const slot of member.slots) this.#bySlot.delete(slot)
    if (members.size > 0) return
    this.#byWallet.delete(wallet)
    this.#link.say(this.#words.end, wallet)
  }

  /** Sees to it that the wallet is watched, and that a snapshot will come for a session that is a member. */
  askSnapshot(session: Session): void {
    const member = this.#byWallet.get(session.wallet)?.get(session)
    if (member === undefined || member.slots.size >= snapshotsAwaitedMax) return
    const slot = this.#link.say(this.#words.begin, session.wallet)
    if (this.#words.snapshotEnd === null) return
    member.slots.add(slot)
    this.#bySlot.set(slot, { session, member })
  }

  /** Something that happened to a wallet once: no later message takes its place. */
  tell(wallet: string, encodeOnce: () => Uint8Array): void {
    const members = this.#byWallet.get(wallet)
    if (members === undefined) return
    const bytes = encodeOnce()
    for (const session of members.keys()) this.#deliver(session, bytes, null)
  }

  onPublication({ kind, slot, subject, wallet, body }: Publication): void {
    if (slot > 0) {
      this.#onSnapshot(slot, kind, body)
      return
    }
    const key = `${kind} ${subject}`
    for (const [session, { isReady }] of this.#byWallet.get(wallet) ?? nobody) {
      if (isReady) this.#deliver(session, body, key)
    }
  }

  #onSnapshot(slot: number, kind: PushKind, body: Uint8Array): void {
    const awaited = this.#bySlot.get(slot)
    if (awaited === undefined) return
    this.#deliver(awaited.session, body, null)
    if (kind !== this.#words.snapshotEnd) return
    this.#bySlot.delete(slot)
    awaited.member.slots.delete(slot)
    awaited.member.isReady = true
  }
}

const nobody: ReadonlyMap<Session, Member> = new Map()
