import { Right } from '../../schemas/domain.js'
import { WatchRecord } from '../../schemas/generated/reads.js'
import { parseOptionSymbol } from '../../schemas/symbol.js'
import { PushKind } from '../link/read-protocol.js'
import type { Publication } from '../link/reads.js'
import type { Session } from './session.js'
import type { Subscription } from './subscriptions.js'
import type { WatchLink } from './watch-link.js'

/** Latest state of a strike row, from the read model. */
interface Row {
  readonly underlying: string
  readonly expiryDate: number
  /** By `Right`; '' if there is no such instrument. */
  readonly symbols: [string, string]
  readonly head: string
  readonly legs: [string, string]
  readonly tail: string
}

type Deliver = (session: Session, bytes: Uint8Array) => void

/** Legs of a row: bit 0 the call, bit 1 the put. */
type LegMask = number

const noLegs: LegMask = 0
const rights = [Right.Call, Right.Put] as const

/**
 * The `options_chain` channel of one gateway. Stores the latest state of each row while it has subscribers, so that a
 * snapshot costs the read model nothing. A message contains the legs that match the connection's filters.
 */
export class ChainChannel {
  readonly #link: WatchLink
  readonly #deliver: Deliver
  readonly #members = new Map<Session, Map<string, Subscription>>()
  readonly #rows = new Map<number, Row>()
  /** Subscriptions that wait for the first complete set of rows. */
  readonly #pendingSnapshots = new Map<Subscription, Session>()
  #slot = 0
  /** Sequence as of which all rows are known; 0: not yet. */
  #stepSeq = 0
  #isFilled = false
  /** Highest sequence sent. */
  #seq = 0

  constructor(link: WatchLink, deliver: Deliver) {
    this.#link = link
    this.#deliver = deliver
  }

  add(session: Session, subscription: Subscription): void {
    if (this.#members.size === 0) this.#begin()
    let subscriptions = this.#members.get(session)
    if (subscriptions === undefined) this.#members.set(session, (subscriptions = new Map()))
    subscriptions.set(subscription.key, subscription)
  }

  remove(session: Session, subscription: Subscription): void {
    const subscriptions = this.#members.get(session)
    if (subscriptions === undefined) return
    subscriptions.delete(subscription.key)
    this.#pendingSnapshots.delete(subscription)
    if (subscriptions.size > 0) return
    this.#members.delete(session)
    if (this.#members.size > 0) return
    this.#link.say(WatchRecord.ChainEnd, '')
    this.#slot = 0
    this.#rows.clear()
  }

  /** Sends every row that the subscription matches, now or once the rows are known. */
  sendSnapshot(session: Session, subscription: Subscription): void {
    if (!this.#isFilled) {
      this.#pendingSnapshots.set(subscription, session)
      return
    }
    const ending = `,"seq":${this.#seq},"snapshot":true,"as_of_seq":${this.#stepSeq}}`
    for (const row of this.#rows.values()) {
      // A client replaces its row by the message, so include the legs of its other subscriptions.
      if (legsOf(row, subscription) === noLegs) continue
      this.#deliver(session, encodeRow(row, this.#wantedBy(session, row), ending))
    }
  }

  onPublication(publication: Publication): void {
    const { kind, slot, seq } = publication
    if (slot !== this.#slot) return // of an earlier watch
    this.#seq = Math.max(this.#seq, seq)
    if (kind === PushKind.ChainRow) this.#onRow(publication)
    else if (kind === PushKind.ChainRemoval) this.#onRemoval(publication)
    else if (kind === PushKind.ChainStep) this.#onStep(seq)
  }

  #begin(): void {
    this.#slot = this.#link.say(WatchRecord.Chain, '')
    this.#isFilled = false
    this.#stepSeq = 0
  }

  #onRow({ subject, body }: Publication): void {
    const row = readRow(body)
    this.#rows.set(subject, row)
    if (!this.#isFilled) return
    const ending = `,"seq":${this.#seq}}`
    const encoded: (Uint8Array | undefined)[] = []
    for (const session of this.#members.keys()) {
      const mask = this.#wantedBy(session, row)
      if (mask === noLegs) continue
      encoded[mask] ??= encodeRow(row, mask, ending)
      this.#deliver(session, encoded[mask])
    }
  }

  #onRemoval({ subject, body }: Publication): void {
    const id = subject >> 1
    const right = subject & 1
    const row = this.#rows.get(id)
    if (row === undefined) return
    const message = body.toString().split('\n')[2]!
    const bytes = Buffer.from(`${message},"seq":${this.#seq}}`)
    for (const session of this.#members.keys()) {
      const isWanted = (this.#wantedBy(session, row) & (1 << right)) !== 0
      if (isWanted && this.#isFilled) this.#deliver(session, bytes)
    }
    row.legs[right] = ''
    if (row.legs.every((leg) => leg === '')) this.#rows.delete(id)
  }

  #onStep(seq: number): void {
    this.#stepSeq = seq
    this.#isFilled = true
    for (const [subscription, session] of this.#pendingSnapshots)
      this.sendSnapshot(session, subscription)
    this.#pendingSnapshots.clear()
  }

  /** Returns the legs that any of the session's subscriptions matches. */
  #wantedBy(session: Session, row: Row): LegMask {
    let mask = noLegs
    for (const subscription of this.#members.get(session)!.values()) {
      mask |= legsOf(row, subscription)
    }
    return mask
  }
}

/** Parses a row, whose lines are in the order of `chainPieces`. */
function readRow(body: Buffer): Row {
  const [underlying, call, put, head, callLeg, putLeg, tail] = body.toString().split('\n')
  const option = parseOptionSymbol(call! || put!)
  const expiryDate = typeof option === 'string' ? 0 : option.expiryDate
  return {
    underlying: underlying!,
    expiryDate,
    symbols: [call!, put!],
    head: head!,
    legs: [callLeg!, putLeg!],
    tail: tail!,
  }
}

function legsOf(row: Row, { symbols, expiryDate, right }: Subscription): LegMask {
  if (expiryDate !== null && expiryDate !== row.expiryDate) return noLegs
  let mask = noLegs
  for (const leg of rights) {
    if (row.legs[leg] === '' || (right !== null && right !== leg)) continue
    const isNamed = symbols === null || symbols.has(row.symbols[leg]) || symbols.has(row.underlying)
    if (isNamed) mask |= 1 << leg
  }
  return mask
}

function encodeRow({ head, legs, tail }: Row, mask: LegMask, ending: string): Uint8Array {
  const call = mask & 1 ? legs[Right.Call] : ''
  const put = mask & 2 ? legs[Right.Put] : ''
  return Buffer.from(head + call + put + tail + ending)
}
