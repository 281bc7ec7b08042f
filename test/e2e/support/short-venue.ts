import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { listMarket } from './listed-market.js'
import { type OrderActions, orderActions } from './order-actions.js'
import { symbolOf, WalletKey } from './signed-body.js'
import { streamPeers } from './stream-peer.js'
import { Venue, type Wire } from './venue.js'

/** Venue with one wallet that is close to liquidation. */
export interface ShortVenue extends OrderActions {
  readonly venue: Venue
  /** The only instrument, a call. */
  readonly symbol: string
  /** Wallet that bought the call, and has cash for more. */
  readonly maker: WalletKey
  /** Wallet that sold it, with 15,000 USD of cash before and nothing else. */
  readonly short: WalletKey
  readonly open: ReturnType<typeof streamPeers>
  /** Moves the index to where the short wallet is below maintenance margin. */
  sink(): Promise<void>
  /** Returns the data of GET /liquidation/status. */
  statusOf(of: WalletKey): Promise<Wire>
}

/**
 * Creates the venue of a test file; call it once. It starts before the tests and stops after them.
 * @param settings settings of `liquidation.*`, by name
 */
export function shortVenue(settings: Readonly<Record<string, number>>): ShortVenue {
  const venue = new Venue({
    arguments: Object.entries(settings).map(
      ([name, value]) => `--set=liquidation.${name}=${value}`,
    ),
  })
  const symbol = symbolOf('BTC', 110_000)
  const actions = orderActions(venue, symbol)
  const [maker, short] = [new WalletKey(), new WalletKey()]
  before(async () => {
    await venue.start()
    await listMarket(venue, [symbol])
    await venue.set('/deposits', { wallet: maker.wallet, amount: '1000000' })
    await venue.set('/deposits', { wallet: short.wallet, amount: '15000' })
    await actions.place(maker, { size: '1', price: '3270' })
    const sold = await actions.place(short, { side: 'Sell', size: '1', price: '3270' })
    assert.equal(sold.status, 'FILLED', JSON.stringify(sold))
  })
  after(() => venue.dispose())
  return {
    ...actions,
    venue,
    symbol,
    maker,
    short,
    open: streamPeers(venue),
    async sink() {
      await venue.set('/index-prices', { prices: [{ underlying: 'BTC', price: '108500' }] })
    },
    async statusOf({ wallet }) {
      return (await venue.read(`/liquidation/status?wallet=${wallet}`)).data
    },
  }
}
