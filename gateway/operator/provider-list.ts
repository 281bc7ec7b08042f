import { providerStatuses } from '../../schemas/interface/operator.js'
import type { Answer } from '../wire/answers.js'
import type { ProviderTold } from '../wire/provider-told.js'

/** From `ProviderStatus.Active` on. */
/** Everybody who may quote, or might, as the read model tells of them. */
export class ProviderList {
  readonly #byWallet = new Map<string, ProviderTold>()

  readonly take = (told: ProviderTold): void => {
    this.#byWallet.set(told.wallet, told)
  }

  /** GET /operator/quote-providers. */
  readonly answer = (): Answer => {
    const data = [...this.#byWallet.values()].map(({ wallet, isActive, sessions }) => ({
      ...{ wallet, status: providerStatuses[isActive ? 0 : 1], sessions },
    }))
    return { status: 200, body: JSON.stringify({ ok: true, data }) }
  }
}
