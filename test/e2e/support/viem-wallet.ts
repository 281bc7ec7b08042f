import { keccak256, toHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

// Signs with another library than the exchange and its client do, from the field lists of the specification.

const domain = {
  name: 'Strikebook',
  version: '1',
  chainId: 31_337,
  verifyingContract: '0x0000000000000000000000000000000000000000',
} as const

const structs = {
  PlaceOrder:
    'address wallet,string symbol,string side,string size,string price,string tif,string route,' +
    'string clientId,uint64 nonce',
  ReplaceOrder:
    'address wallet,string orderId,string symbol,string side,string size,string price,' +
    'string tif,string clientId,uint64 nonce',
  CancelOrder: 'address wallet,string orderId,uint64 nonce',
  CancelOrderByClientId: 'address wallet,string clientId,uint64 nonce',
  ApproveAgent: 'address agent,uint64 nonce',
  RevokeAgent: 'address agent,uint64 nonce',
  SetSelfTradePrevention: 'address wallet,string mode,uint64 nonce',
}

export interface OrderOptions {
  readonly symbol: string
  readonly side: 'Buy' | 'Sell'
  readonly size: string
  readonly price: string
  readonly tif?: string
  readonly route?: string
  readonly clientId?: string
  readonly nonce?: number
}

type Body = Record<string, unknown>

/** A wallet of a test, with a key of its own for each name. */
export class ViemWallet {
  readonly account: PrivateKeyAccount
  /** Trading wallet: its own address, or that of the wallet it is an agent of. */
  readonly wallet: string
  #nonce = 0

  constructor(name: string, wallet?: string) {
    this.account = privateKeyToAccount(keccak256(toHex(`strikebook test ${name}`)))
    this.wallet = wallet ?? this.address
  }

  get address(): string {
    return this.account.address.toLowerCase()
  }

  /** Nonces from here on, for a wallet that has traded in an earlier process. */
  startNonces(from: number): void {
    this.#nonce = from
  }

  async place(order: OrderOptions): Promise<Body> {
    const { symbol, side, size, price, tif = 'gtc', route = 'book_only', clientId = '' } = order
    const nonce = order.nonce ?? ++this.#nonce
    const terms = { wallet: this.wallet, symbol, side, size, price, tif, route }
    const signature = await this.#sign('PlaceOrder', { ...terms, clientId, nonce })
    return { ...terms, client_id: clientId, nonce, signature }
  }

  async replace(orderId: number, order: OrderOptions): Promise<Body> {
    const { symbol, side, size, price, tif = 'gtc', clientId = '' } = order
    const nonce = order.nonce ?? ++this.#nonce
    const terms = { wallet: this.wallet, symbol, side, size, price, tif }
    const message = { ...terms, orderId: String(orderId), clientId, nonce }
    const signature = await this.#sign('ReplaceOrder', message)
    return { ...terms, order_id: orderId, client_id: clientId, nonce, signature }
  }

  async cancel(orderId: number, nonce: number = ++this.#nonce): Promise<Body> {
    const { wallet } = this
    const message = { wallet, orderId: String(orderId), nonce }
    return { wallet, order_id: orderId, nonce, signature: await this.#sign('CancelOrder', message) }
  }

  async cancelByClientId(clientId: string): Promise<Body> {
    const { wallet } = this
    const nonce = ++this.#nonce
    const signature = await this.#sign('CancelOrderByClientId', { wallet, clientId, nonce })
    return { wallet, client_id: clientId, nonce, signature }
  }

  async selfTrade(mode: string): Promise<Body> {
    const { wallet } = this
    const nonce = ++this.#nonce
    const signature = await this.#sign('SetSelfTradePrevention', { wallet, mode, nonce })
    return { wallet, mode, nonce, signature }
  }

  async approve(agent: string): Promise<Body> {
    const nonce = ++this.#nonce
    return { agent, nonce, signature: await this.#sign('ApproveAgent', { agent, nonce }) }
  }

  async revoke(agent: string): Promise<Body> {
    const nonce = ++this.#nonce
    return { agent, nonce, signature: await this.#sign('RevokeAgent', { agent, nonce }) }
  }

  #sign(primaryType: keyof typeof structs, message: Body): Promise<string> {
    const fields = structs[primaryType].split(',').map((field) => {
      const [type, name] = field.split(' ')
      return { type: type!, name: name! }
    })
    return this.account.signTypedData({
      domain,
      types: { [primaryType]: fields },
      primaryType,
      message,
    })
  }
}
