import { signal } from '@preact/signals'
import type { GridScenario } from '../model/risk-curves.js'
import { session } from './session.js'

/** Shown fields of the answer of GET /risk/grid. */
export interface RiskGrid {
  readonly model: string
  readonly underlyings: readonly {
    readonly underlying: string
    readonly scenarios: readonly GridScenario[]
  }[]
}

export const riskGrid = signal<RiskGrid | null>(null)

export async function loadRisk(): Promise<void> {
  const client = session.value?.client
  if (client === undefined) {
    riskGrid.value = null
    return
  }
  type Answer = { readonly data: RiskGrid }
  const query = { wallet: client.wallet }
  riskGrid.value = (await client.rest.request<Answer>('GET', '/risk/grid', { query })).data
}
