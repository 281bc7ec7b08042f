import { bytesToHex, type Hex, hashTypedData, hexToBytes, type TypedDataDefinition } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { nativeSecp256k1 } from '../../../gateway/auth/native-secp256k1.js'
import { marketDays } from './market-day.js'

/** JSON body of a signed write. */
export type Body = Record<string, unknown>

/** Fields in signing order, transcribed from the specification. */
const structs = {
  PlaceOrder:
    'wallet address,symbol string,side string,size string,price string,tif string,route string,clientId string,nonce uint64',
  PlaceOrderReduceOnly:
    'wallet address,symbol string,side string,size string,price string,tif string,route string,clientId string,reduceOnly bool,nonce uint64',
  ReplaceOrder:
    'wallet address,orderId string,symbol string,side string,size string,price string,tif string,clientId string,nonce uint64',
  ReplaceOrderReduceOnly:
    'wallet address,orderId string,symbol string,side string,size string,price string,tif string,clientId string,reduceOnly bool,nonce uint64',
  CancelOrder: 'wallet address,orderId string,nonce uint64',
  CancelOrderByClientId: 'wallet address,clientId string,nonce uint64',
  ApproveAgent: 'agent address,nonce uint64',
  RevokeAgent: 'agent address,nonce uint64',
  RevokeAllAgents: 'nonce uint64',
  CancelAll: 'wallet address,scope string,nonce uint64',
  SetDeadMan: 'wallet address,timeoutMs uint64,nonce uint64',
  SetCancelOnDisconnect: 'wallet address,enabled bool,nonce uint64',
  WithdrawUsdc: 'wallet address,account address,destination address,amount string,nonce uint64',
  SetSelfTradePrevention: 'wallet address,mode string,nonce uint64',
  SetMarginMode: 'wallet address,marginMode string,nonce uint64',
  SetMmpConfig:
    'wallet address,currency string,intervalMs uint64,frozenTimeMs uint64,qtyLimit string,deltaLimit string,vegaLimit string,nonce uint64',
  ResetMmp: 'wallet address,currency string,nonce uint64',
  DeleteMmpConfig: 'wallet address,currency string,nonce uint64',
  SetUserTier: 'wallet address,tier string,nonce uint64',
  SetSettlementPayoutSeen: 'wallet address,payoutIds string,seen bool,nonce uint64',
  StandardMarginLiquidationOrder:
    'wallet address,liquidatedWallet address,requestId string,auctionId string,bidUsdc string,portfolioHash string,auctionTermsHash string,bidIntentHash string,auctionVersion uint64,nonce uint64',
  ConnectQuoteProvider: 'wallet address,timestamp uint256,nonce uint64',
  PushAction: 'wallet address,action string,nonce uint64',
  CreateReferralCode: 'wallet address,code string,nonce uint64',
  SetReferrer: 'wallet address,referrer address,nonce uint64',
  SubmitUsernameRequest: 'wallet address,requestedUsername string,nonce uint64',
  SubmitRFQ: 'rfqId bytes32,legsHash bytes32,wallet address,nonce uint64',
  SubmitAutoExecuteRfq:
    'rfqId bytes32,legsHash bytes32,limitPrice int256,wallet address,nonce uint64',
  AcceptRFQQuote: 'rfqId bytes32,quoteId bytes32,netPremium int256,wallet address,nonce uint64',
  SubmitRFQResponse:
    'rfqId bytes32,legsHash bytes32,netPremium int256,validForMs uint256,qpWallet address,nonce uint64',
} as const
type Struct = keyof typeof structs

export const developmentDomain = { name: 'Strikebook', chainId: 31337 }

/**
 * Key of a wallet, with its own nonces. Most tests create a new one and so share no state. It encodes and hashes what
 * it signs with another library than the exchange and its client.
 */
export class WalletKey {
  readonly account: PrivateKeyAccount
  readonly wallet: string
  #nonce = 1000

  constructor(privateKey: Hex = generatePrivateKey()) {
    this.account = accountOf(privateKey)
    this.wallet = this.account.address.toLowerCase()
  }

  nextNonce(): number {
    return ++this.#nonce
  }
}

/**
 * Returns the account of a key. Native code signs where it is available: the same signatures in a tenth of the time.
 */
function accountOf(privateKey: Hex): PrivateKeyAccount {
  const account = privateKeyToAccount(privateKey)
  const native = nativeSecp256k1
  if (native === null) return account
  const key = hexToBytes(privateKey)
  const signTypedData: PrivateKeyAccount['signTypedData'] = async (definition) => {
    const digest = hexToBytes(hashTypedData(definition as TypedDataDefinition))
    const { signature, recid } = native.ecdsaSign(digest, key)
    return `${bytesToHex(signature)}${(27 + recid).toString(16)}` as Hex
  }
  return { ...account, signTypedData }
}

/** Returns the symbol of a far option that is not listed yet. */
export function symbolOf(
  underlying: string,
  strike: number | string,
  right: 'C' | 'P' = 'C',
): string {
  return `${underlying}-${dateText(marketDays())}-${strike}-${right}`
}

/** Fixed time, so that a midnight during the tests changes no date. */
const startMillis = Date.now()

/** Returns the UTC day `days` from now as YYYYMMDD, by default the day of `symbolOf`. */
export function dateText(days = marketDays()): string {
  return new Date(startMillis + days * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')
}

/** Returns the expiry in Unix seconds of `symbolOf`'s symbols: 08:00 UTC of their day. */
export function expirySeconds(days = marketDays()): number {
  const day = new Date(startMillis + days * 86_400_000).setUTCHours(8, 0, 0, 0)
  return day / 1000
}

/**
 * Returns a signed order. Undefined fields of `patch` are omitted from the JSON, and from the signature where the
 * layout allows it.
 */
export function placeBody(
  by: WalletKey,
  patch: Body,
  signer: WalletKey = by,
  domain = developmentDomain,
): Promise<Body> {
  const body = orderTerms(by, { route: 'book_only', ...patch })
  const isReduceOnly = body['reduce_only'] === true
  return signed(signer, isReduceOnly ? 'PlaceOrderReduceOnly' : 'PlaceOrder', body, domain)
}

export function replaceBody(by: WalletKey, patch: Body, signer: WalletKey = by): Promise<Body> {
  const body = orderTerms(by, patch)
  const isReduceOnly = body['reduce_only'] === true
  return signed(signer, isReduceOnly ? 'ReplaceOrderReduceOnly' : 'ReplaceOrder', body)
}

/** Returns a cancel by `order_id` or `client_id`, whichever `patch` has. */
export function cancelBody(by: WalletKey, patch: Body, signer: WalletKey = by): Promise<Body> {
  const body = withoutUndefined({ wallet: by.wallet, nonce: by.nextNonce(), ...patch })
  return signed(signer, 'order_id' in body ? 'CancelOrder' : 'CancelOrderByClientId', body)
}

export function selfTradeBody(
  by: WalletKey,
  mode: string,
  patch: Body = {},
  signer = by,
): Promise<Body> {
  const body = { wallet: by.wallet, mode, nonce: by.nextNonce(), ...patch }
  return signed(signer, 'SetSelfTradePrevention', body)
}

export function usernameBody(by: WalletKey, name: string, signer = by): Promise<Body> {
  const body = { wallet: by.wallet, requested_username: name, nonce: by.nextNonce() }
  return signed(signer, 'SubmitUsernameRequest', body)
}

export function marginModeBody(
  by: WalletKey,
  mode: string,
  signer = by,
  domain = developmentDomain,
): Promise<Body> {
  const body = { wallet: by.wallet, margin_mode: mode, nonce: by.nextNonce() }
  return signed(signer, 'SetMarginMode', body, domain)
}

export function withdrawBody(
  by: WalletKey,
  destination: string,
  amount: string,
  patch: Body = {},
  signer = by,
): Promise<Body> {
  const { wallet } = by
  const body = { wallet, account: wallet, destination, amount, nonce: by.nextNonce(), ...patch }
  return signed(signer, 'WithdrawUsdc', body)
}

/** Returns a CancelAll, SetDeadMan or SetCancelOnDisconnect. */
export function safetyBody(
  by: WalletKey,
  struct: 'CancelAll' | 'SetDeadMan' | 'SetCancelOnDisconnect',
  patch: Body,
  signer = by,
): Promise<Body> {
  return signed(signer, struct, { wallet: by.wallet, nonce: by.nextNonce(), ...patch })
}

/** Returns a write of /mmp-config, for `BTC` unless the patch says otherwise. */
export function mmpBody(
  by: WalletKey,
  struct: 'SetMmpConfig' | 'ResetMmp' | 'DeleteMmpConfig',
  patch: Body = {},
  signer = by,
): Promise<Body> {
  const body = { wallet: by.wallet, currency: 'BTC', nonce: by.nextNonce(), ...patch }
  return signed(signer, struct, withoutUndefined(body))
}

/** Returns a tier change of a wallet, signed by an address of the operator. */
export function tierBody(
  signer: WalletKey,
  { wallet }: WalletKey,
  tier: string,
  patch: Body = {},
): Promise<Body> {
  return signed(signer, 'SetUserTier', { wallet, tier, nonce: signer.nextNonce(), ...patch })
}

/** Returns the body for payouts seen; `seen` is signed as true if the body omits it. */
export function payoutsSeenBody(by: WalletKey, patch: Body, signer = by): Promise<Body> {
  const body = withoutUndefined({ wallet: by.wallet, nonce: by.nextNonce(), ...patch })
  return signed(signer, 'SetSettlementPayoutSeen', body)
}

/** Returns a bid on the terms of a status read; fields of `patch` replace copied ones. */
export function bidBody(by: WalletKey, status: Body, patch: Body = {}): Promise<Body> {
  const auction = status['full_liquidation'] as Body
  const body = {
    wallet: by.wallet,
    liquidated_wallet: status['wallet'],
    request_id: auction['request_id'],
    auction_id: auction['auction_id'],
    bid_usdc: auction['current_required_bid_usdc'],
    positions: auction['current_positions'],
    portfolio_hash: auction['current_portfolio_hash'],
    auction_terms_hash: auction['current_auction_terms_hash'],
    auction_version: auction['current_auction_version'],
    valuation_timestamp_ms: auction['current_valuation_timestamp_ms'],
    bid_intent_hash: 'intent-1',
    nonce: by.nextNonce(),
    ...patch,
  }
  return signed(by, 'StandardMarginLiquidationOrder', body)
}

export function agentBody(
  owner: WalletKey,
  struct: 'ApproveAgent' | 'RevokeAgent' | 'RevokeAllAgents',
  patch: Body = {},
): Promise<Body> {
  return signed(owner, struct, withoutUndefined({ nonce: owner.nextNonce(), ...patch }))
}

/** Returns a write of /push; `terms` are not signed. */
export function pushBody(
  by: WalletKey,
  action: 'subscribe' | 'unsubscribe' | 'preferences',
  terms: Body,
  signer = by,
): Promise<Body> {
  const body = { wallet: by.wallet, nonce: by.nextNonce(), ...terms }
  return signed(signer, 'PushAction', body, developmentDomain, { action })
}

/** Returns a body that creates the wallet's referral code. */
export function codeBody(by: WalletKey, code: string, signer = by): Promise<Body> {
  const body = { wallet: by.wallet, code, nonce: by.nextNonce() }
  return signed(signer, 'CreateReferralCode', body)
}

/** Returns a body that sets the wallet's referrer; the code is not signed. */
export function referrerBody(
  by: WalletKey,
  code: string,
  referrer: string,
  signer = by,
): Promise<Body> {
  return signed(signer, 'SetReferrer', { wallet: by.wallet, code, referrer, nonce: by.nextNonce() })
}

/** Returns the first frame of a quote provider's session. */
export function connectBody(by: WalletKey, patch: Body = {}, signer = by): Promise<Body> {
  const type = 'connect_quote_provider'
  const timestamp = String(Date.now())
  const body = { type, wallet: by.wallet, timestamp, nonce: by.nextNonce(), ...patch }
  return signed(signer, 'ConnectQuoteProvider', body)
}

function orderTerms(by: WalletKey, patch: Body): Body {
  return withoutUndefined({
    wallet: by.wallet,
    side: 'Buy',
    size: '1',
    price: '100',
    tif: 'gtc',
    nonce: by.nextNonce(),
    ...patch,
  })
}

/** @param more values of the struct that the body lacks, or has in another form */
export async function signed(
  signer: WalletKey,
  struct: Struct,
  body: Body,
  domain = developmentDomain,
  more: Body = {},
): Promise<Body> {
  const message = { ...messageOf(body), ...more }
  const fields = structs[struct]
    .split(',')
    .map((field) => field.split(' '))
    .map(([name, type]) => ({ name: name!, type: type! }))
    .filter(({ name }) => name !== 'route' || 'route' in body)
  // The layouts with and without reduceOnly differ in name only; PlaceOrder keeps its name without a route.
  const definition = {
    domain: {
      ...domain,
      version: '1',
      verifyingContract: '0x0000000000000000000000000000000000000000',
    },
    types: { [struct]: fields },
    primaryType: struct,
    message,
  }
  const signature = await signer.account.signTypedData(
    definition as unknown as TypedDataDefinition<Record<string, unknown>, string>,
  )
  return { ...body, signature }
}

/** Returns a value for each field of any struct, by its name there. */
function messageOf(body: Body): Body {
  return {
    wallet: body['wallet'],
    orderId: String(body['order_id']),
    symbol: body['symbol'],
    side: body['side'],
    size: body['size'],
    price: body['price'],
    tif: body['tif'] ?? 'gtc',
    route: body['route'],
    clientId: body['client_id'] ?? '',
    requestedUsername: body['requested_username'],
    reduceOnly: true,
    account: body['account'],
    destination: body['destination'],
    amount: body['amount'],
    agent: body['agent'],
    code: body['code'],
    referrer: body['referrer'],
    scope: body['scope'],
    timeoutMs: BigInt(Number(body['timeout_ms'] ?? 0)),
    enabled: body['enabled'],
    mode: body['mode'],
    marginMode: body['margin_mode'],
    tier: body['tier'],
    currency: body['currency'],
    intervalMs: BigInt(Number(body['interval_ms'] ?? 0)),
    frozenTimeMs: BigInt(Number(body['frozen_time_ms'] ?? 0)),
    qtyLimit: body['qty_limit'] ?? '',
    deltaLimit: body['delta_limit'] ?? '',
    vegaLimit: body['vega_limit'] ?? '',
    payoutIds: Array.isArray(body['ids']) ? body['ids'].join(',') : '',
    seen: body['seen'] ?? true,
    liquidatedWallet: body['liquidated_wallet'],
    requestId: body['request_id'],
    auctionId: body['auction_id'],
    bidUsdc: body['bid_usdc'],
    portfolioHash: body['portfolio_hash'],
    auctionTermsHash: body['auction_terms_hash'],
    bidIntentHash: body['bid_intent_hash'],
    auctionVersion: body['auction_version'],
    timestamp: BigInt(String(body['timestamp'] ?? 0)),
    nonce: BigInt(String(body['nonce'])),
  }
}

function withoutUndefined(body: Body): Body {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
}
