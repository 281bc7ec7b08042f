import type { WalletTypedData } from '../../client/typed-request.js'

const domainFields = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
]

/** Converts typed data to the form that browser wallets accept: with the domain's type, and integers as text. */
export function walletMessage({ domain, types, primaryType, message }: WalletTypedData) {
  return {
    domain,
    types: { EIP712Domain: domainFields, ...types },
    primaryType,
    message: withText(message),
  }
}

function withText(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return value.map(withText)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withText(member)]))
}
