import { PushKind } from '../../link/read-protocol.js'
import { positionRows } from '../texts/portfolio-text.js'
import type { EventViews } from '../views/event-views.js'
import { portfolioMessage } from './portfolio-message.js'
import type { ReplyWriter } from './reply-writer.js'

/** What a feed needs of the thread that runs it. */
export interface FeedParts {
  readonly views: EventViews
  /** By gateway. */
  readonly outs: readonly ReplyWriter[]
  /** Whether the views include everything up to an event-log offset. */
  hasPassed(offset: number): boolean
}

/** A snapshot that somebody waits for. */
interface Snapshot {
  readonly slot: number
  readonly logOffset: number
}

/** One wallet as one gateway watches it, with what is still to be told. */
class Watch {
  readonly gateway: number
  readonly wallet: string
  /** -1 until the wallet is seen. */
  account = -1
  /** Whether the first snapshot is out: changes before it need no telling. */
  isTold = false
  snapshots: Snapshot[] = []
  /** Instruments of changed positions, with what each has realized. */
  readonly changed = new Map<number, number>()
  /** As last told. */
  cashMicros = 0
  isMarginDue = false
  marginMillis = 0
  areGreeksDue = false
  greeksMillis = 0
  hasGreeks = false

  constructor(gateway: number, wallet: string) {
    this.gateway = gateway
    this.wallet = wallet
  }

  get isDone(): boolean {
    const { snapshots, changed, isMarginDue, areGreeksDue } = this
    return snapshots.length === 0 && changed.size === 0 && !isMarginDue && !areGreeksDue
  }
}

// What is sent when
const marginIntervalMillis = 1000
const greeksIntervalMillis = 5000
const nobody: readonly Watch[] = []

/**
 * The `portfolio` channel: what the wallets that somebody watches hold, and their margin. Changes are noted as
 * events tell them, and told between batches as the state then is, so a gateway whose ring is full gets fewer
 * messages, never older ones. A message is encoded once, however many gateways get it.
 */
export class PortfolioFeed {
  readonly #parts: FeedParts
  readonly #byWallet = new Map<string, Watch[]>()
  /** The same lists, of wallets that have an account. */
  readonly #byAccount = new Map<number, Watch[]>()
  readonly #unseen = new Set<Watch>()
  #accountCount = 0
  #hasNewWatch = false
  readonly #due = new Set<Watch>()
  /** Messages of this round, for the next gateway that wants them. */
  readonly #encoded = new Map<string, Uint8Array>()

  constructor(parts: FeedParts) {
    this.#parts = parts
  }

  /** Watches a wallet, if it is not watched yet, and sends a snapshot. */
  watch(gateway: number, wallet: string, slot: number, logOffset: number): void {
    let watches = this.#byWallet.get(wallet)
    if (watches === undefined) this.#byWallet.set(wallet, (watches = []))
    let watch = watches.find((known) => known.gateway === gateway)
    if (watch === undefined) {
      watches.push((watch = new Watch(gateway, wallet)))
      this.#unseen.add(watch)
      this.#hasNewWatch = true
    }
    watch.snapshots.push({ slot, logOffset })
    this.#due.add(watch)
  }

  unwatch(gateway: number, wallet: string): void {
    const watches = this.#byWallet.get(wallet)
    const watch = watches?.find((known) => known.gateway === gateway)
    if (watches === undefined || watch === undefined) return
    watches.splice(watches.indexOf(watch), 1)
    this.#due.delete(watch)
    this.#unseen.delete(watch)
    if (watches.length > 0) return
    this.#byWallet.delete(wallet)
    this.#byAccount.delete(watch.account)
  }

  onPosition(account: number, instrument: number, realizedMicros: number): void {
    for (const watch of this.#byAccount.get(account) ?? nobody) {
      watch.changed.set(instrument, realizedMicros)
      watch.isMarginDue = true
      this.#due.add(watch)
    }
  }

  onAccount(account: number): void {
    for (const watch of this.#byAccount.get(account) ?? nobody) {
      watch.isMarginDue = true
      this.#due.add(watch)
    }
  }

  onRemark(underlying: number): void {
    for (const [account, watches] of this.#byAccount) {
      if (!this.#isExposed(account, underlying)) continue
      this.onAccount(account)
      for (const watch of watches) watch.areGreeksDue = true
    }
  }

  /** Accounts are counted anew. */
  onBegin(): void {
    this.#byAccount.clear()
    this.#hasNewWatch = true
    for (const watches of this.#byWallet.values()) {
      for (const watch of watches) {
        watch.account = -1
        this.#unseen.add(watch)
      }
    }
  }

  /** Tells what is due, as far as the rings have room. @returns the messages written. */
  publish(nowMillis: number): number {
    this.#findAccounts()
    if (this.#due.size === 0) return 0
    this.#encoded.clear()
    let count = 0
    for (const watch of this.#due) {
      if (this.#parts.outs[watch.gateway]!.isBehind) continue
      if (watch.isTold) count += this.#publishChanges(watch, nowMillis)
      count += this.#publishSnapshots(watch, nowMillis)
      if (watch.isDone) this.#due.delete(watch)
    }
    return count
  }

  #publishSnapshots(watch: Watch, nowMillis: number): number {
    if (watch.snapshots.length === 0) return 0
    const { hasPassed } = this.#parts
    const ready = watch.snapshots.filter(({ logOffset }) => hasPassed(logOffset))
    if (ready.length === 0) return 0
    watch.snapshots = watch.snapshots.filter((snapshot) => !ready.includes(snapshot))
    if (!watch.isTold) {
      watch.isTold = true
      watch.changed.clear()
      watch.cashMicros = this.#cashOf(watch)
      watch.isMarginDue = false
      watch.marginMillis = nowMillis
    }
    for (const { slot } of ready) {
      this.#push(watch, PushKind.Initial, slot)
      this.#push(watch, PushKind.MarginUpdate, slot)
    }
    return 2 * ready.length
  }

  #publishChanges(watch: Watch, nowMillis: number): number {
    let count = watch.changed.size
    for (const [instrument, realizedMicros] of watch.changed) {
      this.#push(watch, PushKind.PositionUpdate, 0, instrument, realizedMicros)
    }
    watch.changed.clear()
    const cashMicros = this.#cashOf(watch)
    if (cashMicros !== watch.cashMicros) {
      watch.cashMicros = cashMicros
      this.#push(watch, PushKind.BalanceUpdate, 0)
      count++
    }
    if (watch.isMarginDue && nowMillis - watch.marginMillis >= marginIntervalMillis) {
      watch.isMarginDue = false
      watch.marginMillis = nowMillis
      this.#push(watch, PushKind.MarginUpdate, 0)
      count++
    }
    if (watch.areGreeksDue && nowMillis - watch.greeksMillis >= greeksIntervalMillis) {
      watch.areGreeksDue = false
      const hasPositions = positionRows(this.#parts.views, watch.account).length > 0
      if (!hasPositions && !watch.hasGreeks) return count
      // The last position gone is told once, by an update without legs.
      watch.hasGreeks = hasPositions
      watch.greeksMillis = nowMillis
      this.#push(watch, PushKind.GreeksUpdate, 0)
      count++
    }
    return count
  }

  #push(watch: Watch, kind: PushKind, slot: number, instrument = -1, realizedMicros = 0): void {
    const { views, outs } = this.#parts
    const { account, gateway, wallet } = watch
    const isSnapshot = slot > 0
    const key = `${wallet} ${kind} ${instrument} ${isSnapshot}`
    let body = this.#encoded.get(key)
    if (body === undefined) {
      const subject = { wallet, account, instrument, realizedMicros }
      body = portfolioMessage(views, kind, subject, isSnapshot)
      this.#encoded.set(key, body)
    }
    outs[gateway]!.push({ kind, slot, subject: instrument, seq: views.seq, wallet, body })
  }

  #cashOf({ account }: Watch): number {
    return account < 0 ? 0 : this.#parts.views.accounts.risk.cashMicros[account]
  }

  #isExposed(account: number, underlying: number): boolean {
    const { buckets, firstBucket } = this.#parts.views.accounts.risk
    let row = firstBucket[account]
    while (row >= 0 && buckets.underlying[row] < underlying) row = buckets.nextInAccount[row]
    return row >= 0 && buckets.underlying[row] === underlying
  }

  /** Wallets that were watched before they had an account: looked for when accounts were added. */
  #findAccounts(): void {
    const { accounts } = this.#parts.views
    const { accountCount } = accounts.risk
    if (accountCount === this.#accountCount && !this.#hasNewWatch) return
    this.#accountCount = accountCount
    this.#hasNewWatch = false
    for (const watch of this.#unseen) {
      watch.account = accounts.find(watch.wallet)
      if (watch.account < 0) continue
      this.#unseen.delete(watch)
      this.#byAccount.set(watch.account, this.#byWallet.get(watch.wallet)!)
      watch.isMarginDue = true
      this.#due.add(watch)
    }
  }
}
