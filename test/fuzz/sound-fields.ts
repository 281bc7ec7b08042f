import { owner, testSymbol } from '../support/gateway-rig.js'

// Per field of a signed write: a sound value first, then others that are sound or nearly so.

const signature = `0x${'00'.repeat(65)}`
const wallet = [
  owner.address,
  owner.address.toUpperCase(),
  `0x${owner.address.slice(2).toUpperCase()}`,
  `${owner.address}0`,
  owner.address.slice(0, -1),
  `0x${'0'.repeat(40)}`,
]
const nonce = [7, '7', '18446744073709551615', '18446744073709551616', '007', '-7', ' 7', 7.5]
const symbol = [
  testSymbol,
  'BTC-28JUN30-100000-C',
  'BTC-28Jun30-100000-C',
  'BTC-20300631-100000-C',
  'BTC-20300628-0100000.0-P',
  'BTC-20300628-1.0000001-P',
  'BTC-20300628-1000000001-P',
  'btc-20300628-100000-C',
  'BTC-PERP',
]
const decimals = ['1', '1.0', '0.00', '99999', '123456', '0.000001', '0.00000001', '1000000000']
const clientId = ['', 'mine', 'x'.repeat(64), 'x'.repeat(65), 'a\nb', 'é']

export const orderFields = {
  wallet,
  symbol,
  side: ['Buy', 'Sell', 'buy'],
  size: [...decimals, '100000', '100000.00000001'],
  price: [...decimals, '99999000', '1000000000.1', '0.0000010', '12345.6'],
  tif: ['gtc', 'ioc', 'fok', 'alo'],
  route: ['book_only', 'best_execution', 'rfq_only', 'rfq'],
  nonce,
  signature: [signature],
  client_id: clientId,
  reduce_only: [false, true, 'true'],
  mmp_enabled: [false, true, 1],
  builder_code_address: [owner.address, `0x${'0'.repeat(40)}`, '0x'],
}
export const orderId = [42, '42', '0042', '9007199254740991', '9007199254740992', -1, 1.5]
export const replaceFields = { ...orderFields, order_id: orderId }
export const cancelFields = {
  wallet,
  order_id: orderId,
  nonce,
  signature: [signature],
}
export const cancelBothFields = { ...cancelFields, client_id: [null, ...clientId] }
export const cancelByClientIdFields = {
  wallet,
  client_id: ['mine', ...clientId],
  nonce,
  signature: [signature],
}
export const agentFields = {
  wallet: [null, ...wallet],
  agent: wallet,
  nonce,
  signature: [signature],
}
export const selfTradeFields = {
  wallet,
  mode: ['cancel_maker', 'cancel_taker', 'cancel_both', 'none'],
  nonce,
  signature: [signature],
}
const currency = ['BTC', 'btc', '', 'B T', 'A'.repeat(16), 'A'.repeat(17), 'é']
export const mmpEndFields = {
  wallet,
  currency,
  nonce,
  signature: [signature],
}
const limit = [...decimals, null, '', '4503599627.370496', '4503599627.370497', 5]
export const mmpFields = {
  wallet,
  currency,
  interval_ms: [5000, 1, 86_400_000, 86_400_001, 0, -1, 1.5, '5000'],
  frozen_time_ms: [0, 86_400_000, 86_400_001, -1, 0.5, null],
  qty_limit: limit,
  delta_limit: limit,
  vega_limit: limit,
  nonce,
  signature: [signature],
}
export const payoutsSeenFields = {
  wallet,
  ids: [[1], [3, 1, 3], Array(100).fill(7), Array(101).fill(7), [0], [-1], [1.5], ['1'], [], {}, 1],
  seen: [true, false, null, 1],
  nonce,
  signature: [signature],
}
export const marginModeFields = {
  wallet,
  margin_mode: ['standard', 'portfolio', 'defined_risk'],
  nonce,
  signature: [signature],
}
export const tierFields = {
  wallet,
  tier: ['tier1', 'mm', 'market_maker', 'MM', 'tier3'],
  nonce,
  signature: [signature],
}
