/** Recovery of a slow consumer after its connection was closed, by the class of the message that closed it. */
export const recoveries = {
  replaceable_public: 'resubscribe',
  ordered_public: 'snapshot_resubscribe',
  private_durable: 'rest_reconcile',
  replaceable_private: 'portfolio_refetch',
  command_result: 'rest_reconcile',
} as const
export type MessageClass = keyof typeof recoveries

/** Names that `symbols` of a subscription may have. */
export type SymbolKind = 'instrument' | 'underlying' | 'both' | 'none'

/** Settings of a venue that set the pace of channels. */
export interface StreamPace {
  /** Levels per side of a book. */
  readonly bookDepth: number
  readonly bookIntervalMillis: number
  readonly chainIntervalMillis: number
  readonly indexIntervalMillis: number
  readonly indexIdleIntervalMillis: number
}

/** A text for people. Some depend on the settings of the venue. */
export type PacedText = string | ((pace: StreamPace) => string)

/** Messages of a channel, in words. */
interface ChannelWords {
  /** Snapshot that follows each Subscribe. */
  readonly onSubscribe: PacedText
  /** Live messages after it. */
  readonly live: PacedText
}

export interface ChannelRow extends ChannelWords {
  readonly isPrivate: boolean
  readonly messageClass: MessageClass
  readonly symbols: SymbolKind
}

/** Every channel of the stream. */
export const channelRows = {
  orderbook: row('ordered_public', 'instrument', {
    onSubscribe: ({ bookDepth }) =>
      `every book that has or had levels, up to ${bookDepth} levels per side; an empty book no longer has any`,
    live: ({ bookIntervalMillis }) =>
      `the whole book immediately after a change, then at most once per ${bookIntervalMillis} ms; the latest state ` +
      `always follows`,
  }),
  options_chain: row('ordered_public', 'both', {
    onSubscribe: 'every row that matches the filters, including `expiry` and `option_type`',
    live: ({ chainIntervalMillis }) =>
      `changed rows, each at most once per ${chainIntervalMillis} ms, and removed options`,
  }),
  trades: row('ordered_public', 'instrument', {
    onSubscribe: 'nothing',
    live: 'each trade',
  }),
  market_updates: row('replaceable_public', 'instrument', {
    onSubscribe: 'nothing',
    live: 'each listing, expiry and delisting',
  }),
  index_prices: row('replaceable_public', 'underlying', {
    onSubscribe: 'the latest prices of all underlyings',
    live: ({ indexIntervalMillis, indexIdleIntervalMillis }) =>
      `the latest prices after a change, at most every ${indexIntervalMillis} ms and at least every ` +
      `${indexIdleIntervalMillis} ms`,
  }),
  indicative_market_data: row('replaceable_public', 'instrument', {
    onSubscribe: 'each instrument that has a quote',
    live:
      'each change of a price, a size or a provider immediately; unchanged quotes that a provider renews, at most ' +
      'once per second',
  }),
  order_updates: privateRow('private_durable', 'instrument', {
    onSubscribe: 'nothing',
    live: 'each engine step that changes an order, and each rejection',
  }),
  fills: privateRow('private_durable', 'instrument', {
    onSubscribe: 'nothing',
    live: 'each fill',
  }),
  liquidation: privateRow('private_durable', 'none', {
    onSubscribe: 'nothing',
    live: 'each change of the liquidation state or mode',
  }),
  rfq: privateRow('private_durable', 'none', {
    onSubscribe: 'nothing',
    live: 'each status change, the live quotes after each change, and the results of acceptances',
  }),
  portfolio: privateRow('replaceable_private', 'none', {
    onSubscribe: 'PortfolioUpdate of kind `Initial`, then of kind `MarginUpdate`',
    live:
      'positions, cash and settlements immediately; margin at most once per second; greeks at most once per 5 ' +
      'seconds',
  }),
  competition: privateRow('replaceable_private', 'none', {
    onSubscribe: 'CompetitionPnlSummary',
    live: 'changed values at most once per second; a summary when a competition begins or ends, and the final values',
  }),
  competition_engagement: privateRow('replaceable_private', 'none', {
    onSubscribe: 'nothing',
    live: 'changed ranks at most once per second, gaps at most once per 5 seconds, and the final rank',
  }),
} as const satisfies Record<string, ChannelRow>
export type Channel = keyof typeof channelRows
/** Channels whose messages have one event each, so that a subscription can resume after a sequence. */
export const resumableChannels = [
  'trades',
  'market_updates',
  'order_updates',
  'fills',
  'liquidation',
  'rfq',
] as const
export const channelNames = Object.keys(channelRows) as readonly Channel[]

/** Prefix of the withdrawn candle channels. Their names have an error of their own. */
export const withdrawnPrefix = 'candles:'

export function isChannel(text: string): text is Channel {
  return Object.hasOwn(channelRows, text)
}

/** Returns a text under the settings of a venue. */
export function pacedText(text: PacedText, pace: StreamPace): string {
  return typeof text === 'string' ? text : text(pace)
}

function row(messageClass: MessageClass, symbols: SymbolKind, words: ChannelWords): ChannelRow {
  return { isPrivate: false, messageClass, symbols, ...words }
}

function privateRow(
  messageClass: MessageClass,
  symbols: SymbolKind,
  words: ChannelWords,
): ChannelRow {
  return { isPrivate: true, messageClass, symbols, ...words }
}
