/** How a quote provider stands, as its latest event has told it. */
export interface ProviderTold {
  /** Lower-case address. */
  readonly wallet: string
  readonly isActive: boolean
  /** Open ones, on all gateways together. */
  readonly sessions: number
}
