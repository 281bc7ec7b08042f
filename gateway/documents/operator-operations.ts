import { exampleSymbol, exampleWallet } from './example-names.js'

/** Groups of operations, with their descriptions. */
export const operatorTagWords = {
  Health: 'Health and figures of the venue',
  Documents: 'Documents and pages of this port',
  Accounts: 'Money, tiers and roles of wallets',
  Market: 'Instruments, and the prices that they follow',
  Audit: 'Actions of operators, and requests that wait for approval',
  Venue: 'Halts of the market and of wallets, clock, insurance fund, competitions',
} as const

/** Description of an operation, in addition to the tables of requests. */
export interface OperatorNote {
  readonly tag: keyof typeof operatorTagWords
  readonly summary: string
  /** Body of a write, as a client sends it. */
  readonly body?: Readonly<Record<string, unknown>>
}

const tier = { wallet: exampleWallet, tier: 'tier1' }

/** By method and path. A path that ends in a slash is followed by a parameter. */
export const operatorNotes: Readonly<Record<string, OperatorNote>> = {
  'GET /livez': {
    tag: 'Health',
    summary:
      '503 while a thread is silent, the clock is in alarm, or a broken invariant halts the market; stopped wallets leave it at 200',
  },
  'GET /readyz': { tag: 'Health', summary: 'Readiness for requests; 503 while not ready' },
  'GET /metrics': { tag: 'Health', summary: 'Figures of the venue, for Prometheus' },
  'GET /metrics/detail': { tag: 'Health', summary: 'Figures of each instrument' },
  'GET /openapi.json': { tag: 'Documents', summary: 'This document' },
  'GET /docs': {
    tag: 'Documents',
    summary: 'This document as a page with a form for each operation',
  },
  'GET /docs/': { tag: 'Documents', summary: 'Parts of that page' },
  'GET /app': { tag: 'Documents', summary: "Operator's page" },
  'GET /app/': { tag: 'Documents', summary: 'Parts of that page' },
  'GET /operator/identity': {
    tag: 'Audit',
    summary: 'Identity and scopes of the token; any token may ask',
  },
  'GET /operator/quote-providers': {
    tag: 'Accounts',
    summary: 'Wallets that were ever registered as quote providers, their status and open sessions',
  },
  'GET /operator/state': {
    tag: 'Health',
    summary: 'Threads, sequences, rings, journal, state hash, clock, funds',
  },
  'GET /operator/liquidations': {
    tag: 'Accounts',
    summary:
      'Wallets in liquidation, or whose check waits for a mark, the most advanced first, as of their latest change',
  },
  'GET /operator/usernames': {
    tag: 'Accounts',
    summary: 'Names that wait for approval, the longest wait first',
  },
  'GET /operator/audit': {
    tag: 'Audit',
    summary: 'Actions of operators, failed ones included, the newest first',
  },
  'GET /operator/approvals': {
    tag: 'Audit',
    summary: 'Requests of the scope `money` that wait for another identity',
  },
  'POST /operator/approvals': {
    tag: 'Audit',
    summary: 'Approves such a request as another identity, or rejects it',
    body: { approval_id: '6f1c3f0e-8f0f-4d57-9b1c-2a4be2f0a001', verdict: 'approved' },
  },
  'POST /operator/deposits': {
    tag: 'Accounts',
    summary: 'Credits a wallet, once per id; the first deposit opens its account',
    body: { wallet: exampleWallet, amount: '100000', deposit_id: 'wire-1' },
  },
  'POST /operator/insurance-fund': {
    tag: 'Venue',
    summary: 'Credits the insurance fund, once per id',
    body: { amount: '1000', deposit_id: 'fund-1' },
  },
  'POST /operator/instruments': {
    tag: 'Market',
    summary: 'Lists an option or a perp',
    body: { symbol: exampleSymbol, trading_mode: 'both' },
  },
  'DELETE /operator/instruments': {
    tag: 'Market',
    summary: 'Delists an instrument without positions and orders',
    body: { symbol: exampleSymbol },
  },
  'POST /operator/index-prices': {
    tag: 'Market',
    summary: 'Sets index prices, observed now unless a time is given',
    body: { prices: [{ underlying: 'BTC', price: '100000' }] },
  },
  'POST /operator/vol-surfaces': {
    tag: 'Market',
    summary: 'Sets the volatility of an expiry, as points or as SVI parameters',
    body: {
      ...{ underlying: 'BTC', expiry: '2030-12-27' },
      points: [
        { strike: 90_000, iv: 0.6 },
        { strike: 110_000, iv: 0.55 },
      ],
    },
  },
  'POST /operator/settlement-prices': {
    tag: 'Market',
    summary: 'Sets the settlement price of an expiry without sound observations',
    body: { underlying: 'BTC', expiry: '2030-12-27', price: '100000' },
  },
  'POST /operator/max-index': {
    tag: 'Market',
    summary: 'Raises the highest index that the venue accepts',
    body: { underlying: 'BTC', max_index: '2000000' },
  },
  'POST /operator/halts': {
    tag: 'Venue',
    summary: 'Halts or opens an underlying, or everything with scope `all`',
    body: { underlying: 'BTC', mode: 'open' },
  },
  'POST /operator/wallet-halts': {
    tag: 'Venue',
    summary: 'Resumes a wallet that the engine has stopped for a broken invariant of its margin',
    body: { wallet: exampleWallet, mode: 'open' },
  },
  'POST /operator/clock': {
    tag: 'Venue',
    summary: 'Selects the time to continue with after a step of the clock',
    body: { accept: 'engine' },
  },
  'POST /operator/tiers': { tag: 'Accounts', summary: 'Sets the tier of a wallet', body: tier },
  'POST /user-tier': {
    tag: 'Accounts',
    summary: 'The same by its public path, for clients that only change the port',
    body: tier,
  },
  'POST /operator/builders': {
    tag: 'Accounts',
    summary: 'Lists or delists a builder, which earns by orders that name it',
    body: { builder: exampleWallet, status: 'active' },
  },
  'POST /operator/quote-providers': {
    tag: 'Accounts',
    summary: 'Registers or suspends a quote provider',
    body: { wallet: exampleWallet, status: 'active' },
  },
  'POST /operator/usernames': {
    tag: 'Accounts',
    summary: 'Approves or rejects the name that a wallet requested',
    body: { wallet: exampleWallet, verdict: 'approved', username: 'desk_one' },
  },
  'POST /operator/competitions': {
    tag: 'Venue',
    summary: 'Creates a competition, or changes one',
    body: {
      ...{ name: 'First week', win_conditions: ['pnl', 'volume'] },
      ...{ start_ts_ms: 1_924_560_000_000, end_ts_ms: 1_925_164_800_000 },
      ...{ description: 'Paper money', rules_url: 'https://example.org/rules' },
    },
  },
  'POST /operator/withdrawals': {
    tag: 'Accounts',
    summary: 'Reports the result of a withdrawal that the rail gave up',
    body: { directive_id: '6f1c3f0e-8f0f-4d57-9b1c-2a4be2f0a001', verdict: 'returned' },
  },
}
