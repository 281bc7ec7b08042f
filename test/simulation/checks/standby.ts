import type { Core } from '../../../engine/core/core.js'
import { replayBatch } from '../../../engine/core/replica.js'
import type { BatchView } from '../../../engine/journal/segment-reader.js'
import type { HashLanes } from '../../../engine/memory/state-hash.js'
import type { EngineConfig } from '../../../engine/state/market/engine-config.js'
import type { BatchHistory } from '../run/batch-history.js'
import { replayCore } from '../run/replay-core.js'
import { mustHold } from '../run/simulation-errors.js'

/**
 * Second engine with another number of matchers that replays the durable batches from the first one on, through all
 * crashes. After every batch its state hash must equal the live engine's: the result depends on the journaled inputs
 * alone.
 */
export class Standby {
  readonly matchers: number
  readonly #config: EngineConfig
  protected core: Core

  constructor(config: EngineConfig, matchers: number) {
    this.matchers = matchers
    this.#config = config
    this.core = replayCore(config, matchers)
  }

  get batchNumber(): number {
    return this.core.state.batchNumber
  }

  get hash(): HashLanes {
    return this.core.state.hash
  }

  /** Applies everything up to the batch. Starts over when a crash has removed batches that it had applied. */
  follow(history: BatchHistory, batchNumber: number): void {
    if (batchNumber < this.batchNumber) this.core = replayCore(this.#config, this.matchers)
    for (let number = this.batchNumber + 1; number <= batchNumber; number++) {
      const batch = history.batches[number - 1]
      if (batch === undefined) continue
      this.compare(history, number - 1)
      this.apply(batch)
    }
    this.compare(history, this.batchNumber)
  }

  protected apply(batch: BatchView): void {
    replayBatch(this.core, batch)
  }

  protected compare(history: BatchHistory, batchNumber: number): void {
    const isSame = history.hashes.fits(batchNumber, this.core.state.hash)
    const what = () =>
      `replay with ${this.matchers} matchers has another state after batch ${batchNumber}`
    mustHold(isSame, what)
  }
}
