import { Side } from '../../../schemas/domain.js'
import { FillEvent } from '../../../schemas/generated/events.js'
import type { RecordViews } from '../../../schemas/record-views.js'
import { addressBytes, formatAddress, sameAddress } from '../../../schemas/wallet.js'
import { GatheredSums } from './gathered-sums.js'
import type { HistoryDatabase } from './history-schema.js'
import type { SumRows } from './profit-sums.js'
import { bucketIntervals, fillCost } from './profit-tables.js'
import { bucketStartMillis } from './theo-intervals.js'
import { addVolume, type Volume, VolumeSums } from './volume-sums.js'
import { sumsAbout, type WalletSums } from './wallet-sums.js'

const [shortMillis] = bucketIntervals

/** Cached sums of a wallet: a look-up by address costs more than the addition. */
interface LiveWallet {
  readonly bytes: Uint8Array
  readonly text: string
  /** Flush count and start of the five minutes for which `sums` and `volume` are valid. */
  flushes: number
  start: number
  sums: WalletSums
  volume: Volume
}

/** Adds fills to the sums and volumes of their wallets as they arrive. */
export class FillSums {
  readonly #fill = new FillEvent()
  readonly #gathered = new GatheredSums()
  readonly #volumes: VolumeSums
  /** Indexed by account. */
  readonly #wallets: LiveWallet[] = []
  #flushes = 0
  /** Highest id of the fills added; 0: none. */
  lastId = 0

  constructor(database: HistoryDatabase) {
    this.#volumes = new VolumeSums(database)
  }

  take(log: RecordViews, at: number): void {
    const fill = this.#fill.over(log, at)
    const { instrument, sizeLots, realizedMicros, feeMicros } = fill
    const wallet = this.#walletOf(fill)
    const start = bucketStartMillis(fill.timeMillis, shortMillis)
    if (wallet.start !== start || wallet.flushes !== this.#flushes) this.#begin(wallet, start)
    const sums = sumsAbout(wallet.sums, instrument)
    sums.lots += fill.side === Side.Buy ? sizeLots : -sizeLots
    sums.costMicros += fillCost(fill)
    sums.realizedMicros += realizedMicros - feeMicros
    if (realizedMicros !== 0 || feeMicros !== 0) sums.events++
    addVolume(wallet.volume, fill.notionalMicros)
    if (fill.fillId > this.lastId) this.lastId = fill.fillId
  }

  /** Writes the sums and volumes, within a transaction of the store. */
  flush(rows: SumRows): void {
    rows.spread(this.#gathered)
    this.#volumes.flush()
    this.#flushes++
  }

  #walletOf({ account, u8, walletAt }: FillEvent): LiveWallet {
    const known = this.#wallets[account]
    if (known !== undefined && sameAddress(known.bytes, 0, u8, walletAt)) return known
    const text = formatAddress(u8, walletAt)
    const bytes = u8.slice(walletAt, walletAt + addressBytes)
    const none = { sums: new Map(), volume: { usd: 0, micros: 0 } }
    const wallet = { bytes, text, flushes: -1, start: 0, ...none }
    this.#wallets[account] = wallet
    return wallet
  }

  #begin(wallet: LiveWallet, start: number): void {
    wallet.flushes = this.#flushes
    wallet.start = start
    wallet.sums = this.#gathered.sumsOf(start, wallet.text)
    wallet.volume = this.#volumes.of(wallet.text)
  }
}
