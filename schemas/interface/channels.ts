/** How a message may be treated on its way to a slow consumer, and what the consumer does afterwards. */
export const recoveries = {
  replaceable_public: 'resubscribe',
  ordered_public: 'snapshot_resubscribe',
  private_durable: 'rest_reconcile',
  replaceable_private: 'portfolio_refetch',
  command_result: 'rest_reconcile',
} as const
export type MessageClass = keyof typeof recoveries

/** What `symbols` of a subscription may name. */
export type SymbolKind = 'instrument' | 'underlying' | 'both' | 'none'

export interface ChannelRow {
  readonly isPrivate: boolean
  readonly messageClass: MessageClass
  readonly symbols: SymbolKind
}

/** Every channel of the stream. */
export const channelRows = {
  orderbook: row('ordered_public', 'instrument'),
  options_chain: row('ordered_public', 'both'),
  trades: row('ordered_public', 'instrument'),
  market_updates: row('replaceable_public', 'instrument'),
  index_prices: row('replaceable_public', 'underlying'),
  indicative_market_data: row('replaceable_public', 'instrument'),
  order_updates: privateRow('private_durable', 'instrument'),
  fills: privateRow('private_durable', 'instrument'),
  liquidation: privateRow('private_durable', 'none'),
  rfq: privateRow('private_durable', 'none'),
  portfolio: privateRow('replaceable_private', 'none'),
  competition: privateRow('replaceable_private', 'none'),
  competition_engagement: privateRow('replaceable_private', 'none'),
} as const satisfies Record<string, ChannelRow>
export type Channel = keyof typeof channelRows
/** Channels whose messages have one event each: a subscription can resume after a sequence. */
export const resumableChannels = [
  'trades',
  'market_updates',
  'order_updates',
  'fills',
  'liquidation',
  'rfq',
] as const
export const channelNames = Object.keys(channelRows) as readonly Channel[]

/** Candle channels were withdrawn; their names are still told apart from unknown ones. */
export const withdrawnPrefix = 'candles:'

export function isChannel(text: string): text is Channel {
  return Object.hasOwn(channelRows, text)
}

function row(messageClass: MessageClass, symbols: SymbolKind): ChannelRow {
  return { isPrivate: false, messageClass, symbols }
}

function privateRow(messageClass: MessageClass, symbols: SymbolKind): ChannelRow {
  return { isPrivate: true, messageClass, symbols }
}
