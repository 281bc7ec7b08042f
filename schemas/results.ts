import { ReferralResult, referralResultRows } from './referral-results.js'
import { failed, failedWith, type ResultDetail, type ResultRow, rejected } from './result-row.js'
import { RfqResult, rfqResultRows } from './rfq-results.js'

/**
 * All results, by layer: -1xxx gateway, -2xxx account and risk, -3xxx book and instrument. Numbers cross the rings;
 * code, HTTP status and text are looked up once, at the edge. A trading rejection is HTTP 200 with status `REJECTED`;
 * rows with another status are HTTP errors. Results that only explain a `CANCELED` order are included.
 */
export const Result = {
  Accepted: 0,
  InvalidRequest: -1001,
  InvalidJson: -1002,
  MissingField: -1003,
  InvalidWallet: -1004,
  InvalidParameter: -1005,
  InvalidField: -1006,
  SignatureFailed: -1007,
  UnsupportedEndpoint: -1008,
  Unauthorized: -1009,
  LimitExceeded: -1010,
  MarginModeUnavailable: -1011,
  NotFound: -1012,
  MethodNotAllowed: -1013,
  Conflict: -1014,
  PayloadTooLarge: -1015,
  InsufficientBalance: -1016,
  RateLimitExceeded: -1017,
  InternalError: -1018,
  EngineBusy: -1019,
  SigningDisabled: -1020,
  NotReady: -1021,
  WithdrawalDestinationInactive: -1022,
  WithdrawalDestinationModeUnsupported: -1023,
  WithdrawalPreflightUnavailable: -1024,
  WithdrawalSourceUnavailable: -1025,
  NoAccount: -1026,
  ResumeUnavailable: -1027,
  NonceUsed: -2001,
  NoFunds: -2002,
  InsufficientMargin: -2003,
  NoMarkPrice: -2004,
  NakedShortCalls: -2005,
  NakedShortPuts: -2006,
  InsufficientCash: -2007,
  NoSpotPrice: -2008,
  TierLongOnly: -2009,
  AccountInLiquidation: -2010,
  ReduceOnly: -2011,
  MmpFrozen: -2012,
  MarginNotMet: -2013,
  OutsidePriceBand: -2014,
  WalletStopped: -2015,
  WalletClosed: -2016,
  ValueLimit: -2031,
  SizeLimit: -2032,
  PriceLimit: -2033,
  BookLimit: -2034,
  PositionsLimit: -2035,
  InstrumentExpired: -3001,
  InvalidSymbol: -3002,
  SymbolUnparseable: -3003,
  OrderbookNotFound: -3004,
  ClientIdNotFound: -3005,
  OrderNotFound: -3006,
  OrderNotInBook: -3007,
  OrderAlreadyFilled: -3008,
  OrderAlreadyCanceled: -3009,
  PerpMissingUnderlying: -3010,
  DuplicateClientId: -3011,
  RouteNotSupported: -3012,
  PostOnlyWouldTrade: -3013,
  TradingHalted: -3014,
  CancelOnly: -3015,
  SelfTrade: -3016,
  IocRemainder: -3017,
  FokNotFilled: -3018,
  Replaced: -3019,
  InstrumentDelisted: -3020,
  MmpTriggered: -3021,
  MmpCanceled: -3022,
  CanceledOnRequest: -3023,
  PositionsOpen: -3024,
  NotExpired: -3031,
  PriceKnown: -3032,
  PendingSettlement: -3033,
  ObservationAhead: -3034,
  ActionExpired: -3035,
  VenueHalted: -3036,
  UnknownProvider: -3037,
  ProviderSuspended: -3038,
  IndexLimit: -3041,
  MaxIndexLimit: -3042,
  MaxIndexLowered: -3043,
  DepositLimit: -3044,
  FundLimit: -3045,
  DepositKnown: -3046,
  FundingKnown: -3047,
  AmountNotPositive: -3048,
  ValueRefused: -3049,
  CanceledWithAll: -3074,
  DeadManFired: -3075,
  Disconnected: -3076,
  WithdrawalTooSmall: -3080,
  WithdrawalsPending: -3081,
  NotWithdrawable: -3082,
  WithdrawalsMicros: -3083,
  WithdrawalUnderWay: -3084,
  WithdrawalEnded: -3085,
  UsernameTaken: -3086,
  UsernameReserved: -3087,
  ...RfqResult,
  ...ReferralResult,
} as const
export type Result = (typeof Result)[keyof typeof Result]

const margin = [
  'required',
  'equity',
  'shortfall',
  'consumed_im',
  'incremental_im',
  'consumed_mm',
  'incremental_mm',
].map((name): ResultDetail => ({ name, unit: 'micros' }))

const nakedShort: readonly ResultDetail[] = [
  { name: 'underlying', unit: 'underlying' },
  { name: 'expiry', unit: 'int' },
]

/** Amount in use, and the bound that it must stay below. */
const limit = (unit: 'micros' | 'lots'): readonly ResultDetail[] => [
  { name: 'used', unit },
  { name: 'bound', unit },
]

export const resultRows: Record<Result, ResultRow> = {
  ...rfqResultRows,
  ...referralResultRows,
  [Result.Accepted]: { code: null, http: 200, retry: false, text: '' },
  [Result.InvalidRequest]: failed('invalid_request', 400, 'The request body is unreadable'),
  [Result.InvalidJson]: failed('invalid_json', 400, 'Invalid JSON'),
  [Result.MissingField]: failed('missing_field', 400, 'Missing field: {name}'),
  [Result.InvalidWallet]: failed('invalid_wallet', 400, 'Invalid wallet: {text}'),
  [Result.InvalidParameter]: failed('invalid_parameter', 400, 'Invalid {name}: {detail}'),
  [Result.InvalidField]: failed('invalid_field', 400, 'Invalid {name}: {detail}'),
  [Result.SignatureFailed]: failed(
    'signature_verification_failed',
    400,
    'Signature verification failed',
  ),
  [Result.UnsupportedEndpoint]: failed('unsupported_endpoint', 400, 'Endpoint not supported'),
  [Result.Unauthorized]: failed('unauthorized', 401, 'Signer is not authorized for this wallet'),
  [Result.LimitExceeded]: failed('limit_exceeded', 403, 'Limit exceeded'),
  [Result.MarginModeUnavailable]: failed(
    'margin_mode_unavailable',
    403,
    'This margin mode is not available on this venue',
  ),
  [Result.NotFound]: failed('not_found', 404, 'Not found'),
  [Result.MethodNotAllowed]: failed('method_not_allowed', 405, 'Method not allowed'),
  [Result.Conflict]: failed('conflict', 409, 'Conflict'),
  [Result.PayloadTooLarge]: failed('payload_too_large', 413, 'The request body is too large'),
  [Result.InsufficientBalance]: failed('insufficient_balance', 422, 'Insufficient balance'),
  [Result.RateLimitExceeded]: failed('rate_limit_exceeded', 429, 'Rate limit exceeded', true),
  [Result.InternalError]: failed('internal_error', 500, 'Internal error', true),
  [Result.EngineBusy]: failed('engine_busy', 503, 'The engine is busy; nothing was done', true),
  [Result.SigningDisabled]: failed(
    'signing_disabled',
    503,
    'Signed writes are disabled on this venue',
  ),
  [Result.NotReady]: failed('not_ready', 503, 'The venue is not ready', true),
  [Result.WithdrawalDestinationInactive]: failed(
    'withdrawal_destination_inactive',
    422,
    'The destination is not activated',
  ),
  [Result.WithdrawalDestinationModeUnsupported]: failed(
    'withdrawal_destination_mode_unsupported',
    422,
    'The transfer mode of the destination is not supported',
  ),
  [Result.WithdrawalPreflightUnavailable]: failed(
    'withdrawal_preflight_unavailable',
    503,
    'The check of the destination is temporarily unavailable',
    true,
  ),
  [Result.WithdrawalSourceUnavailable]: failed(
    'withdrawal_source_unavailable',
    503,
    'The sending account or route is temporarily unavailable',
    true,
  ),
  [Result.NoAccount]: failed('no_account', 403, 'Wallet has no account. Please deposit first.'),
  [Result.ResumeUnavailable]: failed(
    'resume_unavailable',
    410,
    'The venue no longer has all events after this sequence',
  ),
  [Result.NonceUsed]: rejected('nonce_used', 'Nonce {nonce} already used'),
  [Result.NoFunds]: rejected('no_funds', 'Account has no funds. Please deposit before trading.'),
  [Result.InsufficientMargin]: rejected(
    'insufficient_margin',
    'Insufficient margin: required={required}, equity={equity}, shortfall={shortfall}, consumed_im={consumed_im}, ' +
      'incremental_im={incremental_im}, consumed_mm={consumed_mm}, incremental_mm={incremental_mm}',
    [...margin, { name: 'scenario', unit: 'scenario' }, { name: 'bound_by', unit: 'bound' }],
  ),
  [Result.NoMarkPrice]: rejected(
    'insufficient_margin',
    'Insufficient margin: no mark price available for instrument: {symbol}',
    [{ name: 'symbol', unit: 'instrument' }],
  ),
  [Result.NakedShortCalls]: rejected(
    'insufficient_margin',
    'Insufficient margin: naked short calls are not allowed for {underlying} {expiry}',
    nakedShort,
  ),
  [Result.NakedShortPuts]: rejected(
    'insufficient_margin',
    'Insufficient margin: naked short puts are not allowed for {underlying} {expiry}',
    nakedShort,
  ),
  [Result.InsufficientCash]: rejected(
    'insufficient_cash',
    'Insufficient cash (Standard): needed={needed}, available={available}',
    [
      { name: 'needed', unit: 'micros' },
      { name: 'available', unit: 'micros' },
    ],
  ),
  [Result.NoSpotPrice]: rejected(
    'no_spot_price',
    'Failed to get portfolio: No spot price available for underlying: {underlying}',
    [{ name: 'underlying', unit: 'underlying' }],
  ),
  [Result.TierLongOnly]: rejected(
    'tier_long_only',
    'Tier1 users cannot go short. Long position {long_position}, working sells {working_sells}, ' +
      'order size {order_size}',
    [
      { name: 'long_position', unit: 'lots' },
      { name: 'working_sells', unit: 'lots' },
      { name: 'order_size', unit: 'lots' },
    ],
  ),
  [Result.AccountInLiquidation]: rejected('account_in_liquidation', 'Account is in liquidation'),
  [Result.ReduceOnly]: rejected('reduce_only', 'Reduce-only order would increase the position'),
  [Result.MmpFrozen]: rejected('mmp_frozen', 'MMP is frozen for {underlying} until {until}', [
    { name: 'underlying', unit: 'underlying' },
    { name: 'until', unit: 'until' },
  ]),
  [Result.MarginNotMet]: {
    code: 'conflict',
    http: 409,
    retry: false,
    text:
      'Insufficient initial margin in this margin mode: required={required}, equity={equity}, ' +
      'shortfall={shortfall}',
    details: margin.slice(0, 3),
  },
  [Result.OutsidePriceBand]: rejected('price_band', 'Price outside band: {lower} to {upper}', [
    { name: 'lower', unit: 'micros' },
    { name: 'upper', unit: 'micros' },
  ]),
  [Result.WalletStopped]: rejected('trading_halted', 'Trading is halted for this wallet'),
  // Applies to writes other than orders and RFQs.
  [Result.WalletClosed]: failed('conflict', 409, 'Trading is halted for this wallet'),
  [Result.ValueLimit]: rejected(
    'limit_exceeded',
    'Limit exceeded: the order costs {cost} (price times size), and the wallet has {cash} in cash. Cash, positions and ' +
      'working orders, each contract at its maximum value, total {used} now and must stay below {bound}',
    [...limit('micros'), { name: 'cost', unit: 'micros' }, { name: 'cash', unit: 'micros' }],
  ),
  [Result.SizeLimit]: rejected(
    'limit_exceeded',
    'Limit exceeded: positions and working orders must stay below {bound} contracts',
    [{ name: 'bound', unit: 'lots' }],
  ),
  [Result.PriceLimit]: rejected(
    'limit_exceeded',
    'Limit exceeded: the price is above {bound}, the maximum value of a contract of this instrument',
    [{ name: 'bound', unit: 'micros' }],
  ),
  [Result.BookLimit]: rejected(
    'limit_exceeded',
    'Limit exceeded: working orders of this instrument must stay below {bound} contracts',
    [{ name: 'bound', unit: 'lots' }],
  ),
  [Result.PositionsLimit]: rejected(
    'limit_exceeded',
    'Limit exceeded: at most {bound} positions are allowed',
    [{ name: 'bound', unit: 'int' }],
  ),
  [Result.InstrumentExpired]: rejected('instrument_expired', 'Instrument has expired'),
  [Result.InvalidSymbol]: rejected('invalid_symbol', 'Invalid symbol: {symbol}'),
  [Result.SymbolUnparseable]: rejected('symbol_unparseable', 'Failed to parse symbol: {detail}'),
  [Result.OrderbookNotFound]: rejected(
    'orderbook_not_found',
    'Orderbook not found for symbol: {symbol}',
  ),
  [Result.ClientIdNotFound]: rejected(
    'order_not_found',
    'Order not found for cancellation: {client_id}',
  ),
  [Result.OrderNotFound]: rejected('order_not_found', 'Order {order_id} not found'),
  [Result.OrderNotInBook]: rejected(
    'order_not_found',
    'Order {order_id} not found in orderbook {symbol}',
  ),
  [Result.OrderAlreadyFilled]: rejected(
    'order_already_filled',
    'Order {order_id} is already filled and cannot be cancelled',
  ),
  [Result.OrderAlreadyCanceled]: rejected(
    'order_already_canceled',
    'Order {order_id} was already cancelled',
  ),
  [Result.PerpMissingUnderlying]: rejected(
    'perp_missing_underlying',
    'Perp order missing underlying symbol',
  ),
  [Result.DuplicateClientId]: rejected('duplicate_client_id', 'Duplicate client id: {client_id}'),
  [Result.RouteNotSupported]: rejected(
    'route_not_supported',
    'Route {route} is not supported here',
    [{ name: 'route', unit: 'route' }],
  ),
  [Result.PostOnlyWouldTrade]: rejected('post_only_would_trade', 'Post-only order would trade'),
  [Result.TradingHalted]: rejected('trading_halted', 'Trading is halted for {underlying}'),
  [Result.CancelOnly]: rejected('trading_halted', 'Only cancels are accepted for {underlying}'),
  [Result.SelfTrade]: rejected('self_trade_prevention', 'Self-trade prevention'),
  [Result.IocRemainder]: rejected('ioc_remainder', 'Immediate-or-cancel remainder cancelled'),
  [Result.FokNotFilled]: rejected('fok_not_filled', 'Fill-or-kill order could not be filled'),
  [Result.Replaced]: rejected('replaced', 'Order replaced'),
  [Result.InstrumentDelisted]: rejected('instrument_delisted', 'Instrument was delisted'),
  [Result.MmpTriggered]: rejected('mmp_triggered', 'MMP triggered during fill processing'),
  [Result.MmpCanceled]: rejected('mmp_canceled', 'Order canceled by MMP trigger'),
  [Result.CanceledWithAll]: rejected('cancel_all', 'Cancelled by cancel-all'),
  [Result.DeadManFired]: rejected('dead_man', 'Cancelled by the dead-man timer'),
  [Result.Disconnected]: rejected('cancel_on_disconnect', 'Cancelled on disconnect'),
  [Result.CanceledOnRequest]: { code: null, http: 200, retry: false, text: '' },
  [Result.PositionsOpen]: failed('conflict', 409, 'Conflict: the instrument has open positions'),
  [Result.NotExpired]: failed('conflict', 409, 'Conflict: the options have not expired yet'),
  [Result.PriceKnown]: failed('conflict', 409, 'Conflict: another settlement price is already set'),
  [Result.ObservationAhead]: failed(
    'invalid_field',
    400,
    'Invalid timestamp: the observation is later than engine time',
  ),
  [Result.ActionExpired]: failed(
    'invalid_field',
    400,
    'Invalid expiresAfter: must be in the future',
  ),
  // Applies to requests other than orders. The text of an order names the underlying.
  [Result.VenueHalted]: failed('trading_halted', 503, 'Trading is halted', true),
  [Result.UnknownProvider]: failed('unauthorized', 401, 'unknown quote provider'),
  [Result.ProviderSuspended]: failed('unauthorized', 401, 'quote provider suspended'),
  [Result.IndexLimit]: failedWith(
    'limit_exceeded',
    403,
    'Limit exceeded: the index price of {underlying} is above its maximum, {bound}',
    [
      { name: 'entry', unit: 'int' },
      { name: 'bound', unit: 'micros' },
    ],
  ),
  [Result.MaxIndexLimit]: failed(
    'conflict',
    409,
    'Conflict: max_index is too high; at this price, amounts of existing positions and orders would exceed the ' +
      'exact range',
  ),
  [Result.MaxIndexLowered]: failedWith(
    'conflict',
    409,
    'Conflict: max_index can only be raised; it is {bound} now',
    [{ name: 'bound', unit: 'micros' }],
  ),
  [Result.ValueRefused]: failed(
    'invalid_field',
    400,
    'A value is outside the range that the engine accepts',
  ),
  [Result.AmountNotPositive]: failed(
    'invalid_field',
    400,
    'Invalid amount: must be greater than 0',
  ),
  [Result.DepositLimit]: failedWith(
    'invalid_field',
    400,
    'Invalid amount: at most {bound} is allowed for the total of cash, positions and working orders at their maximum ' +
      'values, and for the total of deposits; the wallet has {used} now',
    limit('micros'),
  ),
  [Result.FundLimit]: failedWith(
    'invalid_field',
    400,
    'Invalid amount: at most {bound} is allowed for the insurance fund and for the total of its deposits; it has {used} now',
    limit('micros'),
  ),
  [Result.DepositKnown]: failedWith(
    'conflict',
    409,
    'Conflict: deposit_id belongs to a deposit of {amount} to {wallet}',
    [{ name: 'amount', unit: 'micros' }],
  ),
  [Result.FundingKnown]: failedWith(
    'conflict',
    409,
    'Conflict: deposit_id belongs to a deposit of {amount} to the insurance fund',
    [{ name: 'amount', unit: 'micros' }],
  ),
  [Result.PendingSettlement]: failed(
    'conflict',
    409,
    'MARKET_PENDING_SETTLEMENT: positions await the settlement price',
  ),
  [Result.WithdrawalTooSmall]: failedWith(
    'invalid_field',
    400,
    'Invalid amount: must be at least {bound}',
    [{ name: 'bound', unit: 'micros' }],
  ),
  [Result.WithdrawalsPending]: failedWith(
    'limit_exceeded',
    403,
    'Limit exceeded: {bound} withdrawals are already pending, the maximum',
    [{ name: 'bound', unit: 'int' }],
  ),
  [Result.NotWithdrawable]: failedWith(
    'insufficient_balance',
    422,
    'Insufficient balance: at most {withdrawable} can be withdrawn',
    [{ name: 'withdrawable', unit: 'micros' }],
  ),
  [Result.WithdrawalsMicros]: failedWith(
    'limit_exceeded',
    403,
    'Limit exceeded: pending withdrawals total {used}; with this one they would exceed {bound}',
    limit('micros'),
  ),
  [Result.WithdrawalUnderWay]: failed('conflict', 409, 'Conflict: the withdrawal is still pending'),
  [Result.UsernameTaken]: failed('conflict', 409, 'Conflict: the username is taken'),
  [Result.UsernameReserved]: failed('conflict', 409, 'Conflict: the username is reserved'),
  [Result.WithdrawalEnded]: failed(
    'conflict',
    409,
    'Conflict: the withdrawal has already ended with another result',
  ),
}

/** Returns true if the engine answers with an order status (HTTP 200 `REJECTED`) instead of an HTTP error. */
export function isRejection(result: Result): boolean {
  return result < 0 && resultRows[result].http === 200
}

const places = /\{(\w+)\}/g

/** Returns the names of the `{name}` placeholders in a row's text. */
export function placesOf(result: Result): readonly string[] {
  return [...resultRows[result].text.matchAll(places)].map(([, name]) => name!)
}

/**
 * Returns a row's text with its `{name}` placeholders filled. If a value is missing, which is a bug of the caller,
 * returns the code in words instead of a text with placeholders.
 */
export function resultText(result: Result, values: Readonly<Record<string, string>>): string {
  const { code, text } = resultRows[result]
  let isWhole = true
  const filled = text.replace(places, (place, name: string) => {
    const value = values[name]
    if (value === undefined) isWhole = false
    return value ?? place
  })
  if (isWhole) return filled
  const words = (code ?? '').replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** `details.cause` of an order that would open an uncovered short position. */
export const nakedShortCause = 'naked_short'

/** Binding rule of a failed margin check (`details.bound_by`), by the engine's number. */
export const marginBounds = [
  'scenario',
  'short_minimum',
  'option_floor',
  'max_loss',
  'premium',
  'perp',
  'exempt_orders',
] as const

/**
 * Indexes into the details of `InsufficientMargin`. Only `GET /orders/why` shows the scenario loss before its weight.
 */
export const marginDetails = { scenario: 7, bound: 8, scenarioLoss: 9 } as const

/** Results are above -4096, so a rejection's count is at its own number. */
export const rejectCountsLength = 4096

/** `details.scenario` is margin model × this + the scenario's index in the model's table; -1 for none. */
export const scenariosPerModel = 100
