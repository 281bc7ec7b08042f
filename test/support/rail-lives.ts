import type { WithdrawalEntry } from '../../gateway/wire/withdrawal-entry.js'
import { NotedFile } from '../../schemas/record-values.js'
import { formatUuid } from '../../schemas/uuid.js'
import { still } from './liquidation-rig.js'
import { noteFileOf, WithdrawalRig } from './withdrawal-rig.js'

// Processes of a venue that die at chosen steps of a withdrawal, all on one engine.

export const destination = `0x${'1'.repeat(40)}`

/** One process, which has no effect after its last step. */
export class Life {
  isDead = false
  borders = 0
  readonly died: Promise<void>
  #die: () => void = () => {}
  readonly #last: number

  constructor(last: number) {
    this.#last = last
    this.died = new Promise((resolve) => {
      this.#die = resolve
    })
  }

  /** Never resolves if the process dies here or is already dead. */
  async border(): Promise<void> {
    if (!this.isDead && this.borders++ === this.#last) {
      this.isDead = true
      this.#die()
    }
    if (this.isDead) await new Promise(() => {})
  }
}

/** Engine with one withdrawal in progress, with its journaled batches and the durable ones among them. */
export class Engine {
  rig: WithdrawalRig
  readonly id: Uint8Array
  readonly totalMicros: number
  #durable: number

  constructor() {
    this.rig = new WithdrawalRig(still).openMarket() as WithdrawalRig
    this.rig.deposit(5, 1000)
    this.rig.run()
    this.totalMicros = this.rig.totalMicros
    this.id = this.rig.withdraw(5, 100)
    this.#durable = this.rig.batches.length
  }

  /** Makes everything so far durable. */
  flush(): void {
    this.#durable = this.rig.batches.length
  }

  /** Cuts the power: only durable batches survive. */
  restart(): void {
    const batches = this.rig.batches.slice(0, this.#durable)
    const nowMillis = this.rig.nowMillis
    this.rig = new WithdrawalRig(still)
    for (const batch of batches) this.rig.replay(batch)
    this.rig.batches.push(...batches)
    this.rig.nowMillis = nowMillis
    this.rig.events()
  }

  /** Returns the withdrawal as its latest durable event describes it. */
  entry(): WithdrawalEntry {
    const key = formatUuid(this.id, 0)
    const { withdrawals } = this.rig.state
    const { delivery, domain } = withdrawals.find(key) ?? withdrawals.endOf(key)!
    return {
      ...{ directiveId: key, wallet: '', destination, amountMicros: 100e6 },
      ...{ createdMillis: 0, domain, delivery, seq: 7 },
    }
  }

  /** Journals the length of the rail's record. */
  noteRail(bytes: number): void {
    noteFileOf(this.rig, NotedFile.Rail, bytes)
    this.rig.run()
    this.rig.events()
  }

  /** Length of the rail's record in the journal. */
  get railBytes(): number {
    return this.rig.state.notedFiles.bytes[NotedFile.Rail]!
  }
}
