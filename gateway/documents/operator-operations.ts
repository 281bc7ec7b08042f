import { exampleSymbol, exampleWallet } from './operations.js'

/** What operations are grouped by, with what each group is. */
export const operatorTagWords = {
  Health: 'How the venue stands',
  Documents: 'What is served here',
  Accounts: 'Money, tiers and roles of wallets',
  Market: 'Instruments, and the prices that they follow',
  Audit: 'What operators did, and what waits for a second word',
  Venue: 'What holds for all: halts, clock, insurance fund, competitions',
} as const

/** What the operator's document says of an operation beside what the tables have. */
export interface OperatorNote {
  readonly tag: keyof typeof operatorTagWords
  readonly summary: string
  /** Body of a write, as a client sends it. */
  readonly body?: Readonly<Record<string, unknown>>
}

const tier = { wallet: exampleWallet, tier: 'tier1' }

/** By method and path; a path that ends in a slash has its last part behind it. */
export const operatorNotes: Readonly<Record<string, OperatorNote>> = {
  'GET /livez': {
    tag: 'Health',
    summary: 'Whether every thread is at work, the clock believed and every invariant holds',
  },
  'GET /readyz': { tag: 'Health', summary: 'Whether requests are taken; 503 while they are not' },
  'GET /metrics': { tag: 'Health', summary: 'Figures of the venue, for Prometheus' },
  'GET /metrics/detail': { tag: 'Health', summary: 'Figures of each instrument' },
  'GET /openapi.json': { tag: 'Documents', summary: 'This document' },
  'GET /docs': { tag: 'Documents', summary: 'This document as a page, to be read and tried' },
  'GET /docs/': { tag: 'Documents', summary: 'Parts of that page' },
  'GET /app': { tag: 'Documents', summary: 'The page to look at and run a venue by' },
  'GET /app/': { tag: 'Documents', summary: 'Parts of that page' },
  'GET /operator/identity': {
    tag: 'Audit',
    summary: 'Whose token it is, and its scopes; any token may ask',
  },
  'GET /operator/quote-providers': {
    tag: 'Accounts',
    summary: 'Wallets that were ever let quote, whether they may, and their open sessions',
  },
  'GET /operator/state': {
    tag: 'Health',
    summary: 'Threads, sequences, rings, journal, state hash, clock, funds',
  },
  'GET /operator/liquidations': {
    tag: 'Accounts',
    summary:
      'Wallets in liquidation, or whose check waits for a mark, the furthest first; judged as of their latest change',
  },
  'GET /operator/usernames': {
    tag: 'Accounts',
    summary: 'Names that wait for the operator, the longest wait first',
  },
  'GET /operator/audit': {
    tag: 'Audit',
    summary: 'What operators did and were refused, the newest first',
  },
  'GET /operator/approvals': {
    tag: 'Audit',
    summary: 'Requests for money that wait for another identity',
  },
  'POST /operator/approvals': {
    tag: 'Audit',
    summary: 'Approves such a request as another identity, or rejects it',
    body: { approval_id: '6f1c3f0e-8f0f-4d57-9b1c-2a4be2f0a001', verdict: 'approved' },
  },
  'POST /operator/deposits': {
    tag: 'Accounts',
    summary: 'Credits a wallet, once for an id; the first one opens its account',
    body: { wallet: exampleWallet, amount: '100000', deposit_id: 'wire-1' },
  },
  'POST /operator/insurance-fund': {
    tag: 'Venue',
    summary: 'Credits the insurance fund, once for an id',
    body: { amount: '1000', deposit_id: 'fund-1' },
  },
  'POST /operator/instruments': {
    tag: 'Market',
    summary: 'Lists an option or a perp',
    body: { symbol: exampleSymbol, trading_mode: 'both' },
  },
  'DELETE /operator/instruments': {
    tag: 'Market',
    summary: 'Takes an instrument from the list that nobody holds and no order is in',
    body: { symbol: exampleSymbol },
  },
  'POST /operator/index-prices': {
    tag: 'Market',
    summary: 'Tells index prices, as observed now unless a time is given',
    body: { prices: [{ underlying: 'BTC', price: '100000' }] },
  },
  'POST /operator/vol-surfaces': {
    tag: 'Market',
    summary: 'Tells the volatility of an expiry, by points or as SVI parameters',
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
    summary: 'Tells the price at which an expiry settles that has no sound observations',
    body: { underlying: 'BTC', expiry: '2030-12-27', price: '100000' },
  },
  'POST /operator/max-index': {
    tag: 'Market',
    summary: 'Raises what an index may rise to',
    body: { underlying: 'BTC', max_index: '2000000' },
  },
  'POST /operator/halts': {
    tag: 'Venue',
    summary: 'Halts an underlying or, with scope `all`, everything; or opens it',
    body: { underlying: 'BTC', mode: 'open' },
  },
  'POST /operator/wallet-halts': {
    tag: 'Venue',
    summary: 'Resumes a wallet that the engine has stopped for a broken invariant of its margin',
    body: { wallet: exampleWallet, mode: 'open' },
  },
  'POST /operator/clock': {
    tag: 'Venue',
    summary: 'Says what holds after a step of the clock',
    body: { accept: 'engine' },
  },
  'POST /operator/tiers': { tag: 'Accounts', summary: 'Puts a wallet into a tier', body: tier },
  'POST /user-tier': {
    tag: 'Accounts',
    summary: 'The same by its public path, for clients that only change the port',
    body: tier,
  },
  'POST /operator/builders': {
    tag: 'Accounts',
    summary: 'Lists a builder, who earns by the orders that name it, or no longer',
    body: { builder: exampleWallet, status: 'active' },
  },
  'POST /operator/quote-providers': {
    tag: 'Accounts',
    summary: 'Lets a wallet quote, or no longer',
    body: { wallet: exampleWallet, status: 'active' },
  },
  'POST /operator/usernames': {
    tag: 'Accounts',
    summary: 'Judges the name that a wallet asks for',
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
    summary: 'Says what became of a withdrawal that the rail has given up',
    body: { directive_id: '6f1c3f0e-8f0f-4d57-9b1c-2a4be2f0a001', verdict: 'returned' },
  },
}
