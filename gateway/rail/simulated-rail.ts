import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DeliveryStatus, isFinalDelivery } from '../../schemas/domain.js'
import { Result } from '../../schemas/results.js'
import { LostFile } from '../operator/noted-files.js'
import { RailRecord, recordFile } from './rail-record.js'
import type {
  Delivery,
  DeliveryUpdate,
  RecordedDelivery,
  SettlementRail,
  UpdateListener,
} from './settlement-rail.js'

/** Result of deliveries to an address: the failure of the preflight, or the steps, of which the last is final. */
type Outcome = Result | readonly DeliveryStatus[]

const { Broadcasted, Included, PendingCoreDelivery, AwaitingPortfolioSnapshot } = DeliveryStatus

/** Two steps without a pause. */
const deliveredAtOnce = [Broadcasted, DeliveryStatus.Finalized] as const

/** Configurable results by name. Deliveries to any other address succeed at once. */
const outcomes = {
  inactive: Result.WithdrawalDestinationInactive,
  unsupported_mode: Result.WithdrawalDestinationModeUnsupported,
  preflight_unavailable: Result.WithdrawalPreflightUnavailable,
  source_unavailable: Result.WithdrawalSourceUnavailable,
  slow: [
    ...[Broadcasted, Included, PendingCoreDelivery, AwaitingPortfolioSnapshot],
    DeliveryStatus.Finalized,
  ],
  core_rejected: [Broadcasted, PendingCoreDelivery, DeliveryStatus.CoreRejected],
  reverted: [Broadcasted, DeliveryStatus.Reverted],
  expired: [DeliveryStatus.Expired],
  dead_lettered: [Broadcasted, DeliveryStatus.ManualReview, DeliveryStatus.DeadLettered],
  /** Takes the delivery over, and does nothing with it in this process. */
  held: [],
  /** Delivers, and reports only the broadcast in this process. */
  unheard: deliveredAtOnce,
} as const satisfies Readonly<Record<string, Outcome>>
export type OutcomeName = keyof typeof outcomes

/** Pause before the retry of a step that could not be recorded. */
const retryMillis = 1000

export interface SimulatedRailOptions {
  /** Folder of its record. */
  readonly dataDir: string
  /** Results by lower-case address. */
  readonly outcomes: ReadonlyMap<string, OutcomeName>
  /** Pause between two steps of a delivery with several. */
  readonly stepMillis: number
  /** Runs when a step was recorded but is not reported, so the record is longer than the journal knows. */
  readonly onUnheard?: () => void
  /** Runs when a step could not be recorded; the rail retries it. */
  readonly onError?: (error: unknown, directiveId: string) => void
}

/** Rail for development: no money leaves the process, and failures can be configured. */
export class SimulatedRail implements SettlementRail {
  readonly #record: RailRecord
  readonly #options: SimulatedRailOptions
  readonly #underWay = new Set<string>()
  #listener: UpdateListener = async () => true
  #isClosed = false

  private constructor(record: RailRecord, options: SimulatedRailOptions) {
    this.#record = record
    this.#options = options
  }

  static async open(options: SimulatedRailOptions): Promise<SimulatedRail> {
    return new SimulatedRail(await RailRecord.open(join(options.dataDir, recordFile)), options)
  }

  /** Reads the record in a folder, for a process without a rail. @throws Error if it cannot be read. */
  static recorded(dataDir: string): ReturnType<typeof RailRecord.look> {
    return RailRecord.look(join(dataDir, recordFile))
  }

  async preflight(destination: string): Promise<Result> {
    const outcome = this.#outcomeOf(destination)
    return typeof outcome === 'number' ? outcome : Result.Accepted
  }

  async deliver(delivery: Delivery): Promise<void> {
    const { directiveId } = delivery
    const known = this.#record.find(directiveId)
    if (known === null) {
      await this.#record.write({ ...delivery, delivery: DeliveryStatus.Pending, txHash: null })
    }
    void this.#continueDelivery(directiveId)
  }

  get recordBytes(): number {
    return this.#record.bytes
  }

  fault(): string | null {
    return this.#record.fault()
  }

  status(directiveId: string): DeliveryUpdate | null {
    return this.#record.find(directiveId)
  }

  deliveries(): Iterable<RecordedDelivery> {
    return this.#record.all
  }

  follow(listener: UpdateListener): void {
    this.#listener = listener
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#listener = async () => false
    await this.#record.close()
  }

  /** Runs the remaining steps, one after another. */
  async #continueDelivery(directiveId: string): Promise<void> {
    if (this.#isClosed || this.#underWay.has(directiveId)) return
    this.#underWay.add(directiveId)
    try {
      await this.#takeSteps(directiveId)
    } catch (error) {
      // For example, the disk was full. A step that is not recorded is not reported.
      this.#options.onError?.(error, directiveId)
      if (error instanceof LostFile) return
      setTimeout(() => void this.#continueDelivery(directiveId), retryMillis).unref()
    } finally {
      this.#underWay.delete(directiveId)
    }
  }

  async #takeSteps(directiveId: string): Promise<void> {
    const begun = this.#record.find(directiveId)!
    const isReported = begun.delivery === DeliveryStatus.Pending || (await this.#listener(begun))
    if (!isReported) return
    const outcome = this.#outcomeOf(begun.destination)
    // A destination that fails the preflight now passed it when the withdrawal was accepted.
    const steps = typeof outcome === 'number' ? deliveredAtOnce : outcome
    for (const [index, step] of (steps as readonly DeliveryStatus[]).entries()) {
      if (index > 0 && steps !== deliveredAtOnce) {
        await sleep(this.#options.stepMillis, undefined, { ref: false })
      }
      const known = this.#record.find(directiveId)!
      if (this.#isClosed || isFinalDelivery(known.delivery)) break
      if (step > known.delivery && !(await this.#step(known, step))) break
    }
  }

  /** Records and reports a step. @returns true if the next step may follow. */
  async #step(known: RecordedDelivery, delivery: DeliveryStatus): Promise<boolean> {
    const txHash = `0x${createHash('sha256').update(known.directiveId).digest('hex')}`
    const stepped = { ...known, delivery, txHash }
    await this.#record.write(stepped)
    const isUnheard = this.#options.outcomes.get(known.destination) === 'unheard'
    if (isUnheard && isFinalDelivery(delivery)) {
      this.#options.onUnheard?.()
      return true
    }
    return this.#listener(stepped)
  }

  #outcomeOf(destination: string): Outcome {
    const name = this.#options.outcomes.get(destination)
    return name === undefined ? deliveredAtOnce : outcomes[name]
  }
}

const outcomeText = /^(0x[0-9a-f]{40})=([a-z_]+)$/i

/**
 * Parses results in the configuration: `address=name`, separated by commas.
 * @throws Error that names the malformed part, and the known names.
 */
export function parseOutcomes(text: string): ReadonlyMap<string, OutcomeName> {
  const found = new Map<string, OutcomeName>()
  for (const part of text === '' ? [] : text.split(',')) {
    const match = outcomeText.exec(part)
    if (match === null || !Object.hasOwn(outcomes, match[2]!)) {
      const names = Object.keys(outcomes).join(', ')
      throw new Error(`withdrawals.outcomes: ${part} is not address=result; results are ${names}`)
    }
    found.set(match[1]!.toLowerCase(), match[2] as OutcomeName)
  }
  return found
}
