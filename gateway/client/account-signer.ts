import { parseAddress } from '../../schemas/wallet.js'
import type { Signer } from './signer.js'
import { type TypedRequest, type WalletTypedData, walletTypedData } from './typed-request.js'

/** Account in the style of viem: has its address, and accepts typed data as one object. */
export interface ViemAccount {
  readonly address: string
  // viem's parameter is generic over the signed types; this is the value passed to it.
  // biome-ignore lint/suspicious/noExplicitAny: a wallet's own types say more than can be named here
  signTypedData(data: any): Promise<string>
}

/** Signer in the style of ethers: returns its address on request, and accepts domain, types and values separately. */
export interface EthersSigner {
  getAddress(): Promise<string>
  signTypedData(
    domain: WalletTypedData['domain'],
    types: WalletTypedData['types'],
    value: WalletTypedData['message'],
  ): Promise<string>
}

/** Anything that can sign typed data for an address without exposing its key. */
export type Account = ViemAccount | EthersSigner

/**
 * Makes a signer of an account. It signs typed data only, so each signature is a promise.
 * @throws Error if the account has no valid address.
 * @example
 * const signer = await signerOfAccount(privateKeyToAccount(privateKey)) // of viem
 * const other = await signerOfAccount(new Wallet(privateKey)) // of ethers
 */
export async function signerOfAccount(account: Account): Promise<Signer> {
  const isEthers = 'getAddress' in account
  const address = (isEthers ? await account.getAddress() : account.address).toLowerCase()
  const addressBytes = parseAddress(address)
  if (addressBytes === null) throw new Error('signerOfAccount: the account has no address')
  const signTyped = (request: TypedRequest) => {
    const data = walletTypedData(request)
    if (!isEthers) return account.signTypedData(data)
    return account.signTypedData(data.domain, data.types, data.message)
  }
  const sign = () => {
    throw new Error('an account signs typed data only')
  }
  return { address, addressBytes, sign, signTyped }
}
