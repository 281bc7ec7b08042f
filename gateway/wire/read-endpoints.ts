import { Envelope } from './answers.js'
import {
  address,
  competitionMetric,
  competitionState,
  cursor,
  digest,
  expiry,
  flag,
  ignored,
  integer,
  interval,
  kind,
  liquidationMode,
  liquidationState,
  marginMode,
  nonce,
  orderStatus,
  type Parameters,
  page,
  requiredText,
  rfqStatus,
  someOf,
  sortOrder,
  text,
  texts,
  transferCursor,
  underlying,
  wallet,
} from './parameters.js'

/** Who may ask for a read where private reads are signed. */
export const readerWords = {
  anybody: 'anybody',
  wallet: 'who has a session of the wallet that it names, and it has to name one',
  named: 'who has a session of the wallet that it names; without one, anybody',
  auctioned: 'who has a session of the wallet; while the wallet is in auction, anybody',
} as const
export type Reader = keyof typeof readerWords

/** A read of the public interface, under its method and path. */
export interface ReadEndpoint<P extends Parameters = Parameters> {
  readonly envelope: Envelope
  /** Its parameters, beside `min_seq`, which every read has. */
  readonly query: P
  /** Parameters of which exactly one of some groups is asked by. */
  readonly either?: readonly (readonly string[])[]
  /** Who may ask, where private reads are signed. */
  readonly reader: Reader
  /** Which of them says whose read it is: it counts for this wallet. */
  readonly walletParameter: 'wallet' | 'account'
  /** Which of them stands in the path, behind its last slash, and not in the query. */
  readonly pathParameter?: string
}

const { Bare, Success, Data } = Envelope
const listing = { kind, currency: text() }
const listPage = page(100, 50)
const theoRange = { interval, limit: integer(1, 100, 100) }
/** From the first millisecond up to the one before the last. */
const span = {
  from_ts_ms: integer(0, Number.MAX_SAFE_INTEGER, null),
  to_ts_ms: integer(0, Number.MAX_SAFE_INTEGER, null),
}
const historicalPnl = ofWallet(Data, { wallet, ...theoRange, include_attribution: flag(false) })
/** A read that tells data of one wallet. */
export const walletRead = ofWallet(Data, { wallet })

const competitionId = integer(1, Number.MAX_SAFE_INTEGER, null)
const leaderboard = read(Success, {
  competition_id: competitionId,
  sort_by: competitionMetric,
  sort_order: sortOrder,
  wallet: address,
  ...page(100, 50),
})

/** Answered by the read model. A row's place is the type of the records that ask for it. */
export const readModelEndpoints = {
  'GET /instruments': read(Bare, { ...listing, expired: flag(false) }),
  'GET /instrument-specs': read(Bare, { currency: text() }),
  'GET /markets': read(Success, { include_instruments: flag(true) }),
  'GET /orderbook': read(Bare, {
    instrument_id: requiredText('instrument_name', 'symbol'),
    depth: integer(1, 1000, 15),
  }),
  'GET /portfolio': walletRead,
  'GET /options-summary': read(Bare, {
    ...listing,
    expiry,
    include_rfq_provider_quotes: flag(false, 'rfq_provider_quotes'),
    rfq_provider_quotes_limit: integer(1, 100, 10, 'provider_quotes_limit', 'limit'),
  }),
  'GET /authorized-agents': ofWallet(Bare, { wallet }),
  'GET /user-tier': walletRead,
  'GET /username': ofWallet(Bare, { wallet }),
  // Of these two the history knows the rest.
  'GET /profile': walletRead,
  'GET /profile/realized-pnl': ofWallet(Data, {
    wallet,
    competition_id: integer(1, Number.MAX_SAFE_INTEGER, null),
    ...span,
  }),
  'GET /self-trade-prevention': walletRead,
  'GET /mmp-config': ofWallet(Data, { wallet, currency: text() }),
  // Working orders are never part of the grid.
  'GET /risk/grid': ofWallet(Data, { wallet, include_open_orders: ignored }),
  // Its parameters are a body, which is passed on as its text.
  'POST /risk/simulate/orders': ofWallet(Data, {}),
  'GET /liquidation/status': { ...walletRead, reader: 'auctioned' },
  'GET /competitions': read(Success, { state: competitionState, ...page(100, 50) }),
  'GET /competitions/': {
    ...read(Success, { competition_id: requiredText() }),
    pathParameter: 'competition_id',
  },
  'GET /leaderboard': leaderboard,
  'GET /competition-metric-ranks': ofWallet(Success, { wallet, competition_id: competitionId }),
  // Other names, as public clients have them.
  'GET /competition/summary': ofWallet(Success, { wallet }),
  'GET /competition/leaderboard': leaderboard,
  'GET /competition/account': ofWallet(Success, { wallet, competition_id: competitionId }),
  // Of a wallet it tells the tier.
  'GET /fees': { ...read(Bare, { wallet: address }), reader: 'named' },
} as const
export type ReadModelEndpoint = keyof typeof readModelEndpoints
export const readModelKeys = Object.keys(readModelEndpoints) as ReadModelEndpoint[]

/** Path of one trade, up to its id. */
export const tradePath = '/trades/'
/** Path of one request for quote, up to its id. */
export const rfqPath = '/rfq/'
/** Path of one referral code, up to its text. */
export const referralCodePath = '/referrals/code/'
/** Path of one directive, up to its id. */
export const directivePath = '/v1/directives/'

export const transferTypes = ['deposit', 'withdrawal', 'internal_transfer'] as const
export const transferStatuses = ['pending', 'completed', 'failed', 'manual_review'] as const

/** Answered from the history store, by a pool of query workers. */
export const historyEndpoints = {
  'GET /orders': ofWallet(Success, { wallet, status: orderStatus, ...page(50, 50) }),
  'GET /orders/status': ofWallet(Success, { wallet, order_id: requiredText() }),
  'GET /fills': ofWallet(Success, { wallet, ...listPage }),
  'GET /profile/trades': ofWallet(Success, { wallet, symbol: text(), ...span, ...listPage }),
  'GET /profile/historical-pnl': historicalPnl,
  'GET /historical-pnl': historicalPnl,
  'GET /settlement-payouts': ofWallet(Success, {
    wallet,
    symbol: text(),
    ledger_applied: flag(true),
    ...listPage,
  }),
  'GET /trades': {
    ...read(Success, {
      after_trade_id: integer(0, Number.MAX_SAFE_INTEGER, null),
      ...page(500, 100),
      option_id: text('symbol'),
      underlying,
      account: text(),
    }),
    walletParameter: 'account',
    reader: 'named',
  },
  [`GET ${tradePath}`]: read(Success, {}),
  'GET /historical-theos': read(Data, { instrument_name: requiredText(), ...theoRange }),
  'GET /historical-theos/batch': read(Data, { instrument_names: requiredText(), ...theoRange }),
  // As they are told to all; a wallet only chooses among them.
  'GET /liquidations': read(Success, {
    wallet: address,
    status: liquidationState,
    margin_mode: marginMode,
    liquidation_mode: liquidationMode,
    limit: listPage.limit,
    cursor,
  }),
  'GET /liquidation/history': ofWallet(Success, { wallet, ...listPage }),
  'GET /rfq': ofWallet(Bare, { wallet, status: rfqStatus, ...listPage }),
  [`GET ${rfqPath}`]: ofWallet(Bare, { wallet: address }),
  'GET /referrals/binding': ofWallet(Bare, { wallet }),
  'GET /referrals/code': ofWallet(Bare, { wallet }),
  [`GET ${referralCodePath}`]: read(Bare, {}),
  'GET /referrals/referred': ofWallet(Bare, { wallet, ...listPage }),
  'GET /v1/withdrawals': ofWallet(Bare, { wallet, limit: listPage.limit }),
  [`GET ${directivePath}`]: ofWallet(Bare, { wallet: address }),
  'GET /v1/transfers': ofWallet(Success, {
    wallet,
    transaction_type: someOf(transferTypes),
    asset: texts,
    status: someOf(transferStatuses),
    limit: listPage.limit,
    cursor: transferCursor,
  }),
} as const
export type HistoryEndpoint = keyof typeof historyEndpoints

/** Answered by the gateway, from what it knows, counts or asks the core. */
export const gatewayEndpoints = {
  'GET /exchange-info': read(Bare, {}),
  'GET /rate-limits': walletRead,
  'GET /actions/outcome': ofWallet(Data, { wallet, digest }),
  'GET /orders/why': {
    ...read(Data, {
      order_id: integer(1, Number.MAX_SAFE_INTEGER, null),
      wallet: address,
      nonce,
    }),
    either: [['order_id'], ['wallet', 'nonce']],
    // By its id an order is nobody's.
    reader: 'named',
  },
} as const
export type GatewayEndpoint = keyof typeof gatewayEndpoints

/** Answered by the gateway itself; none has parameters. */
export const serviceEndpoints = ['GET /', 'GET /health', 'GET /version', 'GET /ready'] as const
export type ServiceEndpoint = (typeof serviceEndpoints)[number]

/** Of any read. */
export type ReadKey = ReadModelEndpoint | HistoryEndpoint | GatewayEndpoint | ServiceEndpoint

/** Method and path of a key. */
export function endpointOf(key: string): readonly [method: string, path: string] {
  const end = key.indexOf(' ')
  return [key.slice(0, end), key.slice(end + 1)]
}

function read<P extends Parameters>(envelope: Envelope, query: P): ReadEndpoint<P> {
  return { envelope, query, reader: 'anybody', walletParameter: 'wallet' }
}

/** A read of what only its wallet may know, where such are signed. */
function ofWallet<P extends Parameters>(envelope: Envelope, query: P): ReadEndpoint<P> {
  return { ...read(envelope, query), reader: 'wallet' }
}
