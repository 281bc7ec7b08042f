import { createNonceSource } from '../../gateway/client/nonce-source.js'
import { RestClient } from '../../gateway/client/rest-client.js'
import type { SigningContext } from '../../gateway/client/signed-actions.js'
import { createNativeSigner } from '../../gateway/maker/native-signer.js'
import { discoverMarket, type LoadMarket } from './load-market.js'
import type { LoadOptions } from './load-options.js'
import { fundWallets, walletKeys } from './load-wallets.js'
import { cancelAll, type ReconcileParts } from './reconcile.js'

/** Session with a venue: its market, and funded wallets without working orders. */
export interface LoadSession {
  readonly rest: RestClient
  readonly market: LoadMarket
  readonly privateKeys: readonly string[]
  /** Signing contexts, in the order of the keys. */
  readonly contexts: readonly SigningContext[]
  readonly nextNonce: () => number
  readonly reconcileParts: ReconcileParts
}

const depositUsd = '1000000000'
const tier = 'market_maker'
const requestMillisMax = 60_000

/** Reads the venue's market, funds the wallets, and cancels orders of an earlier run. */
export async function openLoadSession(options: LoadOptions): Promise<LoadSession> {
  const { url, operatorUrl, operatorToken } = options
  const rest = new RestClient({ url, timeoutMillis: requestMillisMax })
  const market = await discoverMarket(rest, options.instruments, options.currency ?? undefined)
  const privateKeys = walletKeys(options.walletSeed, options.wallets)
  const { domain } = market
  const contexts = privateKeys.map((key) => {
    const signer = createNativeSigner(key)
    return { domain, signer, wallet: signer.address }
  })
  const wallets = contexts.map(({ wallet }) => wallet)
  if (operatorUrl !== null) {
    await fundWallets(wallets, { operatorUrl, operatorToken, amountUsd: depositUsd, tier })
  }
  const nextNonce = createNonceSource()
  await cancelAll(rest, contexts, nextNonce)
  const symbols = market.instruments.map(({ symbol }) => symbol)
  const reconcileParts = { rest, wallets, symbols }
  return { rest, market, privateKeys, contexts, nextNonce, reconcileParts }
}
