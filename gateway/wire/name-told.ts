/** What a wallet goes by and has asked to be called, as its latest event has told it. */
export interface NameTold {
  /** Lower-case address. */
  readonly wallet: string
  /** Empty: it has no name. */
  readonly username: string
  /** That the operator has yet to judge; empty: none. */
  readonly pending: string
}
