/** State of a quote provider, from its latest event. */
export interface ProviderEntry {
  /** Lower-case address. */
  readonly wallet: string
  readonly isActive: boolean
  /** Open sessions on all gateways. */
  readonly sessions: number
}
