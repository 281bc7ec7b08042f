/** What a gateway has said that one provider shows. */
export interface SentRow {
  readonly account: number
  /** 0: none. */
  readonly bidMicros: number
  readonly askMicros: number
  /** 0: it did not say. */
  readonly sizeLots: number
}

/** What providers showed for orders, by client ids that no two of them have: who checks whom an order asks looks here. */
export class SentRows {
  readonly #rows = new Map<string, readonly SentRow[]>()

  /** Notes the rows of one more order. @returns its client id. */
  note(rows: readonly SentRow[]): string {
    const clientId = `shown-${this.#rows.size}`
    this.#rows.set(clientId, rows)
    return clientId
  }

  /** @returns null for any other order. */
  find(clientId: string): readonly SentRow[] | null {
    return this.#rows.get(clientId) ?? null
  }
}
