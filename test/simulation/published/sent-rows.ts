/** Row of one provider, as a gateway sent it. */
export interface SentRow {
  readonly account: number
  /** 0 means none. */
  readonly bidMicros: number
  readonly askMicros: number
  /** 0 means unstated. */
  readonly sizeLots: number
}

/** Provider rows of orders, by unique client id, for checking whom an order invites. */
export class SentRows {
  readonly #rows = new Map<string, readonly SentRow[]>()

  /**
   * Records the rows of another order.
   * @returns its client id
   */
  note(rows: readonly SentRow[]): string {
    const clientId = `shown-${this.#rows.size}`
    this.#rows.set(clientId, rows)
    return clientId
  }

  /** @returns null for any other order */
  find(clientId: string): readonly SentRow[] | null {
    return this.#rows.get(clientId) ?? null
  }
}
