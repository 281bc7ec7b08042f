import { encode } from '@msgpack/msgpack'
import { concatHex, type Hex, keccak256, numberToHex, toHex } from 'viem'
import type { Body, WalletKey } from './signed-body.js'

/** Order as on the wire; omitted fields of a patch get defaults. */
export interface PerpPatch {
  readonly a: number
  readonly b?: boolean
  readonly p?: string
  readonly s?: string
  readonly r?: boolean
  readonly tif?: 'Gtc' | 'Ioc' | 'Alo'
  readonly c?: string
}

export interface PerpOptions {
  readonly signer?: WalletKey
  readonly source?: string
  readonly expiresAfter?: number
  readonly nonce?: number
  /** Wallet in the action. An agent must name it. Null omits it, with any signer. */
  readonly vaultAddress?: string | null
}

/** Returns a signed perp order, as an outside client makes it from the specification. */
export function perpOrderBody(
  by: WalletKey,
  { a, b = true, p = '100000', s = '1', r = false, tif = 'Gtc', c }: PerpPatch,
  options: PerpOptions = {},
): Promise<Body> {
  const order = { a, b, p, s, r, t: { limit: { tif } }, ...(c === undefined ? {} : { c }) }
  return perpBody(by, { type: 'order', orders: [order], grouping: 'na' }, options)
}

export function perpCancelBody(by: WalletKey, a: number, o: number): Promise<Body> {
  return perpBody(by, { type: 'cancel', cancels: [{ a, o }] }, {})
}

export function perpCancelByCloidBody(by: WalletKey, asset: number, cloid: string): Promise<Body> {
  return perpBody(by, { type: 'cancelByCloid', cancels: [{ asset, cloid }] }, {})
}

async function perpBody(by: WalletKey, action: object, options: PerpOptions): Promise<Body> {
  const { signer = by, source = 'Strikebook/31337', expiresAfter, nonce = by.nextNonce() } = options
  const { vaultAddress = signer === by ? null : by.wallet } = options
  const vault: Hex[] = vaultAddress === null ? ['0x00'] : ['0x01', vaultAddress as Hex]
  const expiry: Hex[] =
    expiresAfter === undefined ? [] : ['0x00', numberToHex(expiresAfter, { size: 8 })]
  const parts: Hex[] = [toHex(encode(action)), numberToHex(nonce, { size: 8 }), ...vault, ...expiry]
  const signature = await signer.account.signTypedData({
    domain: {
      name: 'Exchange',
      version: '1',
      chainId: 1337,
      verifyingContract: '0x0000000000000000000000000000000000000000',
    },
    types: {
      Agent: [
        { name: 'source', type: 'string' },
        { name: 'connectionId', type: 'bytes32' },
      ],
    },
    primaryType: 'Agent',
    message: { source, connectionId: keccak256(concatHex(parts)) },
  })
  const expires = expiresAfter === undefined ? {} : { expiresAfter }
  const named = vaultAddress === null ? {} : { vaultAddress }
  return { wallet: by.wallet, action, nonce, ...named, ...expires, signature }
}
