import { commandsPerBatchMax } from '../../../schemas/bounds.js'
import { isSigned } from '../../../schemas/commands.js'
import { type AnyCommand, BulkCommand } from '../../../schemas/generated/commands.js'
import { viewsOf } from '../../../schemas/record-views.js'
import type { Core } from '../../core/core.js'
import type { BatchView } from '../../journal/segment-reader.js'
import type { EngineConfig } from '../../state/engine-config.js'
import { type BatchHistory, hashKey } from '../batch-history.js'
import { commandsBetween, copyOf, isBulk, itemsOf } from '../clients/command-record.js'
import { addressOf } from '../clients/market-plan.js'
import type { Random } from '../random.js'
import { replayCore } from '../replay-core.js'
import { mustHold } from '../simulation-errors.js'

/** Nobody's agent, and no wallet that is ever paid anything. */
const strangers = 50
const strangerFrom = 200
const bulk = new BulkCommand()

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
      this.#core.replay(batch.timeMillis, viewsOf(bytes.buffer), 0, bytes.length)
      const { low, high } = this.#core.state.cells.uncounted()
      const expected = history.elementsAfter(number)
      const isSame = expected === undefined || expected === hashKey(low, high)
      mustHold(isSame, () => `strangers have changed something in batch ${number}`)
    }
  }

  /** The batch's commands, with strangers' before and behind some of them, as far as there is room. */
  #crowded(batch: BatchView): Uint8Array {
    const parts: Uint8Array[] = []
    let room = commandsPerBatchMax
    const { commandsAt, commandBytes } = batch
    const end = commandsAt + commandBytes
    for (const command of commandsBetween(batch, commandsAt, end)) room -= ticketsOf(command)
    for (const command of commandsBetween(batch, commandsAt, end)) {
      const tickets = ticketsOf(command)
      const mayForge = isSigned(command.recordType)
      if (mayForge && room >= tickets && this.#random.chance(0.2)) {
        parts.push(this.#forged(command))
        room -= tickets
      }
      parts.push(copyOf(command).u8)
      if (mayForge && room >= tickets && this.#random.chance(0.2)) {
        parts.push(this.#forged(command))
        room -= tickets
      }
    }
    return joined(parts)
  }

  /** The same command by somebody else; of a bulk, every item. */
  #forged(command: AnyCommand): Uint8Array {
    const copy = copyOf(command)
    const signer = addressOf(strangerFrom + this.#random.below(strangers))
    for (const part of isBulk(copy) ? itemsOf(copy) : [copy]) copy.u8.set(signer, part.signerAt)
    return copy.u8
  }
}

function ticketsOf(command: AnyCommand): number {
  return isBulk(command) ? bulk.of(command).count : 1
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
