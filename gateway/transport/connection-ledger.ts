/** Accounts for connections and their memory, and enforces limits. */
export interface ConnectionLedger {
  /**
   * Counts a new connection, of which only the peer is known yet.
   * @returns False: the caller closes it at once, and reports that with `ended`.
   */
  begin(peer: Uint8Array): boolean
  /** Counts a closed connection. @param peer Its peer, or null if unknown. */
  ended(peer: Uint8Array | null): void
  /** Assigns the last closed connection without a peer to this one: its request was in progress. */
  attribute(peer: Uint8Array): void
  /**
   * Reserves memory for a part of an incomplete body. `giveBytes` returns it when the body is complete or abandoned.
   * @returns False if there is none.
   */
  takeBytes(client: Uint8Array, bytes: number): boolean
  giveBytes(client: Uint8Array, bytes: number): void
  /**
   * Reserves memory for the largest unfinished frame of a WebSocket. `giveBytes` returns it. Frames share the memory of
   * bodies, but leave half of it to them.
   * @returns False if there is none.
   */
  takeFrame(client: Uint8Array, bytes: number): boolean
  /** Reserves memory for an answer that the client has not read. @returns False if there is none. */
  takeUnread(client: Uint8Array, bytes: number): boolean
  giveUnread(client: Uint8Array, bytes: number): void
}

/** Ledger without limits, for benchmarks and tests. */
export const boundless: ConnectionLedger = {
  begin: () => true,
  ended() {},
  attribute() {},
  takeBytes: () => true,
  giveBytes() {},
  takeFrame: () => true,
  takeUnread: () => true,
  giveUnread() {},
}
