import { assert } from '../../schemas/assert.js'
import { RateCategory, tierNames } from '../../schemas/domain.js'
import type { AnyEvent } from '../../schemas/generated/events.js'
import { keccak256 } from '../../schemas/signing/keccak.js'
import { writeAddress } from '../../schemas/wallet.js'
import type { Config } from '../config/config-schema.js'
import { type AddressKey, AddressLimits } from './address-limits.js'
import type { LimitMemory } from './limit-memory.js'
import { RateLimitFault } from './rate-limit-fault.js'
import { RateVerdict, RateWindows } from './rate-windows.js'
import { WalletDirectory } from './wallet-directory.js'

const keyBytes = 20
/** Name, in messages, of an address's budget of signature checks. */
export const failuresName = 'FailedSignature'

// Recoveries per second of an address that is over its budget of failures.
const recoveriesPerSecond = 20
// These windows last a minute of a clock that runs sixty times as fast, so they last a second. The clock has an epoch of
// its own, because windows are numbered in 32 bits.
const fastTimes = 60
const fastEpochMillis = Date.UTC(2026, 0)

// Separate tables, because a wallet's bytes may equal those of an address's key.
const payerCategories = {
  wallets: RateCategory.OrderPlacement,
  addresses: RateCategory.ApiRequest,
} as const

/** Claimed origin of a signed request. */
interface Claim {
  /** Lower-case text; '' if only the signature names the wallet. */
  readonly wallet: string
  readonly category: RateCategory
}

/**
 * All limits of one gateway thread, over counters that the threads share: windows per wallet and category,
 * windows per client address and wallet, and the limits of a client address.
 */
export class RequestLimits {
  readonly directory = new WalletDirectory()
  readonly addresses: AddressLimits
  /** Requests that failed so far. */
  refused = 0
  readonly #windows: RateWindows
  readonly #reads: RateWindows
  readonly #recoveries: RateWindows
  readonly #grants: RateWindows
  readonly #resumes: RateWindows
  readonly #resumedPerMinute: number
  /** By tier, then category. */
  readonly #limits: readonly (readonly number[])[]
  readonly #key = new Uint8Array(keyBytes)
  readonly #pair = new Uint8Array(2 * keyBytes)
  readonly #scratch = new RateVerdict()

  constructor(memory: LimitMemory, { limits }: Config) {
    this.#windows = new RateWindows(memory.windows)
    this.#reads = new RateWindows(memory.reads)
    this.#recoveries = new RateWindows(memory.recoveries)
    this.#grants = new RateWindows(memory.grants)
    this.#resumes = new RateWindows(memory.resumes)
    this.#resumedPerMinute = limits.resumedMessagesPerMinute
    this.addresses = new AddressLimits(memory.failures, memory.connections, limits)
    this.#limits = tierNames.map((name) => {
      const { ordersPerMinute, cancelsPerMinute, apiRequestsPerMinute } = limits[name]
      return [ordersPerMinute, cancelsPerMinute, apiRequestsPerMinute]
    })
  }

  onEvent(event: AnyEvent): void {
    this.directory.onEvent(event)
  }

  /** Returns a wallet's limit per minute by its tier; -1: unlimited. */
  limitOf(wallet: string, category: RateCategory): number {
    return this.#limits[this.directory.tierOf(wallet)][category]
  }

  /** Takes `cost` from a wallet's window, or nothing when it does not fit whole. */
  take(wallet: string, category: RateCategory, cost: number, nowMillis: number): RateVerdict {
    const verdict = new RateVerdict()
    const limit = this.limitOf(wallet, category)
    this.#writeWallet(wallet, this.#key, 0)
    this.#windows.take(this.#key, category, cost, limit, nowMillis, verdict)
    if (!verdict.isAllowed) this.refused++
    return verdict
  }

  /** Returns the state of a wallet's window; takes nothing. */
  stateOf(wallet: string, category: RateCategory, nowMillis: number): RateVerdict {
    const verdict = new RateVerdict()
    const limit = this.limitOf(wallet, category)
    this.#writeWallet(wallet, this.#key, 0)
    this.#windows.hasRoom(this.#key, category, limit, nowMillis, verdict)
    return verdict
  }

  /** Returns the state of the window of this client's reads of a wallet; takes nothing. */
  readStateOf(client: AddressKey, wallet: string, nowMillis: number): RateVerdict {
    const verdict = new RateVerdict()
    const category = RateCategory.ApiRequest
    const limit = this.limitOf(wallet, category)
    this.#reads.hasRoom(this.#pairKey(client, wallet), category, limit, nowMillis, verdict)
    return verdict
  }

  /** Returns a cost that was taken at `takenMillis`, unless that minute has ended. */
  refund(wallet: string, category: RateCategory, cost: number, takenMillis: number): void {
    this.#writeWallet(wallet, this.#key, 0)
    this.#windows.refund(this.#key, category, cost, takenMillis)
  }

  /** Takes one read of a wallet from the window of this client and wallet. */
  takeRead(client: AddressKey, wallet: string, nowMillis: number): RateVerdict {
    const verdict = new RateVerdict()
    const category = RateCategory.ApiRequest
    const limit = this.limitOf(wallet, category)
    this.#reads.take(this.#pairKey(client, wallet), category, 1, limit, nowMillis, verdict)
    if (!verdict.isAllowed) this.refused++
    return verdict
  }

  /** Gives a read back that `takeRead` took at `takenMillis`. */
  refundRead(client: AddressKey, wallet: string, takenMillis: number): void {
    this.#reads.refund(this.#pairKey(client, wallet), RateCategory.ApiRequest, 1, takenMillis)
  }

  /** Returns the fault if this client may have no more signatures recovered in this minute, or null. */
  refusesRecovery(client: AddressKey, nowMillis: number): RateLimitFault | null {
    const verdict = this.#scratch
    if (this.addresses.mayRecover(client, nowMillis, verdict)) return null
    this.refused++
    return new RateLimitFault(failuresName, Object.assign(new RateVerdict(), verdict))
  }

  /** Takes one action that an owner needs when its wallet's window is full, from the client's budget. */
  takeOwnersResort(client: AddressKey, nowMillis: number): boolean {
    return this.addresses.takeOwnersResort(client, nowMillis, this.#scratch)
  }

  /**
   * Takes one of the recoveries that a client has after its failures are used up, only for wallets with an account. Half
   * of them are reserved for cancels, and one wallet takes at most half of each kind.
   */
  takeRecovery(client: AddressKey, { wallet, category }: Claim, nowMillis: number): boolean {
    if (wallet === '' || !this.directory.hasAccount(wallet)) return false
    const limit = recoveriesOf(category)
    const time = (nowMillis - fastEpochMillis) * fastTimes
    const windows = this.#recoveries
    const kind = RateCategory.ApiRequest
    const pair = this.#pairKey(client, wallet)
    if (!windows.take(pair, kind, 1, limit / 2, time, this.#scratch)) return false
    if (windows.take(client.bytes, kind, 1, limit, time, this.#scratch)) return true
    windows.refund(pair, kind, 1, time)
    return false
  }

  /** Returns the cost of `takeRecovery` at `takenMillis`: the signer was the wallet, or an agent of it. */
  refundRecovery(client: AddressKey, { wallet }: Claim, takenMillis: number): void {
    const time = (takenMillis - fastEpochMillis) * fastTimes
    const kind = RateCategory.ApiRequest
    this.#recoveries.refund(this.#pairKey(client, wallet), kind, 1, time)
    this.#recoveries.refund(client.bytes, kind, 1, time)
  }

  /**
   * Takes a grant of the faucet: one a minute per wallet, `perAddress` per client; or nothing.
   * @returns the state of the full window, else of the wallet's.
   */
  takeGrant(
    client: AddressKey,
    wallet: string,
    perAddress: number,
    nowMillis: number,
  ): RateVerdict {
    const verdict = new RateVerdict()
    const windows = this.#grants
    this.#writeWallet(wallet, this.#key, 0)
    const { wallets, addresses } = payerCategories
    if (windows.take(client.bytes, addresses, 1, perAddress, nowMillis, verdict)) {
      if (windows.take(this.#key, wallets, 1, 1, nowMillis, verdict)) return verdict
      windows.refund(client.bytes, addresses, 1, nowMillis)
    }
    this.refused++
    return verdict
  }

  /** Returns the cost of `takeGrant` at `takenMillis`: the faucet gave nothing. */
  refundGrant(client: AddressKey, wallet: string, takenMillis: number): void {
    this.#writeWallet(wallet, this.#key, 0)
    this.#grants.refund(this.#key, payerCategories.wallets, 1, takenMillis)
    this.#grants.refund(client.bytes, payerCategories.addresses, 1, takenMillis)
  }

  /**
   * Takes the messages of a resume from the window of its client, or of an authenticated wallet, so that clients of the
   * same address cannot use it up. Takes nothing if they do not all fit.
   * @param wallet '' without an authenticated one.
   * @returns null, or the state of the window that is full.
   */
  takeResumed(
    client: AddressKey,
    wallet: string,
    messages: number,
    nowMillis: number,
  ): RateVerdict | null {
    if (this.addresses.isUnlimited(client)) return null
    if (wallet !== '') this.#writeWallet(wallet, this.#key, 0)
    const [key, kind] =
      wallet === ''
        ? [client.bytes, payerCategories.addresses]
        : [this.#key, payerCategories.wallets]
    const verdict = new RateVerdict()
    const limit = this.#resumedPerMinute
    if (this.#resumes.take(key, kind, messages, limit, nowMillis, verdict)) return null
    this.refused++
    return verdict
  }

  /** Counts a wasted recovery of this client. */
  countFailure(client: AddressKey, nowMillis: number): void {
    this.addresses.countFailure(client, nowMillis, this.#scratch)
  }

  /** Returns a hash, so that clients cannot choose pairs that collide in one slot. */
  #pairKey(client: AddressKey, wallet: string): Uint8Array {
    this.#pair.set(client.bytes)
    this.#writeWallet(wallet, this.#pair, keyBytes)
    return keccak256(this.#pair)
  }

  #writeWallet(wallet: string, target: Uint8Array, at: number): void {
    assert(writeAddress(wallet, target, at), 'limits: a wallet that was checked is an address')
  }
}

function recoveriesOf(category: RateCategory): number {
  const isCancel = category === RateCategory.OrderCancellation
  return isCancel ? recoveriesPerSecond : recoveriesPerSecond / 2
}
