import type { Ledger } from './ledger.js'

/** Participants of all ledgers together: some hundred bytes each. */
const participantsMax = 262_144

/** Ledgers of competitions that have ended, as many as there is room for: who was asked for last stays longest. */
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

  /** Takes in one that it does not have, however large it is. */
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
