import type { Ledger } from './ledger.js'

/** Limit of the participants of all ledgers together, at some hundred bytes each. */
const participantsMax = 262_144

/** Least-recently-used cache of ledgers of ended competitions. */
export class EndedLedgers {
  readonly #byId = new Map<number, Ledger>()
  #participants = 0

  find(id: number): Ledger | null {
    const ledger = this.#byId.get(id)
    if (ledger === undefined) return null
    this.#byId.delete(id)
    this.#byId.set(id, ledger)
    return ledger
  }

  /** Adds a new ledger, whatever its size. */
  add(ledger: Ledger): void {
    this.#byId.set(ledger.id, ledger)
    this.#participants += ledger.participants.count
    for (const [id, { participants }] of this.#byId) {
      if (this.#participants <= participantsMax || id === ledger.id) break
      this.#byId.delete(id)
      this.#participants -= participants.count
    }
  }
}
