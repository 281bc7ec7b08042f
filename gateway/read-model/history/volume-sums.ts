import { microsPerUsd, moneyMicrosMax } from '../../../schemas/bounds.js'
import { FillEvent } from '../../../schemas/generated/events.js'
import type { RecordViews } from '../../../schemas/record-views.js'
import type { HistoryDatabase } from './history-schema.js'
import { walletVolumes } from './history-tables.js'
import { RowBatch } from './row-batch.js'

/** What the fills of one transaction add to the volumes of their wallets. */
export class VolumeSums {
  readonly #rows: RowBatch
  readonly #fill = new FillEvent()
  /** By account: micros that are not in the rows yet. */
  readonly #micros = new Map<number, number>()
  /** By account: where a fill of it stands, which names its wallet. */
  readonly #places = new Map<number, number>()

  constructor(database: HistoryDatabase) {
    this.#rows = new RowBatch(database, walletVolumes)
  }

  /** Takes the fill at `at`; it must be told once. */
  add(log: RecordViews, at: number): void {
    const { account, notionalMicros } = this.#fill.over(log, at)
    const micros = this.#micros.get(account) ?? 0
    const isExact = micros <= moneyMicrosMax - notionalMicros
    if (!isExact) this.#write(log, at, micros)
    this.#micros.set(account, isExact ? micros + notionalMicros : notionalMicros)
    this.#places.set(account, at)
  }

  /** Within a transaction of the store. */
  flush(log: RecordViews): void {
    for (const [account, micros] of this.#micros)
      this.#write(log, this.#places.get(account)!, micros)
    this.#micros.clear()
    this.#places.clear()
    this.#rows.flush()
  }

  #write(log: RecordViews, at: number, micros: number): void {
    this.#rows.addEvent(log, at, [Math.floor(micros / microsPerUsd), micros % microsPerUsd])
  }
}
