/** Counts connections and what they make a server keep, and says when it is enough. */
export interface ConnectionLedger {
  /**
   * A connection has been opened, of which nothing is known yet but its other end.
   * @returns false: it is closed at once, which `ended` tells.
   */
  begin(peer: Uint8Array): boolean
  /** A connection is gone. @param peer its other end, or null: nobody knows whose it was. */
  ended(peer: Uint8Array | null): void
  /** The connection that has just ended for nobody was this one's: its request was still under way. */
  attribute(peer: Uint8Array): void
  /**
   * Takes memory for a part of a body that goes on; `giveBytes` gives it back when the body has come, or will not.
   * @returns false when there is none.
   */
  takeBytes(client: Uint8Array, bytes: number): boolean
  giveBytes(client: Uint8Array, bytes: number): void
  /**
   * Takes memory for the largest unfinished frame of a WebSocket; `giveBytes` returns it. Frames share the room of bodies
   * but leave half of it to them.
   * @returns false when there is none.
   */
  takeFrame(client: Uint8Array, bytes: number): boolean
  /** Takes memory for an answer that the client has not read. @returns false when there is none. */
  takeUnread(client: Uint8Array, bytes: number): boolean
  giveUnread(client: Uint8Array, bytes: number): void
}

/** For servers that bound nothing: benchmarks, tests. */
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
