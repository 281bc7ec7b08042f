import type { WatchRecord } from '../../schemas/generated/reads.js'
import type { PushKind } from '../link/read-protocol.js'
import type { Publication } from '../link/reads.js'
import type { Session } from './session.js'
import type { WatchLink } from './watch-link.js'

/** Records and message kinds of one private channel of the read model. */
export interface WalletChannelWords {
  readonly begin: WatchRecord
  readonly end: WatchRecord
  /** Last message of a snapshot; null: the channel has none. */
  readonly snapshotEnd: PushKind | null
}

/** One connection's subscriptions of its wallet. */
interface Member {
  subscriptions: number
  /** True after the first snapshot was sent. Changes before it would refer to unknown state. */
  isReady: boolean
  /** Slots of pending snapshots. */
  readonly slots: Set<number>
}

interface Pending {
  readonly session: Session
  readonly member: Member
}

// One snapshot in progress and one requested since. Further requests share the second, which is as recent as one of
// their own, so that a client cannot make the read model work for each of its frames.
const snapshotsPendingMax = 2

type Deliver = (session: Session, bytes: Uint8Array, key: string | null) => void

/**
 * Private channel of one gateway, fed by the read model. The read model encodes, this class distributes. A snapshot
 * goes to the subscription that requested it, all else to every connection of the wallet that has received its
 * snapshot.
 */
export class WalletChannel {
  readonly #words: WalletChannelWords
  readonly #link: WatchLink
  readonly #deliver: Deliver
  readonly #byWallet = new Map<string, Map<Session, Member>>()
  readonly #bySlot = new Map<number, Pending>()

  /**
   * @param deliver Gets a key under which a newer message may replace a queued one.
   */
  constructor(words: WalletChannelWords, link: WatchLink, deliver: Deliver) {
    this.#words = words
    this.#link = link
    this.#deliver = deliver
  }

  /** Adds a subscription of the session's wallet. */
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

  /** Reverts one `add`, made under the session's present wallet. */
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

  /** Watches the wallet and requests a snapshot for a member session. */
  requestSnapshot(session: Session): void {
    const member = this.#byWallet.get(session.wallet)?.get(session)
    if (member === undefined || member.slots.size >= snapshotsPendingMax) return
    const slot = this.#link.say(this.#words.begin, session.wallet)
    if (this.#words.snapshotEnd === null) return
    member.slots.add(slot)
    this.#bySlot.set(slot, { session, member })
  }

  /** Sends a one-time event of a wallet, which no later message replaces. */
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
    for (const [session, { isReady }] of this.#byWallet.get(wallet) ?? noMembers) {
      if (isReady) this.#deliver(session, body, key)
    }
  }

  #onSnapshot(slot: number, kind: PushKind, body: Uint8Array): void {
    const pending = this.#bySlot.get(slot)
    if (pending === undefined) return
    this.#deliver(pending.session, body, null)
    if (kind !== this.#words.snapshotEnd) return
    this.#bySlot.delete(slot)
    pending.member.slots.delete(slot)
    pending.member.isReady = true
  }
}

const noMembers: ReadonlyMap<Session, Member> = new Map()
