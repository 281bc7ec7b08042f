/** State of a quote provider, from its latest event. */
export interface ProviderTold {
  /** Lower-case address. */
  readonly wallet: string
  readonly isActive: boolean
  /** Open sessions on all gateways. */
  readonly sessions: number
}
