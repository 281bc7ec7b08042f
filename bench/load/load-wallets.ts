import { createHash } from 'node:crypto'
import { RestClient } from '../../gateway/client/rest-client.js'
import type { UserTier } from '../../schemas/interface/account.js'

export interface FundingOptions {
  readonly operatorUrl: string
  readonly operatorToken: string
  readonly amountUsd: string
  readonly tier: string
}

/** Derives the private keys of a run's wallets. The same text gives the same wallets. */
export function walletKeys(seedText: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    const digest = createHash('sha256').update(`${seedText} ${index}`).digest('hex')
    return `0x${digest}`
  })
}

/** Credits every wallet and gives it a tier, through the operator interface. */
export async function fundWallets(
  wallets: readonly string[],
  { operatorUrl, operatorToken, amountUsd, tier }: FundingOptions,
): Promise<void> {
  const operator = new RestClient({ url: operatorUrl, token: operatorToken })
  for (const wallet of wallets) {
    await operator.request('POST', '/operator/tiers', { body: { wallet, tier } })
    // The deposit id depends on the wallet alone, so a wallet is credited only once.
    const body = { wallet, amount: amountUsd, deposit_id: `load ${wallet.slice(2, 22)}` }
    await operator.request('POST', '/operator/deposits', { body })
  }
}

/**
 * Returns why the wallets' tier does not allow the plan; null if it does. A run beyond the limits would measure the limits.
 */
export async function limitProblem(
  rest: RestClient,
  wallets: readonly string[],
  plan: { readonly ordersPerMinute: number; readonly openOrders: number },
): Promise<string | null> {
  const query = { wallet: wallets[0] }
  const { data } = await rest.request<{ data: UserTier }>('GET', '/user-tier', { query })
  const { orders_per_minute: orders, max_open_orders: open } = data.limits
  const each = (total: number) => Math.ceil(total / wallets.length)
  if (orders !== undefined && orders >= 0 && each(plan.ordersPerMinute) > orders) {
    return `tier ${data.tier} takes ${orders} orders a minute of a wallet, the plan has ${each(plan.ordersPerMinute)}: more --wallets, or a lower --rate`
  }
  if (open !== undefined && open >= 0 && each(plan.openOrders) > open) {
    return `tier ${data.tier} takes ${open} open orders of a wallet, the plan has ${each(plan.openOrders)}: more --wallets, or fewer --open-orders`
  }
  return null
}
