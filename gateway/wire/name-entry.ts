/** Username of a wallet and its pending request, from the wallet's latest event. */
export interface NameEntry {
  /** Lower-case address. */
  readonly wallet: string
  /** Empty: none. */
  readonly username: string
  /** Name that waits for the operator's verdict; empty: none. */
  readonly pending: string
}
