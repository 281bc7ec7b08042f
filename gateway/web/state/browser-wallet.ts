import { signal } from '@preact/signals'
import type { ViemAccount } from '../../client/account-signer.js'
import type { ExchangeInfo } from '../../client/answer-types.js'
import {
  addFailure,
  addParameter,
  chainIdOf,
  isDeclined,
  isOtherChain,
  isUnknownChain,
  type SigningChain,
  signingChain,
  switchFailure,
  switchParameter,
} from '../model/wallet-chain.js'
import { walletMessage } from '../model/wallet-message.js'
import { rest, venueInfo, venueUrl } from './venue.js'

/** Part of the interface of a browser wallet (EIP-1193) that the page uses. */
export interface WalletProvider {
  request(asked: { readonly method: string; readonly params?: unknown }): Promise<unknown>
  on?(event: string, listener: (value: unknown) => void): void
}

/** Reactions to the events of a wallet. */
export interface WalletListener {
  /** @param account null: the wallet no longer exposes one. */
  onAccount(account: string | null): void
}

/** Current chain of the wallet; null if unknown, or no wallet is in use. */
export const walletChain = signal<number | null>(null)

const looksMax = 5
const lookMillis = 200

/** Returns the wallet of the browser, or null if there is none. */
export function browserWallet(): WalletProvider | null {
  return (Reflect.get(globalThis, 'ethereum') as WalletProvider | undefined) ?? null
}

/** Returns the chain for which orders are signed, from GET /exchange-info. */
export async function venueChain(): Promise<SigningChain> {
  const info = venueInfo.value ?? (await rest.request<ExchangeInfo>('GET', '/exchange-info'))
  const { chain_id: id, signing_domain: domain, preset } = info
  return signingChain(id, `${domain.name} ${preset}`, venueUrl)
}

/**
 * Returns an account of the wallet, which signs for the client.
 * @param isNew True: the wallet may ask its owner. False: only an account that it has exposed to this page before.
 * @returns null if it exposes none.
 */
export async function walletAccount(
  provider: WalletProvider,
  isNew: boolean,
): Promise<ViemAccount | null> {
  const method = isNew ? 'eth_requestAccounts' : 'eth_accounts'
  const [address] = (await provider.request({ method })) as readonly string[]
  if (address === undefined) return null
  await readChain(provider)
  if (isNew) await switchChain(provider)
  return {
    address,
    async signTypedData(data) {
      // A wallet signs only for its current chain, which its owner may have changed.
      await switchChain(provider)
      const params = [address, JSON.stringify(walletMessage(data))]
      try {
        return String(await provider.request({ method: 'eth_signTypedData_v4', params }))
      } catch (error) {
        throw await signingError(provider, error)
      }
    },
  }
}

async function signingError(provider: WalletProvider, error: unknown): Promise<unknown> {
  if (isDeclined(error))
    return new Error('You declined the signature in the wallet. Nothing was sent')
  if (!isOtherChain(error)) return error
  return new Error(switchFailure(error, await readChain(provider), await venueChain()))
}

let switching: Promise<void> | null = null

/**
 * Asks the wallet to select the venue's chain, and to add it if it is unknown. Concurrent calls share one request, because
 * wallets reject a second one.
 * @throws Error that names the chain and the next step of the user.
 */
export function switchChain(provider: WalletProvider): Promise<void> {
  switching ??= selectChain(provider).finally(() => {
    switching = null
  })
  return switching
}

async function selectChain(provider: WalletProvider): Promise<void> {
  const chain = await venueChain()
  const from = await readChain(provider)
  if (from === chain.id) return
  try {
    await requestSwitch(provider, chain)
  } catch (error) {
    if (!isUnknownChain(error)) throw new Error(switchFailure(error, from, chain))
    await addChain(provider, chain)
  }
  if (await isOn(provider, chain)) return
  // Some wallets add a chain without selecting it.
  try {
    await requestSwitch(provider, chain)
  } catch (error) {
    throw new Error(switchFailure(error, from, chain))
  }
  if (await isOn(provider, chain)) return
  throw new Error(switchFailure(null, walletChain.value, chain))
}

function requestSwitch(provider: WalletProvider, chain: SigningChain): Promise<unknown> {
  const params = [switchParameter(chain)]
  return provider.request({ method: 'wallet_switchEthereumChain', params })
}

async function addChain(provider: WalletProvider, chain: SigningChain): Promise<void> {
  try {
    await provider.request({ method: 'wallet_addEthereumChain', params: [addParameter(chain)] })
  } catch (error) {
    throw new Error(addFailure(error, chain))
  }
}

/** Returns true once the wallet is on a chain. Polls, because some wallets answer before they have switched. */
async function isOn(provider: WalletProvider, { id }: SigningChain): Promise<boolean> {
  for (let looks = 1; looks <= looksMax; looks++) {
    if ((await readChain(provider)) === id) return true
    if (looks < looksMax) await new Promise((resolve) => setTimeout(resolve, lookMillis))
  }
  return false
}

async function readChain(provider: WalletProvider): Promise<number | null> {
  walletChain.value = chainIdOf(await provider.request({ method: 'eth_chainId' }))
  return walletChain.value
}

const watched = new WeakSet<WalletProvider>()

/** Subscribes to the events of a wallet, once per wallet. */
export function watchWallet(provider: WalletProvider, { onAccount }: WalletListener): void {
  if (provider.on === undefined || watched.has(provider)) return
  watched.add(provider)
  const setChain = (value: unknown) => {
    if (walletChain.value !== null) walletChain.value = chainIdOf(value)
  }
  provider.on('chainChanged', setChain)
  provider.on('connect', (value) => setChain((value as { chainId?: unknown } | null)?.chainId))
  provider.on('accountsChanged', (value) => onAccount((value as readonly string[])[0] ?? null))
  provider.on('disconnect', async () => {
    // MetaMask sends this while it switches chains, and its accounts stay.
    const accounts = await provider.request({ method: 'eth_accounts' }).catch(() => [])
    if ((accounts as readonly string[]).length === 0) onAccount(null)
  })
}
