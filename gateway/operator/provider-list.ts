import {
  type ListedProvider,
  type OperatorAnswer,
  providerStatuses,
} from '../../schemas/interface/operator.js'
import { type Answer, wholeAnswer } from '../wire/answers.js'
import type { ProviderEntry } from '../wire/provider-entry.js'

/** Registered quote providers, as the read model reports them. */
export class ProviderList {
  readonly #byWallet = new Map<string, ProviderEntry>()

  readonly take = (provider: ProviderEntry): void => {
    this.#byWallet.set(provider.wallet, provider)
  }

  /** Answers GET /operator/quote-providers. */
  readonly answer = (): Answer<OperatorAnswer<'GET /operator/quote-providers'>> => {
    const data = [...this.#byWallet.values()].map(
      ({ wallet, isActive, sessions }): ListedProvider => ({
        ...{ wallet, status: providerStatuses[isActive ? 0 : 1], sessions },
      }),
    )
    return wholeAnswer({ ok: true, data })
  }
}
