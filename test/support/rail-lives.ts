import type { WithdrawalTold } from '../../gateway/wire/withdrawal-told.js'
import { NotedFile } from '../../schemas/record-values.js'
import { formatUuid } from '../../schemas/uuid.js'
import { still } from './liquidation-rig.js'
import { noteFileOf, WithdrawalRig } from './withdrawal-rig.js'

// Processes of a venue that die at chosen steps of a withdrawal, over one engine.

export const destination = `0x${'1'.repeat(40)}`

/** One process: it has no effect any more once it has come to its last border. */
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

  /** Comes to an end never, where the process dies here or is dead already. */
  async border(): Promise<void> {
    if (!this.isDead && this.borders++ === this.#last) {
      this.isDead = true
      this.#die()
    }
    if (this.isDead) await new Promise(() => {})
  }
}

/** An engine with one withdrawal under way: what it has journaled, and of that what is durable. */
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

  /** What has happened is on disk. */
  flush(): void {
    this.#durable = this.rig.batches.length
  }

  /** A power cut: only what is durable is there. */
  restart(): void {
    const batches = this.rig.batches.slice(0, this.#durable)
    const nowMillis = this.rig.nowMillis
    this.rig = new WithdrawalRig(still)
    for (const batch of batches) this.rig.replay(batch)
    this.rig.batches.push(...batches)
    this.rig.nowMillis = nowMillis
    this.rig.events()
  }

  /** As the latest durable event tells it. */
  told(): WithdrawalTold {
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

  /** Length of the rail's record that the journal knows. */
  get railBytes(): number {
    return this.rig.state.notedFiles.bytes[NotedFile.Rail]!
  }
}
