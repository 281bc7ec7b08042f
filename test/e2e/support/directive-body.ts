import type { TypedDataDefinition } from 'viem'
import type { Body, WalletKey } from './signed-body.js'

/** Directives by key: primary type, type and fields of the action, and who may sign them. */
const directives = {
  hl_limit_order: [
    'HLOrder',
    'LimitOrder',
    'asset uint32,isBuy bool,limitPx uint64,sz uint64,reduceOnly bool,encodedTif uint8,cloid uint128',
    'ApiSign',
  ],
  hl_cancel_by_oid: ['HLCancel', 'CancelOrderByOid', 'asset uint32,oid uint64', 'ApiSign'],
  hl_cancel_by_cloid: [
    'HLCancelByCloid',
    'CancelOrderByCloid',
    'asset uint32,cloid uint128',
    'ApiSign',
  ],
  hl_set_abstraction: [
    'HLSetAbstraction',
    'SetAbstraction',
    'user address,abstraction uint8',
    'ManagerSign',
  ],
  hc_update_api_wallet: [
    'HCUpdateApiWallet',
    'UpdateApiWallet',
    'name bytes32,addr address',
    'ManagerSign',
  ],
} as const
export type DirectiveKey = keyof typeof directives

export interface DirectiveOptions {
  readonly signer?: WalletKey
  readonly nonce?: number | string
  /** Suffix of the domain's name, after the service's name. */
  readonly domain?: string
}

/** Returns a signed body of POST /v1/actions/{key}, as an outside client makes it from the specification. */
export async function directiveBody(
  by: WalletKey,
  key: DirectiveKey,
  action: Body,
  options: DirectiveOptions = {},
): Promise<Body> {
  const [primaryType, actionType, fields, ownDomain] = directives[key]
  const { signer = by, nonce = by.nextNonce(), domain = ownDomain } = options
  const definition = {
    domain: {
      name: `Strikebook${domain}`,
      version: '1',
      chainId: 31337,
      verifyingContract: '0x0000000000000000000000000000000000000000',
    },
    types: {
      [primaryType]: typed(`account address,nonce uint64,action ${actionType}`),
      [actionType]: typed(fields),
    },
    primaryType,
    message: {
      account: by.wallet,
      nonce: BigInt(nonce),
      // An order without a cloid is signed with its nonce instead.
      action: { ...action, cloid: BigInt((action['cloid'] ?? nonce) as string) },
    },
  }
  const signature = await signer.account.signTypedData(
    definition as unknown as TypedDataDefinition<Record<string, unknown>, string>,
  )
  return { account: by.wallet, nonce, action, signature }
}

function typed(fields: string): { readonly name: string; readonly type: string }[] {
  return fields.split(',').map((field) => {
    const [name, type] = field.split(' ')
    return { name: name!, type: type! }
  })
}

/** Returns the name of an API wallet as a word: ASCII, padded with zeros. */
export function nameWord(name: string): string {
  return `0x${Buffer.from(name).toString('hex').padEnd(64, '0')}`
}
