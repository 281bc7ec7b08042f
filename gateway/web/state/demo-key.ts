import { formatHex } from '../../../schemas/hex.js'
import { RestClient } from '../../client/rest-client.js'
import { createSigner } from '../../client/signer.js'
import { keptForSite } from './kept-text.js'

// The key that the browser stores for paper money. All pages of the venue share it.

const keyName = 'strikebook.demo-key'
const keyBytes = 32

/** Demo key, and its state in the browser. */
export interface DemoKey {
  readonly privateKey: string
  readonly isNew: boolean
  /** False if the browser stores nothing, so that a reload loses the key. */
  readonly isStored: boolean
}

/** Returns the private key, or null if the browser has none yet. */
export function keptDemoKey(): string | null {
  return keptForSite.get(keyName)
}

/** Returns the stored key, or makes and stores one at once, so that other tabs use the same. */
export function demoKey(): DemoKey {
  const kept = keptDemoKey()
  const privateKey = kept ?? newKey()
  return { privateKey, isNew: kept === null, isStored: keptForSite.set(keyName, privateKey) }
}

/** Paper money that the faucet has paid. */
export interface FaucetGrant {
  readonly usd: number
  /** Unix milliseconds from which the faucet pays this wallet again; null: unknown. */
  readonly nextMillis: number | null
}

/**
 * Requests paper money from the faucet.
 * @throws RateLimitError at once while the faucet is limited, so that the page can show the wait.
 */
export async function requestFaucet(url: string, wallet: string): Promise<FaucetGrant> {
  const rest = new RestClient({ url })
  type Grant = { readonly amount: string }
  const { amount } = await rest.request<Grant>('POST', '/faucet', { body: { wallet } })
  const nextMillis = rest.rateWindow('POST', '/faucet')?.endMillis ?? null
  return { usd: Number(amount), nextMillis }
}

function newKey(): string {
  const key = formatHex(crypto.getRandomValues(new Uint8Array(keyBytes)), 0, keyBytes)
  createSigner(key)
  return key
}
