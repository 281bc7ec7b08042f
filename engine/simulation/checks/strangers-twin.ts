import { commandsPerBatchMax } from '../../../schemas/bounds.js'
import { bulkCountAt, bulkItemsAt, commandSignerAt, isSigned } from '../../../schemas/commands.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import type { Core } from '../../core/core.js'
import type { BatchView } from '../../journal/segment-reader.js'
import { recordBytesAt, recordTypeAt } from '../../memory/layout.js'
import type { EngineConfig } from '../../state/engine-config.js'
import { hashOfFacts } from '../../state/state-facts.js'
import { type BatchHistory, hashKey } from '../batch-history.js'
import { addressOf } from '../clients/market-plan.js'
import type { Random } from '../random.js'
import { replayCore } from '../replay-core.js'
import { mustHold } from '../simulation-errors.js'

/** Nobody's agent, and no wallet that is ever paid anything. */
const strangers = 50
const strangerFrom = 200

/**
 * A second engine that gets every durable batch, and among its commands those of strangers: copies of what wallets
 * have signed, nonces and digests and all, under other signers. Nothing of any wallet may come out differently:
 * orders, timers, windows, nonces; only sequences are taken.
 */
export class StrangersTwin {
  readonly #config: EngineConfig
  readonly #random: Random
  #core: Core

  constructor(config: EngineConfig, random: Random) {
    this.#config = config
    this.#random = random
    this.#core = replayCore(config, 1)
  }

  /** Applies everything up to the batch; begins anew when some of what it had is gone. */
  follow(history: BatchHistory, batchNumber: number): void {
    if (batchNumber < this.#core.state.batchNumber) this.#core = replayCore(this.#config, 1)
    for (let number = this.#core.state.batchNumber + 1; number <= batchNumber; number++) {
      const batch = history.batches[number - 1]
      if (batch === undefined) continue
      const bytes = this.#crowded(batch)
      const views = {
        u8: bytes,
        i32: new Int32Array(bytes.buffer),
        u32: new Uint32Array(bytes.buffer),
        f64: new Float64Array(bytes.buffer),
      }
      this.#core.replay(batch.timeMillis, views, 0, bytes.length)
      const { low, high } = hashOfFacts(this.#core.state)
      const expected = history.factsAfter(number)
      const isSame = expected === undefined || expected === hashKey(low, high)
      mustHold(isSame, () => `strangers have changed something in batch ${number}`)
    }
  }

  /** The batch's commands, with strangers' before and behind some of them, as far as there is room. */
  #crowded(batch: BatchView): Uint8Array {
    const parts: Uint8Array[] = []
    let room = commandsPerBatchMax
    const { i32, u8, commandsAt, commandBytes } = batch
    const end = commandsAt + commandBytes
    for (let at = commandsAt; at < end; at += i32[(at + recordBytesAt) >> 2]) {
      room -= ticketsOf(batch, at)
    }
    for (let at = commandsAt; at < end; at += i32[(at + recordBytesAt) >> 2]) {
      const record = u8.subarray(at, at + i32[(at + recordBytesAt) >> 2])
      const tickets = ticketsOf(batch, at)
      const mayForge = isSigned(i32[(at + recordTypeAt) >> 2])
      if (mayForge && room >= tickets && this.#random.chance(0.2)) {
        parts.push(this.#forged(record))
        room -= tickets
      }
      parts.push(record)
      if (mayForge && room >= tickets && this.#random.chance(0.2)) {
        parts.push(this.#forged(record))
        room -= tickets
      }
    }
    return joined(parts)
  }

  /** The same command by somebody else; of a bulk, every item. */
  #forged(record: Uint8Array): Uint8Array {
    const copy = record.slice()
    const i32 = new Int32Array(copy.buffer)
    const signer = addressOf(strangerFrom + this.#random.below(strangers))
    if (i32[recordTypeAt >> 2] !== CommandType.Bulk) {
      copy.set(signer, commandSignerAt)
      return copy
    }
    for (let at = bulkItemsAt; at < copy.length; at += i32[(at + recordBytesAt) >> 2]) {
      copy.set(signer, at + commandSignerAt)
    }
    return copy
  }
}

function ticketsOf({ i32 }: BatchView, at: number): number {
  const isBulk = i32[(at + recordTypeAt) >> 2] === CommandType.Bulk
  return isBulk ? i32[(at + bulkCountAt) >> 2] : 1
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
