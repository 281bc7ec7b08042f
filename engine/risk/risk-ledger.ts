import { assert } from '../../schemas/assert.js'
import { underlyingsMax } from '../../schemas/bounds.js'
import { MarginMode, MarginModelKind, Tier } from '../../schemas/domain.js'
import { none } from '../memory/rows.js'
import { StateHash } from '../memory/state-hash.js'
import type { InstrumentTable } from '../pricing/instruments.js'
import type { BandParameters } from '../pricing/price-bands.js'
import type { RiskParameters } from '../pricing/scenarios.js'
import { WalletColumns } from '../tables/generated/wallet-columns.js'
import { AccountSet } from './account-set.js'
import { Buckets } from './buckets.js'
import { ExpiryGroups } from './expiry-groups.js'
import { Exposures } from './exposures.js'
import type { MarginModel } from './margin-model.js'
import type { MarkView } from './mark-view.js'
import type { OrderView } from './order-view.js'
import { RiskReducingTable } from './risk-reducing-table.js'
import { type FeeSchedule, noFees } from './trading-fees.js'

export interface RiskOptions {
  /** Mode `standard` means `defined_risk`, except for market makers. */
  readonly standardIsDefinedRisk: boolean
  /**
   * Defaults to true. If false, no risk arrays of the mode are computed, and a wallet that chose the mode before is
   * treated as in mode `standard` until it is allowed again.
   */
  readonly portfolioModeAllowed?: boolean
  /** Without bands, orders have no price limits. */
  readonly bands?: BandParameters
  /** Fees that working buys reserve in addition to their premium; default: none. */
  readonly fees?: FeeSchedule
}

/**
 * Amounts and links of all wallets: accounts, their exposures, and the buckets and groups that margin sums over.
 * Contains no margin formula.
 */
export class RiskLedger extends WalletColumns {
  readonly instruments: InstrumentTable
  readonly orders: OrderView
  readonly marks: MarkView
  readonly parameters: RiskParameters
  readonly options: RiskOptions
  /** Hash of the state that includes the rows. */
  readonly hash: StateHash
  readonly fees: FeeSchedule
  readonly exposures = new Exposures()
  readonly groups = new ExpiryGroups()
  readonly buckets: Buckets
  readonly riskReducing = new RiskReducingTable()
  /** By `MarginModelKind`; set once by the engine that owns this ledger. */
  models: readonly MarginModel[] = []
  /** Incremented at each re-mark of an underlying. */
  readonly markVersion = new Float64Array(underlyingsMax)
  /** Accounts whose cash, positions, model or marks changed since the last check. */
  readonly changed = new AccountSet()
  /** Accounts in `changed` whose sums must be recomputed because marks changed. */
  readonly remarked = new AccountSet()
  /** Time of the batch: for the age of an index and the gamma overlay. */
  nowMillis = 0

  accountCount = 0
  /** By underlying: accounts with a bucket in it. */
  readonly #holders: AccountSet[] = []

  constructor(
    instruments: InstrumentTable,
    orders: OrderView,
    marks: MarkView,
    parameters: RiskParameters,
    options: RiskOptions,
    hash: StateHash = new StateHash(),
  ) {
    super()
    this.instruments = instruments
    this.orders = orders
    this.marks = marks
    this.parameters = parameters
    this.options = options
    this.hash = hash
    this.fees = options.fees ?? noFees
    const { standardScenarios, portfolioScenarios } = parameters
    this.buckets = new Buckets(Math.max(standardScenarios.length, portfolioScenarios.length))
  }

  /** Opens accounts up to and including this dense index, with the default tier, mode standard and no cash. */
  openAccount(account: number): void {
    assert(account >= 0, 'risk: the account index is not negative')
    while (this.accountCount <= account) {
      if (this.accountCount === this.length) this.#growAccounts()
      const row = this.accountCount++
      this.tier[row] = Tier.Default
      this.marginMode[row] = MarginMode.Standard
      this.modelKind[row] = modelKindOf(Tier.Default, MarginMode.Standard, this.options)
      this.resetRow(row)
      this.hashRow(row, this.hash, true)
    }
  }

  modelOf(account: number): MarginModel {
    return this.models[this.modelKind[account]]
  }

  /**
   * Returns the exposure of an account in an instrument. Adds it, with its bucket and group, if it is missing. An empty
   * exposure lasts until its next change.
   */
  exposureFor(account: number, instrument: number): number {
    const { exposures, instruments } = this
    const known = exposures.find(account, instrument)
    if (known !== none) return known
    assert(account >= 0 && account < this.accountCount, 'risk: the account exists')
    assert(instrument >= 0 && instrument < instruments.count, 'risk: the instrument is listed')
    const exposure = exposures.add(account, instrument)
    const first = this.firstExposure[account]
    exposures.nextInAccount[exposure] = first
    exposures.prevInAccount[exposure] = none
    if (first !== none) exposures.prevInAccount[first] = exposure
    this.firstExposure[account] = exposure
    const bucket = this.#bucketFor(account, instruments.underlying[instrument])
    this.#linkIntoGroup(exposure, this.#groupFor(bucket, instruments.expiryMillis[instrument]))
    return exposure
  }

  /** Frees an empty exposure, and its group and bucket if they become empty. */
  release(exposure: number): void {
    const { exposures } = this
    const next = exposures.nextInAccount[exposure]
    const prev = exposures.prevInAccount[exposure]
    if (next !== none) exposures.prevInAccount[next] = prev
    if (prev !== none) exposures.nextInAccount[prev] = next
    else this.firstExposure[exposures.account[exposure]] = next
    this.#unlinkFromGroup(exposure)
    exposures.free(exposure)
  }

  /** Marks every holder of a re-marked underlying as changed. */
  noteRemark(underlying: number): void {
    const holders = this.holdersOf(underlying)
    this.changed.addAll(holders)
    this.remarked.addAll(holders)
  }

  isPerp(exposure: number): boolean {
    return this.instruments.isPerp(this.exposures.instrument[exposure])
  }

  bucketOf(exposure: number): number {
    return this.groups.bucket[this.exposures.group[exposure]]
  }

  #bucketFor(account: number, underlying: number): number {
    const { buckets } = this
    let prev = none
    let row = this.firstBucket[account]
    while (row !== none && buckets.underlying[row] < underlying) {
      prev = row
      row = buckets.nextInAccount[row]
    }
    if (row !== none && buckets.underlying[row] === underlying) return row
    const added = buckets.add(account, underlying)
    buckets.nextInAccount[added] = row
    if (prev === none) this.firstBucket[account] = added
    else buckets.nextInAccount[prev] = added
    this.holdersOf(underlying).add(account)
    return added
  }

  #groupFor(bucket: number, expiryMillis: number): number {
    const { buckets, groups } = this
    let prev = none
    let row = buckets.firstGroup[bucket]
    while (row !== none && groups.expiryMillis[row] > expiryMillis) {
      prev = row
      row = groups.nextInBucket[row]
    }
    if (row !== none && groups.expiryMillis[row] === expiryMillis) return row
    const added = groups.add(bucket, expiryMillis)
    groups.nextInBucket[added] = row
    if (prev === none) buckets.firstGroup[bucket] = added
    else groups.nextInBucket[prev] = added
    return added
  }

  #linkIntoGroup(exposure: number, group: number): void {
    const { exposures, groups, instruments } = this
    const strikeMicros = instruments.strikeMicros[exposures.instrument[exposure]]
    let prev = none
    let next = groups.firstExposure[group]
    while (next !== none && instruments.strikeMicros[exposures.instrument[next]] < strikeMicros) {
      prev = next
      next = exposures.nextInGroup[next]
    }
    exposures.group[exposure] = group
    exposures.nextInGroup[exposure] = next
    exposures.prevInGroup[exposure] = prev
    if (next !== none) exposures.prevInGroup[next] = exposure
    if (prev === none) groups.firstExposure[group] = exposure
    else exposures.nextInGroup[prev] = exposure
  }

  #unlinkFromGroup(exposure: number): void {
    const { exposures, groups } = this
    const group = exposures.group[exposure]
    const next = exposures.nextInGroup[exposure]
    const prev = exposures.prevInGroup[exposure]
    if (next !== none) exposures.prevInGroup[next] = prev
    if (prev !== none) exposures.nextInGroup[prev] = next
    else groups.firstExposure[group] = next
    if (groups.firstExposure[group] === none) this.#freeGroup(group)
  }

  #freeGroup(group: number): void {
    const { buckets, groups } = this
    const bucket = groups.bucket[group]
    let prev = none
    for (let row = buckets.firstGroup[bucket]; row !== group; row = groups.nextInBucket[row]) {
      prev = row
    }
    if (prev === none) buckets.firstGroup[bucket] = groups.nextInBucket[group]
    else groups.nextInBucket[prev] = groups.nextInBucket[group]
    groups.free(group)
    if (buckets.firstGroup[bucket] === none) this.#freeBucket(bucket)
  }

  #freeBucket(bucket: number): void {
    const { buckets } = this
    const account = buckets.account[bucket]
    let prev = none
    for (let row = this.firstBucket[account]; row !== bucket; row = buckets.nextInAccount[row]) {
      prev = row
    }
    if (prev === none) this.firstBucket[account] = buckets.nextInAccount[bucket]
    else buckets.nextInAccount[prev] = buckets.nextInAccount[bucket]
    this.holdersOf(buckets.underlying[bucket]).remove(account)
    buckets.free(bucket)
  }

  /** Returns the accounts with a position or an order in an underlying. */
  holdersOf(underlying: number): AccountSet {
    assert(underlying >= 0 && underlying < underlyingsMax, 'risk: the underlying index is valid')
    const holders = this.#holders
    while (holders.length <= underlying) holders.push(new AccountSet())
    return holders[underlying]
  }

  #growAccounts(): void {
    const length = this.length * 2
    this.growTo(length)
    this.riskReducing.grow(length)
  }
}

/** Returns the margin model of a wallet from its tier and margin mode. */
export function modelKindOf(tier: number, mode: number, options: RiskOptions): MarginModelKind {
  const { portfolioModeAllowed = true } = options
  if (mode === MarginMode.Portfolio && portfolioModeAllowed) return MarginModelKind.Portfolio
  const defined = options.standardIsDefinedRisk && tier !== Tier.MarketMaker
  return defined ? MarginModelKind.DefinedRisk : MarginModelKind.Standard
}
