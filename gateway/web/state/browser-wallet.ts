import type { ViemAccount } from '../../client/account-signer.js'
import { walletMessage } from '../model/wallet-message.js'

/** What is used of a wallet of the browser (EIP-1193). */
export interface WalletProvider {
  request(asked: { readonly method: string; readonly params?: unknown }): Promise<unknown>
  on?(event: 'accountsChanged', hear: (accounts: readonly string[]) => void): void
}

/** The wallet of the browser, or null where there is none. */
export function browserWallet(): WalletProvider | null {
  return (Reflect.get(globalThis, 'ethereum') as WalletProvider | undefined) ?? null
}

/**
 * An account of the wallet, which signs what the client gives it.
 * @param isNew whether the wallet may ask its owner; else only an account that it has shown before.
 * @returns null when it shows none.
 */
export async function walletAccount(
  provider: WalletProvider,
  isNew: boolean,
): Promise<ViemAccount | null> {
  const method = isNew ? 'eth_requestAccounts' : 'eth_accounts'
  const [address] = (await provider.request({ method })) as readonly string[]
  if (address === undefined) return null
  return {
    address,
    async signTypedData(data) {
      const params = [address, JSON.stringify(walletMessage(data))]
      return String(await provider.request({ method: 'eth_signTypedData_v4', params }))
    },
  }
}
