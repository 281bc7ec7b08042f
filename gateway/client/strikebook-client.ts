import { domainVersion, type SigningDomain } from '../../schemas/typed-data.js'
import type {
  OrderTerms,
  PerpOrderTerms,
  ReplaceTerms,
  RfqAcceptTerms,
  RfqTerms,
} from '../../schemas/wire-types.js'
import { type AccountMethods, accountMethods } from './account-methods.js'
import { type Account, signerOfAccount } from './account-signer.js'
import type {
  AcceptedQuote,
  Bid,
  ExchangeInfo,
  LiquidationStatus,
  Perp,
  SignedOrder,
  SubmittedRfq,
} from './answer-types.js'
import { ContestReads } from './contest-reads.js'
import { DirectiveClient } from './directives.js'
import type { Answers, BulkResult, OrderUpdate } from './generated/interface.js'
import { MarketReads } from './market-reads.js'
import { MoneyReads } from './money-reads.js'
import { createNonceSource, type NonceSource } from './nonce-source.js'
import {
  type PerpSigningContext,
  signPerpCancel,
  signPerpCancelByClientId,
  signPerpOrder,
} from './perp-actions.js'
import { ProfileReads } from './profile-reads.js'
import { ReadSessions } from './read-sessions.js'
import { ReferralReads } from './referral-reads.js'
import { type HttpMethod, RestClient } from './rest-client.js'
import { RiskReads } from './risk-reads.js'
import { SafetyReads } from './safety-reads.js'
import { ServiceReads } from './service-reads.js'
import {
  bidTerms,
  type SignedBody,
  type SigningContext,
  signAcceptRfqQuote,
  signCancelByClientId,
  signCancelOrder,
  signPlaceOrder,
  signReplaceOrder,
  signRfq,
} from './signed-actions.js'
import { createSigner, type Signer } from './signer.js'
import { TradingReads } from './trading-reads.js'

/** Options of a client that trades as one wallet. */
export interface StrikebookOptions {
  /** Public URL of the exchange. */
  readonly url: string
  /** Key of the wallet, or of an agent that `wallet` has approved. Alternative to `account`. */
  readonly privateKey?: string
  /** Account in the style of viem or ethers, or a signer. Alternative to `privateKey`. */
  readonly account?: Account | Signer
  /** The trading wallet. Default: the address of the key. */
  readonly wallet?: string
  /** Signing domain. Default: that of GET /exchange-info. Set it if the URL is not trusted. */
  readonly domain?: SigningDomain
  /** `source` of signed perp actions. Default: that of GET /exchange-info. Set it if the URL is not trusted. */
  readonly perpSource?: string
  readonly nextNonce?: NonceSource
  readonly timeoutMillis?: number
  /** Reaction to a rate limit. Default `tell`. */
  readonly rateLimit?: 'tell' | 'wait'
}

type BulkKey = Extract<keyof Answers, `${string} /bulk_order${string}`>

/**
 * Client of one wallet: one method per operation, writes signed. A trading rejection is an answer with status
 * `REJECTED`. HTTP errors are thrown (client-error.ts).
 */
export class StrikebookClient extends TradingReads {
  readonly rest: RestClient
  readonly context: SigningContext
  readonly nextNonce: NonceSource
  /**
   * Sends account actions, one method per action. Only the owner's key approves and revokes agents. `setMarginMode`
   * throws `margin_mode_unavailable` if the exchange does not offer portfolio margin, and `conflict` if the wallet would
   * not meet its initial margin.
   * @example
   * const { wallet } = await owner.account.approveAgent({ agent })
   * await owner.account.revokeAgent({ agent })
   * await owner.account.revokeAllAgents()
   * @example
   * const { previous_mode } = await client.account.setMarginMode({ marginMode: 'portfolio' })
   * await client.account.setSelfTradePrevention({ mode: 'cancel_maker' })
   * @example
   * const { canceled } = await client.account.cancelAll({ scope: 'BTC' })
   * await client.account.setDeadMan({ timeoutMs: 30_000 })
   * @example
   * const window = { intervalMs: 5000, frozenTimeMs: 10000, qtyLimit: '10' }
   * await client.account.setMmpConfig({ currency: 'BTC', ...window })
   * await client.account.resetMmp({ currency: 'BTC' })
   * await client.account.deleteMmpConfig({ currency: 'BTC' })
   * @example
   * const terms = { account: owner.wallet, destination: owner.wallet, amount: '25' }
   * const { directive_id } = await owner.account.withdrawUsdc(terms)
   * @example
   * const { status } = await client.account.submitUsernameRequest({ requestedUsername: 'theta_gang' })
   * const { code } = await client.account.createReferralCode({ code: 'FRIENDS' })
   * @example
   * const unseen = (await client.settlementPayouts()).filter((payout) => !payout.is_seen)
   * const ids = unseen.map(({ id }) => id)
   * if (ids.length > 0) await client.account.setSettlementPayoutSeen({ ids })
   * @example
   * await client.account.pushSubscribe({ subscription })
   * await client.account.pushPreferences({ fills: true, settlements: false })
   * await client.account.pushUnsubscribe({ endpoint: subscription.endpoint })
   */
  readonly account: AccountMethods
  /** Profile, earnings and username of the wallet. */
  readonly profile: ProfileReads
  /** Deposits, withdrawals and other transfers of the wallet. */
  readonly money: MoneyReads
  readonly directives: DirectiveClient
  /** Competitions, and the wallet's rank in them. */
  readonly contests: ContestReads
  /** Referral codes, referrers and referred wallets. */
  readonly referrals: ReferralReads
  /** Results of actions, traces of orders, remaining rate limits. */
  readonly safety: SafetyReads
  /** Read sessions. The client presents them if the exchange requires them; pass them to a `StreamClient` too. */
  readonly sessions: ReadSessions
  /** Instruments, markets and theoretical prices. */
  readonly market: MarketReads
  /** Margin of the wallet, and simulations of orders. */
  readonly risk: RiskReads
  /** Health, readiness and description of the exchange. */
  readonly service: ServiceReads
  #perpSource: string | null

  constructor(
    rest: RestClient,
    context: SigningContext,
    nextNonce: NonceSource,
    perpSource: string | null = null,
  ) {
    super(rest, context.wallet)
    this.rest = rest
    this.sessions = new ReadSessions(context)
    rest.sessions = this.sessions
    this.money = new MoneyReads(rest, context.wallet)
    this.context = context
    this.profile = new ProfileReads(rest, context.wallet)
    this.nextNonce = nextNonce
    this.#perpSource = perpSource
    this.account = accountMethods(this)
    this.directives = new DirectiveClient(this)
    this.contests = new ContestReads(rest, context.wallet)
    this.referrals = new ReferralReads(rest, context.wallet)
    this.safety = new SafetyReads(rest, context.wallet)
    this.market = new MarketReads(rest, context.wallet)
    this.risk = new RiskReads(rest, context.wallet)
    this.service = new ServiceReads(rest)
  }

  /**
   * Places an order.
   * @example
   * const placed = await client.placeOrder({ symbol, side: 'Buy', size: '0.5', price: '1250' })
   * if (placed.status === 'REJECTED') console.error(placed.reason)
   */
  placeOrder(terms: OrderTerms): Promise<OrderUpdate> {
    return this.#write('POST /order', signPlaceOrder(this.context, terms, this.nextNonce()))
  }

  /**
   * Replaces a working order in one step. Returns the update of the new order.
   * @example
   * await client.replaceOrder({ orderId, symbol, side: 'Buy', size: '0.5', price: '1260' })
   */
  replaceOrder(terms: ReplaceTerms): Promise<OrderUpdate> {
    return this.#write('PUT /order', signReplaceOrder(this.context, terms, this.nextNonce()))
  }

  /**
   * Cancels a working order.
   * @example
   * await client.cancelOrder(orderId)
   */
  cancelOrder(orderId: number): Promise<OrderUpdate> {
    return this.#write('DELETE /order', signCancelOrder(this.context, orderId, this.nextNonce()))
  }

  /**
   * Cancels the working order with this client id.
   * @example
   * await client.cancelByClientId('grid-17')
   */
  cancelByClientId(clientId: string): Promise<OrderUpdate> {
    const body = signCancelByClientId(this.context, clientId, this.nextNonce())
    return this.#write('DELETE /order', body)
  }

  /**
   * Returns the listed perps, with the asset numbers that their orders use.
   * @example
   * const btc = (await client.perps()).find(({ underlying }) => underlying === 'BTC')
   * console.log(btc?.asset)
   */
  async perps(): Promise<readonly Perp[]> {
    return (await this.get('/exchange-info')).perps
  }

  /**
   * Places a perp order.
   * @example
   * const quote = { asset, side: 'Sell', size: '0.5', price: '100500', tif: 'alo' } as const
   * const placed = await client.placePerpOrder(quote)
   * if (placed.reason_code === 'post_only_would_trade') console.error('the market has moved')
   */
  placePerpOrder(terms: PerpOrderTerms): Promise<OrderUpdate> {
    return this.#actOnPerp((context) => signPerpOrder(context, terms, this.nextNonce()))
  }

  /**
   * Cancels a working perp order by its id. `cancelOrder` and `cancelByClientId` also cancel perp orders.
   * @example
   * await client.cancelPerpOrder(asset, perpOrderId)
   */
  cancelPerpOrder(asset: number, orderId: number): Promise<OrderUpdate> {
    return this.#actOnPerp((context) => signPerpCancel(context, asset, orderId, this.nextNonce()))
  }

  /**
   * Cancels the working perp order with this client id.
   * @example
   * await client.cancelPerpByClientId(asset, '0x000000000000000000000000000000a1')
   */
  cancelPerpByClientId(asset: number, clientId: string): Promise<OrderUpdate> {
    return this.#actOnPerp((context) =>
      signPerpCancelByClientId(context, asset, clientId, this.nextNonce()),
    )
  }

  /**
   * Places up to 50 orders in one request. Each succeeds or fails on its own.
   * @example
   * const ask = { symbol, side: 'Sell', size: '1', price: '1300' } as const
   * const [ofTerms, ofAsk] = await client.placeOrders([terms, ask])
   */
  placeOrders(orders: readonly OrderTerms[]): Promise<readonly BulkResult[]> {
    const body = orders.map((terms) => signPlaceOrder(this.context, terms, this.nextNonce()))
    return this.#writeBulk('POST /bulk_order', body)
  }

  /**
   * Replaces up to 50 orders in one request.
   * @example
   * const results = await client.replaceOrders([{ orderId, ...terms }])
   */
  replaceOrders(replacements: readonly ReplaceTerms[]): Promise<readonly BulkResult[]> {
    const body = replacements.map((terms) =>
      signReplaceOrder(this.context, terms, this.nextNonce()),
    )
    return this.#writeBulk('PUT /bulk_order', body)
  }

  /**
   * Cancels up to 50 orders in one request.
   * @example
   * await client.cancelOrders([orderId, otherId])
   */
  cancelOrders(orderIds: readonly number[]): Promise<readonly BulkResult[]> {
    const body = orderIds.map((orderId) => signCancelOrder(this.context, orderId, this.nextNonce()))
    return this.#writeBulk('DELETE /bulk_order', body)
  }

  /**
   * Cancels up to 50 orders by their client ids in one request.
   * @example
   * await client.cancelByClientIds(['grid-17', 'grid-18'])
   */
  cancelByClientIds(clientIds: readonly string[]): Promise<readonly BulkResult[]> {
    const body = clientIds.map((clientId) =>
      signCancelByClientId(this.context, clientId, this.nextNonce()),
    )
    return this.#writeBulk('DELETE /bulk_order_cloid', body)
  }

  /**
   * Returns the digest that the exchange computes for an order, and the signer that it recovers. Places nothing. Not
   * available on mainnet-alpha.
   * @example
   * const { digest, recovered_address: signer } = await client.debugOrder({ symbol, side: 'Buy', size: '1', price: '1' })
   */
  debugOrder(terms: OrderTerms): Promise<SignedOrder> {
    const body = signPlaceOrder(this.context, terms, this.nextNonce())
    return this.#write('POST /order/debug', body)
  }

  /**
   * Requests quotes for a combo from the quote providers. A request that violates a trading rule returns status
   * `failed` and a `reason`. Quotes arrive on the `rfq` channel and in `rfq`.
   * @throws ApiError `conflict` if the id was already used.
   * @example
   * const legs = [{ instrument: symbol, side: 'Buy', size: '1' }] as const
   * const { status } = await client.submitRfq({ rfqId: randomUUID(), legs })
   */
  submitRfq(terms: RfqTerms): Promise<SubmittedRfq> {
    return this.#write('POST /rfq/request', signRfq(this.context, terms, this.nextNonce()))
  }

  /**
   * Accepts a quote, and trades all legs or none.
   * @throws ApiError `not_found` for an unknown RFQ or quote, `rfq_already_filled` for an RFQ that has traded,
   * `rfq_closed` for one that ended otherwise, `conflict` for an expired quote.
   * @example
   * const { quotes } = await client.rfq(rfqId)
   * const { quote_id: quoteId, net_premium: netPremium } = quotes[0]
   * const { status } = await client.acceptRfqQuote({ rfqId, quoteId, netPremium })
   */
  acceptRfqQuote(terms: RfqAcceptTerms): Promise<AcceptedQuote> {
    const body = signAcceptRfqQuote(this.context, terms, this.nextNonce())
    return this.#write('POST /rfq/accept', body)
  }

  /**
   * Bids for a share of a wallet in auction, on the terms of a status at most 5 s old.
   * @param bidUsdc Maximum that the bidder pays. Default: the bid that the status requires.
   * @throws ApiError `conflict` if the terms changed or another bid was faster, `insufficient_balance`.
   * @example
   * const status = await client.liquidationStatus(otherWallet)
   * if (status.liquidation_mode === 'full') await client.bidLiquidation(status)
   */
  bidLiquidation(
    status: LiquidationStatus,
    bidUsdc: string = status.full_liquidation?.current_required_bid_usdc ?? '0',
    intent = 'bid',
  ): Promise<Bid> {
    return this.account.standardMarginLiquidationOrder(bidTerms(status, bidUsdc, intent))
  }

  /** Requests the source of perp signatures once, unless the options set it. */
  async #actOnPerp(sign: (context: PerpSigningContext) => SignedBody): Promise<OrderUpdate> {
    this.#perpSource ??= (await this.get('/exchange-info')).perp_source
    const { signer, wallet } = this.context
    return this.#write('POST /perp-order', sign({ signer, wallet, source: this.#perpSource }))
  }

  #write<Key extends keyof Answers>(key: Key, body: unknown): Promise<Answers[Key]> {
    const [method, path] = key.split(' ') as [HttpMethod, string]
    return this.rest.request(method, path, { body })
  }

  /** Sends a list of items, which returns a list of results. */
  #writeBulk(key: BulkKey, items: readonly SignedBody[]): Promise<readonly BulkResult[]> {
    return this.#write(key, items) as Promise<readonly BulkResult[]>
  }
}

/**
 * Connects a client. Requests the signing domain from the exchange unless the options set it.
 * @throws Error for an invalid key, and the errors of `RestClient.request`.
 * @example
 * const client = await connectStrikebook({ url, privateKey })
 * const { equity } = await client.portfolio()
 */
export async function connectStrikebook(options: StrikebookOptions): Promise<StrikebookClient> {
  const { url, timeoutMillis, rateLimit = 'tell' } = options
  const timeout = timeoutMillis === undefined ? {} : { timeoutMillis }
  const rest = new RestClient({ url, rateLimit, ...timeout })
  const signer = await signerOf(options)
  const domain = options.domain ?? (await requestDomain(rest))
  const wallet = (options.wallet ?? signer.address).toLowerCase()
  const nextNonce = options.nextNonce ?? createNonceSource()
  const context = { domain, signer, wallet }
  return new StrikebookClient(rest, context, nextNonce, options.perpSource ?? null)
}

async function signerOf({ privateKey, account }: StrikebookOptions): Promise<Signer> {
  if (account !== undefined) return 'addressBytes' in account ? account : signerOfAccount(account)
  if (privateKey !== undefined) return createSigner(privateKey)
  throw new Error('connectStrikebook: neither privateKey nor account')
}

async function requestDomain(rest: RestClient): Promise<SigningDomain> {
  const info = await rest.request<ExchangeInfo>('GET', '/exchange-info')
  const { name, version } = info.signing_domain
  return { name, version: version ?? domainVersion, chainId: info.chain_id }
}
