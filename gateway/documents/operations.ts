import type { Result as ResultType } from '../../schemas/results.js'
import { Result } from '../../schemas/results.js'
import { exampleSymbol, exampleWallet } from './example-names.js'

/** Groups of operations, with their descriptions. */
export const tagWords = {
  Venue: 'Description and health of the venue',
  Market: 'Instruments, prices, books and trades',
  Account: 'Holdings, permissions, actions and settings of one wallet',
  Money: 'Deposits and withdrawals',
  Competitions: 'Rankings of wallets over a span of time',
  RFQ: 'Requests for quote: packages of options at one price',
  Referrals: 'Referral codes and referred wallets',
  Orders: 'Orders of options',
  Perps: 'Orders of perpetual contracts, and directives',
  Push: 'Notifications of a browser',
} as const

/** Description of an operation, in addition to the tables of requests and answers. */
export interface OperationNote {
  readonly tag: keyof typeof tagWords
  readonly summary: string
  /** Errors in addition to those of every operation of its kind. */
  readonly results?: readonly ResultType[]
  /** Fields of its body in addition to wallet, nonce and signature. */
  readonly body?: Readonly<Record<string, unknown>>
}

const otherWallet = '0x89abcdef0123456789abcdef0123456789abcdef'
const exampleId = '6f1c3f0e-8f0f-4d57-9b1c-2a4be2f0a001'
const exampleCloid = `0x${'0'.repeat(31)}7`

const order = { symbol: exampleSymbol, side: 'Buy', size: '0.5', price: '1250', tif: 'gtc' }
const placed = { ...order, route: 'book_only', client_id: 'first-1' }
const replaced = { ...order, order_id: 4096, price: '1240' }
const cancel = { order_id: 4096 }
const perpOrder = {
  ...{ a: 0, b: true, p: '100000', s: '0.01', r: false },
  ...{ t: { limit: { tif: 'Gtc' } }, c: exampleCloid },
}
const exampleHash = `sha256:${'0'.repeat(64)}`
const perpAction = { type: 'order', orders: [perpOrder], grouping: 'na' }
const directiveOrder = {
  ...{ asset: 0, isBuy: true, limitPx: 10_000_000_000_000, sz: 1_000_000 },
  ...{ reduceOnly: false, encodedTif: 2, cloid: '7' },
}
const pushTarget = {
  endpoint: 'https://fcm.googleapis.com/fcm/send/example',
  keys: {
    p256dh:
      'BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU',
    auth: 'AAECAwQFBgcICQoLDA0ODw',
  },
}
const mmp = { currency: 'BTC' }
const acceptanceResults = [
  ...[Result.RfqUnknown, Result.RfqClosed, Result.RfqAlreadyFilled],
  ...[Result.QuoteUnknown, Result.QuoteExpired],
]
const notFound = [Result.NotFound]
const competitionResults = [Result.NotFound]

/** By method and path. A path that ends in a slash is followed by a parameter. */
export const operationNotes: Readonly<Record<string, OperationNote>> = {
  'GET /': { tag: 'Venue', summary: 'Index of the venue, as JSON or as a page' },
  'GET /exchange-info': {
    tag: 'Venue',
    summary: 'Parameters of signing: chain, domain, perps; and bounds of lists',
  },
  'GET /health': { tag: 'Venue', summary: 'Health of this gateway' },
  'GET /version': { tag: 'Venue', summary: 'Version of the build' },
  'GET /ready': {
    tag: 'Venue',
    summary: 'Readiness of every component; 503 while one is not ready',
  },
  'GET /openapi.json': { tag: 'Venue', summary: 'This document' },
  'GET /asyncapi.json': { tag: 'Venue', summary: 'The document of the streams' },
  'GET /docs': { tag: 'Venue', summary: 'This document as a page with a form for each operation' },
  'GET /docs/': { tag: 'Venue', summary: 'Parts of that page; `streams`: the other document' },
  'GET /app': { tag: 'Venue', summary: 'Pages for watching the market and trading' },
  'GET /app/': { tag: 'Venue', summary: 'Parts of these pages' },
  'GET /instruments': { tag: 'Market', summary: 'Instruments that are listed' },
  'GET /instrument-specs': { tag: 'Market', summary: 'Terms, steps, fees and margins of each' },
  'GET /markets': { tag: 'Market', summary: 'Underlyings and expiries, with their options' },
  'GET /orderbook': { tag: 'Market', summary: 'Book, mark, greeks and price limits of one' },
  'GET /options-summary': {
    tag: 'Market',
    summary: 'Best prices, marks and greeks of the options',
  },
  'GET /fees': { tag: 'Market', summary: 'Fees, and those of a wallet' },
  'GET /trades': { tag: 'Market', summary: 'Trades, the newest first, or after an id' },
  'GET /trades/': { tag: 'Market', summary: 'One trade', results: notFound },
  'GET /historical-theos': { tag: 'Market', summary: 'Theoretical prices of the past' },
  'GET /historical-theos/batch': { tag: 'Market', summary: 'The same of several instruments' },
  'GET /portfolio': { tag: 'Account', summary: 'Positions, equity and margin' },
  'GET /authorized-agents': { tag: 'Account', summary: 'Agents, and keys for directives' },
  'GET /user-tier': { tag: 'Account', summary: 'Tier and limits' },
  'GET /username': { tag: 'Account', summary: 'Name of a wallet', results: notFound },
  'GET /profile': { tag: 'Account', summary: 'Profile and profit of a wallet' },
  'GET /profile/realized-pnl': {
    tag: 'Account',
    summary: 'Realized profit of a time range, by instrument',
    results: notFound,
  },
  'GET /profile/trades': { tag: 'Account', summary: 'Fills of a time range' },
  'GET /profile/historical-pnl': { tag: 'Account', summary: 'Equity over time' },
  'GET /historical-pnl': { tag: 'Account', summary: 'Equity over time' },
  'GET /self-trade-prevention': { tag: 'Account', summary: 'Self-trade prevention mode' },
  'GET /mmp-config': { tag: 'Account', summary: 'Market-maker protections' },
  'GET /risk/grid': { tag: 'Account', summary: 'Profit of each position in each scenario' },
  'POST /risk/simulate/orders': {
    tag: 'Account',
    summary: 'Simulates the admission of orders; places nothing, needs no signature',
    body: { orders: [{ symbol: exampleSymbol, side: 'Buy', size: '0.5', price: '1250' }] },
  },
  'GET /liquidation/status': { tag: 'Account', summary: 'Liquidation state of a wallet' },
  'GET /liquidation/history': { tag: 'Account', summary: 'Past liquidation states of a wallet' },
  'GET /liquidations': { tag: 'Market', summary: 'Changes of liquidation, of all wallets or one' },
  'GET /orders': { tag: 'Account', summary: 'Orders, the newest first' },
  'GET /orders/status': { tag: 'Account', summary: 'One order by its id or client id' },
  'GET /fills': { tag: 'Account', summary: 'Fills, the newest first' },
  'GET /settlement-payouts': { tag: 'Account', summary: 'Payouts of expiries' },
  'GET /rate-limits': { tag: 'Account', summary: 'Rate-limit windows of a wallet' },
  'GET /actions/outcome': { tag: 'Account', summary: 'Result of a signed payload' },
  'GET /orders/why': {
    tag: 'Account',
    summary: 'Explanation of a recent order: its stages, its batch, the check that failed',
    results: [Result.MissingField, Result.NotFound],
  },
  'GET /v1/withdrawals': { tag: 'Money', summary: 'Withdrawals, the newest first' },
  'GET /v1/directives/': {
    tag: 'Money',
    summary: 'Status of a directive',
    results: notFound,
  },
  'GET /v1/transfers': { tag: 'Money', summary: 'Deposits and withdrawals' },
  'GET /competitions': { tag: 'Competitions', summary: 'Competitions, the latest start first' },
  'GET /competitions/': { tag: 'Competitions', summary: 'One of them', results: notFound },
  'GET /leaderboard': {
    tag: 'Competitions',
    summary: 'Ranks of a competition',
    results: competitionResults,
  },
  'GET /competition/leaderboard': {
    tag: 'Competitions',
    summary: 'Ranks of a competition',
    results: competitionResults,
  },
  'GET /competition-metric-ranks': {
    tag: 'Competitions',
    summary: 'Ranks of a wallet by each metric',
    results: competitionResults,
  },
  'GET /competition/summary': {
    tag: 'Competitions',
    summary: 'Standing of a wallet in the running competition',
    results: competitionResults,
  },
  'GET /competition/account': {
    tag: 'Competitions',
    summary: 'Standing of a wallet in a competition',
    results: competitionResults,
  },
  'GET /rfq': { tag: 'RFQ', summary: 'Requests for quote of a wallet' },
  'GET /rfq/': { tag: 'RFQ', summary: 'One request for quote', results: notFound },
  'GET /referrals/binding': { tag: 'Referrals', summary: 'Referrer of a wallet' },
  'GET /referrals/code': { tag: 'Referrals', summary: 'Code of a wallet, or null' },
  'GET /referrals/code/': { tag: 'Referrals', summary: 'Owner of a code', results: notFound },
  'GET /referrals/referred': { tag: 'Referrals', summary: 'Wallets that a wallet referred' },
  'POST /order': { tag: 'Orders', summary: 'Places an order of an option', body: placed },
  'PUT /order': { tag: 'Orders', summary: 'Replaces an order by a new one', body: replaced },
  'DELETE /order': { tag: 'Orders', summary: 'Cancels by order id or client id', body: cancel },
  'DELETE /order_cloid': {
    tag: 'Orders',
    summary: 'Cancels by client id',
    body: { client_id: 'first-1' },
  },
  'POST /order/debug': {
    tag: 'Orders',
    summary: 'Hashed values of an order and its recovered signer; places nothing',
    body: placed,
  },
  'POST /bulk_order': { tag: 'Orders', summary: 'Places up to 50 orders', body: placed },
  'PUT /bulk_order': { tag: 'Orders', summary: 'Replaces up to 50 orders', body: replaced },
  'DELETE /bulk_order': { tag: 'Orders', summary: 'Cancels up to 50 orders', body: cancel },
  'DELETE /bulk_order_cloid': {
    tag: 'Orders',
    summary: 'Cancels up to 50 orders',
    body: { client_id: 'first-1' },
  },
  'POST /orders': { tag: 'Orders', summary: 'Places up to 50 orders', body: placed },
  'POST /orders/cancel': { tag: 'Orders', summary: 'Cancels up to 50 orders', body: cancel },
  'POST /perp-order': {
    tag: 'Perps',
    summary: 'Places or cancels an order of a perp',
    body: { action: perpAction },
  },
  'POST /v1/actions/hl_limit_order': {
    tag: 'Perps',
    summary: 'Directive: an order of a perp',
    body: { action: directiveOrder },
  },
  'POST /v1/actions/hl_cancel_by_oid': {
    tag: 'Perps',
    summary: 'Directive: a cancel by order id',
    body: { action: { asset: 0, oid: 4096 } },
  },
  'POST /v1/actions/hl_cancel_by_cloid': {
    tag: 'Perps',
    summary: 'Directive: a cancel by client id',
    body: { action: { asset: 0, cloid: exampleCloid } },
  },
  'POST /v1/actions/hl_set_abstraction': {
    tag: 'Perps',
    summary: 'Directive: sets the abstraction of the account',
    body: { action: { user: exampleWallet, abstraction: 2 } },
  },
  'POST /v1/actions/hc_update_api_wallet': {
    tag: 'Perps',
    summary: 'Directive: sets a named trading key',
    body: { action: { name: `0x${'0'.repeat(62)}61`, addr: otherWallet } },
  },
  'POST /rfq/request': {
    tag: 'RFQ',
    summary: 'Requests quotes for a package; with a limit the first quote within it executes',
    results: [Result.RfqIdUsed, Result.RfqLimitContradicts],
    body: {
      rfq_id: exampleId,
      legs: [{ instrument: exampleSymbol, side: 'Buy', size: '1' }],
    },
  },
  'POST /rfq/accept': {
    tag: 'RFQ',
    summary: 'Accepts a quote; the signature also covers its net premium',
    results: acceptanceResults,
    body: { rfq_id: exampleId, quote_id: exampleId },
  },
  'POST /faucet': { tag: 'Money', summary: 'Credits paper money to a wallet; development only' },
  'POST /withdraw/usdc': {
    tag: 'Money',
    summary: 'Withdraws money',
    results: [
      ...[Result.InsufficientBalance, Result.WithdrawalDestinationInactive],
      ...[Result.WithdrawalDestinationModeUnsupported, Result.WithdrawalPreflightUnavailable],
      ...[Result.WithdrawalSourceUnavailable],
    ],
    body: { account: exampleWallet, destination: otherWallet, amount: '25' },
  },
  'POST /margin-mode': {
    tag: 'Account',
    summary: 'Sets the margin model of the wallet',
    results: [Result.MarginModeUnavailable],
    body: { margin_mode: 'portfolio' },
  },
  'POST /self-trade-prevention': {
    tag: 'Account',
    summary: 'Sets the self-trade prevention mode',
    body: { mode: 'cancel_maker' },
  },
  'POST /cancel-all': {
    tag: 'Orders',
    summary: 'Cancels all working orders, requests and quotes of a scope in one step',
    results: notFound,
    body: { scope: 'all' },
  },
  'POST /dead-man': {
    tag: 'Orders',
    summary:
      'Sets a timer that cancels them when the wallet is inactive for so long; 0 ends the timer',
    body: { timeout_ms: 60_000 },
  },
  'POST /user-tier': {
    tag: 'Account',
    summary: 'Sets the tier of a wallet; signed by the operator',
    body: { tier: 'tier2' },
  },
  'POST /mmp-config': {
    tag: 'Account',
    summary: 'Sets a market-maker protection',
    body: { ...mmp, interval_ms: 1000, frozen_time_ms: 5000, qty_limit: '10' },
  },
  'DELETE /mmp-config': {
    tag: 'Account',
    summary: 'Removes a market-maker protection',
    results: notFound,
    body: mmp,
  },
  'POST /mmp-config/reset': {
    tag: 'Account',
    summary: 'Resets the sums and the freeze of a market-maker protection',
    results: notFound,
    body: mmp,
  },
  'POST /approve-agent': {
    tag: 'Account',
    summary: 'Approves an agent, which may sign for the signing wallet',
    body: { agent: otherWallet },
  },
  'DELETE /revoke-agent': {
    tag: 'Account',
    summary: 'Revokes an agent',
    body: { agent: otherWallet },
  },
  'DELETE /revoke-all-agents': { tag: 'Account', summary: 'Revokes all agents', body: {} },
  'POST /submitUsernameRequest': {
    tag: 'Account',
    summary: 'Requests a name for the wallet',
    body: { requested_username: 'trader_one' },
  },
  'POST /settlement-payouts/seen': {
    tag: 'Account',
    summary: 'Marks payouts as seen',
    body: { ids: [1, 2], seen: true },
  },
  'POST /push/subscribe': {
    tag: 'Push',
    summary: 'Subscribes a browser to notifications',
    body: { subscription: pushTarget },
  },
  'POST /push/unsubscribe': {
    tag: 'Push',
    summary: 'Unsubscribes a browser',
    body: { endpoint: pushTarget.endpoint },
  },
  'POST /push/preferences': {
    tag: 'Push',
    summary: 'Sets the notifications of a wallet',
    body: { fills: true, liquidations: false },
  },
  'POST /referrals/code': {
    tag: 'Referrals',
    summary: 'Registers a referral code, permanently',
    body: { code: 'DESK-1' },
  },
  'POST /referrals/set-referrer': {
    tag: 'Referrals',
    summary: 'Sets the referrer of the wallet, permanently',
    results: notFound,
    body: { code: 'DESK-1', referrer: otherWallet },
  },
  'POST /liquidation/standard-margin': {
    tag: 'Account',
    summary: 'Bids for a wallet in auction; copy all terms from GET /liquidation/status',
    results: [Result.InsufficientBalance],
    body: {
      ...{ liquidated_wallet: otherWallet, request_id: exampleId, auction_id: '1' },
      ...{ bid_usdc: '100', portfolio_hash: exampleHash, auction_terms_hash: exampleHash },
      ...{ bid_intent_hash: 'intent-1', auction_version: 1, valuation_timestamp_ms: 1 },
      positions: [{ symbol: exampleSymbol, quantity: '1', entry_price: '1250' }],
    },
  },
}
