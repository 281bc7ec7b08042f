import { perpTermsOf } from '../../../engine/core/steps/perp-terms.js'
import type { BatchView } from '../../../engine/journal/segment-reader.js'
import type { EngineConfig } from '../../../engine/state/market/engine-config.js'
import { commandsPerBatchMax } from '../../../schemas/bounds.js'
import { type AnyCommand, BulkCommand } from '../../../schemas/generated/commands.js'
import { isSigned } from '../../../schemas/record-rules/commands.js'
import { PerpScheme } from '../../../schemas/record-values.js'
import { viewsOfCopy } from '../../../schemas/record-views.js'
import { commandsOf, copyOf, isBulk, partsOf } from '../clients/command-record.js'
import { addressOf, apiKeyCount, apiKeyFrom } from '../clients/market-plan.js'
import type { BatchHistory } from '../run/batch-history.js'
import type { Random } from '../run/random.js'
import { mustHold } from '../run/simulation-errors.js'
import { Standby } from './standby.js'

/** Addresses that are no agent and no wallet that is ever paid. */
const strangers = 50
const strangerFrom = 200
const bulk = new BulkCommand()

/**
 * Second engine that gets every durable batch with commands of strangers inserted. These are copies of signed commands,
 * with their nonces and digests, under other signers. Some of the signers are trading keys, on commands that are no
 * directive.
 * No wallet's orders, timers, windows or nonces may differ; only sequences are used up.
 */
export class StrangersTwin extends Standby {
  readonly #random: Random

  constructor(config: EngineConfig, random: Random) {
    super(config, 1)
    this.#random = random
  }

  protected override apply(batch: BatchView): void {
    const bytes = this.#crowded(batch)
    this.core.replay(batch.timeMillis, viewsOfCopy(bytes, bytes.length), 0, bytes.length)
  }

  protected override compare(history: BatchHistory, batchNumber: number): void {
    const isSame = history.elements.fits(batchNumber, this.core.state.cells.uncounted())
    mustHold(isSame, () => `strangers have changed something in batch ${batchNumber}`)
  }

  /** Returns the batch's commands with strangers' inserted before and after some of them, while there is room. */
  #crowded(batch: BatchView): Uint8Array {
    const parts: Uint8Array[] = []
    let room = commandsPerBatchMax
    for (const command of commandsOf(batch)) room -= ticketsOf(command)
    for (const command of commandsOf(batch)) {
      const tickets = ticketsOf(command)
      const mayForge = isSigned(command.recordType)
      const forge = () => {
        if (!mayForge || room < tickets || !this.#random.chance(0.2)) return
        parts.push(this.#forged(command))
        room -= tickets
      }
      forge()
      parts.push(copyOf(command).u8)
      forge()
    }
    return Buffer.concat(parts)
  }

  /** Returns a copy of the command, and of each item of a bulk, under another signer. */
  #forged(command: AnyCommand): Uint8Array {
    const copy = copyOf(command)
    const isByKey = this.#random.chance(0.5)
    const number = isByKey
      ? apiKeyFrom + this.#random.below(apiKeyCount)
      : strangerFrom + this.#random.below(strangers)
    const signer = addressOf(number)
    for (const part of partsOf(copy)) {
      const terms = perpTermsOf(part)
      if (isByKey && terms !== null) terms.scheme = PerpScheme.Action
      copy.u8.set(signer, part.signerAt)
    }
    return copy.u8
  }
}

function ticketsOf(command: AnyCommand): number {
  return isBulk(command) ? bulk.of(command).count : 1
}
