import { parseAddress } from '../../schemas/wallet.js'
import type { Signer } from './signer.js'
import { type TypedRequest, type WalletTypedData, walletTypedData } from './typed-request.js'

/** An account of viem's kind: it has its address, and takes typed data as one object. */
export interface ViemAccount {
  readonly address: string
  // Its own parameter is generic over the types of what is signed; this is what it is given.
  // biome-ignore lint/suspicious/noExplicitAny: a wallet's own types say more than can be named here
  signTypedData(data: any): Promise<string>
}

/** A signer of ethers' kind: it is asked for its address, and takes domain, types and values apart. */
export interface EthersSigner {
  getAddress(): Promise<string>
  signTypedData(
    domain: WalletTypedData['domain'],
    types: WalletTypedData['types'],
    value: WalletTypedData['message'],
  ): Promise<string>
}

/** Whoever can sign typed data for an address, without showing its key. */
export type Account = ViemAccount | EthersSigner

/**
 * Makes a signer of an account. It signs typed data only, so each signature is a promise.
 * @throws Error when the account's address is none.
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
