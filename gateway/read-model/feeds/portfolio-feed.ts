import { PushKind } from '../../link/read-protocol.js'
import { positionRows } from '../texts/portfolio-text.js'
import type { EventViews } from '../views/event-views.js'
import { portfolioMessage } from './portfolio-message.js'
import type { ReplyWriter } from './reply-writer.js'

/** Dependencies of a feed on its thread. */
export interface FeedParts {
  readonly views: EventViews
  /** By gateway. */
  readonly outs: readonly ReplyWriter[]
  /** Returns true if the views include everything up to an event-log offset. */
  hasPassed(offset: number): boolean
}

/** Requested snapshot. */
interface Snapshot {
  readonly slot: number
  readonly logOffset: number
}

/** One wallet watched by one gateway, with its pending updates. */
class Watch {
  readonly gateway: number
  readonly wallet: string
  /** -1 until the wallet has an account. */
  account = -1
  /** True once the first snapshot is sent; earlier changes need no update. */
  hasSnapshot = false
  snapshots: Snapshot[] = []
  /** Instruments of changed positions, with their realized profit. */
  readonly changed = new Map<number, number>()
  /** Cash in the latest message. */
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

  get isUpToDate(): boolean {
    const { snapshots, changed, isMarginDue, areGreeksDue } = this
    return snapshots.length === 0 && changed.size === 0 && !isMarginDue && !areGreeksDue
  }
}

// Minimum intervals of messages
const marginIntervalMillis = 1000
const greeksIntervalMillis = 5000
const noWatches: readonly Watch[] = []

/**
 * The `portfolio` channel: positions and margin of the watched wallets. Notes changes during events, and publishes the
 * resulting state between batches, so that a gateway with a full ring gets fewer messages, but never older ones.
 * Encodes each message once, however many gateways get it.
 */
export class PortfolioFeed {
  readonly #parts: FeedParts
  readonly #byWallet = new Map<string, Watch[]>()
  /** The same lists, of wallets that have an account. */
  readonly #byAccount = new Map<number, Watch[]>()
  readonly #withoutAccount = new Set<Watch>()
  #accountCount = 0
  #hasNewWatch = false
  readonly #due = new Set<Watch>()
  /** Messages of this round, reused for further gateways. */
  readonly #encoded = new Map<string, Uint8Array>()

  constructor(parts: FeedParts) {
    this.#parts = parts
  }

  /** Watches a wallet, unless it is already watched, and sends a snapshot. */
  watch(gateway: number, wallet: string, slot: number, logOffset: number): void {
    let watches = this.#byWallet.get(wallet)
    if (watches === undefined) this.#byWallet.set(wallet, (watches = []))
    let watch = watches.find((known) => known.gateway === gateway)
    if (watch === undefined) {
      watches.push((watch = new Watch(gateway, wallet)))
      this.#withoutAccount.add(watch)
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
    this.#withoutAccount.delete(watch)
    if (watches.length > 0) return
    this.#byWallet.delete(wallet)
    this.#byAccount.delete(watch.account)
  }

  onPosition(account: number, instrument: number, realizedMicros: number): void {
    for (const watch of this.#byAccount.get(account) ?? noWatches) {
      watch.changed.set(instrument, realizedMicros)
      watch.isMarginDue = true
      this.#due.add(watch)
    }
  }

  onAccount(account: number): void {
    for (const watch of this.#byAccount.get(account) ?? noWatches) {
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

  /** Resets the accounts, whose numbers a bootstrap assigns again. */
  onBegin(): void {
    this.#byAccount.clear()
    this.#hasNewWatch = true
    for (const watches of this.#byWallet.values()) {
      for (const watch of watches) {
        watch.account = -1
        this.#withoutAccount.add(watch)
      }
    }
  }

  /** Publishes due messages while the rings have room. @returns The number of messages. */
  publish(nowMillis: number): number {
    this.#findAccounts()
    if (this.#due.size === 0) return 0
    this.#encoded.clear()
    let count = 0
    for (const watch of this.#due) {
      if (this.#parts.outs[watch.gateway]!.isLagging) continue
      if (watch.hasSnapshot) count += this.#publishChanges(watch, nowMillis)
      count += this.#publishSnapshots(watch, nowMillis)
      if (watch.isUpToDate) this.#due.delete(watch)
    }
    return count
  }

  #publishSnapshots(watch: Watch, nowMillis: number): number {
    if (watch.snapshots.length === 0) return 0
    const { hasPassed } = this.#parts
    const ready = watch.snapshots.filter(({ logOffset }) => hasPassed(logOffset))
    if (ready.length === 0) return 0
    watch.snapshots = watch.snapshots.filter((snapshot) => !ready.includes(snapshot))
    if (!watch.hasSnapshot) {
      watch.hasSnapshot = true
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
      // When the last position is gone, send one update without legs.
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

  /** Finds the accounts of wallets that were watched before they had one, after accounts were added. */
  #findAccounts(): void {
    const { accounts } = this.#parts.views
    const { accountCount } = accounts.risk
    if (accountCount === this.#accountCount && !this.#hasNewWatch) return
    this.#accountCount = accountCount
    this.#hasNewWatch = false
    for (const watch of this.#withoutAccount) {
      watch.account = accounts.find(watch.wallet)
      if (watch.account < 0) continue
      this.#withoutAccount.delete(watch)
      this.#byAccount.set(watch.account, this.#byWallet.get(watch.wallet)!)
      watch.isMarginDue = true
      this.#due.add(watch)
    }
  }
}
