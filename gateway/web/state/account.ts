import { batch, effect, signal } from '@preact/signals'
import { microsToNumber, parseSignedMicros } from '../../../schemas/decimal.js'
import type { Portfolio } from '../../../schemas/interface/risk.js'
import type { LiquidationStatus } from '../../client/answer-types.js'
import { FillFeed } from '../../client/fill-feed.js'
import type { Fill, SettlementPayout } from '../../client/generated/interface.js'
import { OrderFeed } from '../../client/order-feed.js'
import { fillNotice, orderNotice } from '../model/order-notice.js'
import { showFailure, showNotice } from './notices.js'
import { workingOrders } from './own-orders.js'
import { gathered, periodic } from './periodic.js'
import { type Session, session } from './session.js'

const fillRows = 50
const payoutRows = 20
const refreshMillis = 200
const againMillis = 5000

export const portfolio = signal<Portfolio | null>(null)
/** Fills of the wallet, the latest first. */
export const fills = signal<readonly Fill[]>([])
export const payouts = signal<readonly SettlementPayout[]>([])
export const liquidation = signal<LiquidationStatus | null>(null)
/** Feed through which orders are placed; null without a session. */
export const orderFeed = signal<OrderFeed | null>(null)
/** Feed whose fills the page shows as notices. */
export const fillFeed = signal<FillFeed | null>(null)
/** True once all earlier orders are loaded. */
export const isReconciled = signal(false)

export function startAccount(): void {
  effect(() => {
    const current = session.value
    return current === null ? undefined : keepAccount(current)
  })
}

/** Follows the account of a session. @returns a function that stops it. */
function keepAccount({ client, stream }: Session): () => void {
  const refresh = gathered(refreshMillis, () => loadAccount(client))
  const orders = new OrderFeed({
    ...{ stream, client },
    onOrder: (order, isMissed) => {
      showWorking(orders)
      refresh()
      if (!isMissed) showNotice(orderNotice(order))
    },
    onReconciled: () => {
      showWorking(orders)
      isReconciled.value = true
    },
    onError: showFailure,
  })
  const fed = new FillFeed({
    ...{ stream, client },
    onFill: (fill) => {
      showNotice(fillNotice(fill))
      refresh()
    },
    onError: showFailure,
  })
  const ends = [
    ...[stream.subscribe('liquidation'), stream.subscribe('portfolio')],
    stream.listen({
      onMessage: ({ type }) => {
        if (type === 'PortfolioUpdate' || type === 'LiquidationStateChange') refresh()
      },
    }),
    periodic(againMillis, () => loadAccount(client)),
  ]
  orderFeed.value = orders
  fillFeed.value = fed
  return () => {
    for (const end of ends) end()
    orders.close()
    fed.close()
    batch(forget)
  }
}

async function loadAccount(client: Session['client']): Promise<void> {
  const answers = await Promise.all([
    ...([client.portfolio(), client.fills({ limit: fillRows })] as const),
    ...([client.settlementPayouts({ limit: payoutRows }), client.liquidationStatus()] as const),
  ])
  if (session.peek()?.client !== client) return
  batch(() => {
    ;[portfolio.value, fills.value, payouts.value, liquidation.value] = answers
  })
}

/** Returns the sum of unrealized profits and losses, USD. */
export function sumOfGains(positions: Portfolio['positions']): number {
  const gains = positions.map(({ unrealized_pnl: usd }) => parseSignedMicros(usd))
  return microsToNumber(gains.reduce((sum, micros) => sum + micros, 0))
}

/** Text of an empty list of the wallet; `Loading…` until the list is known. */
export function emptyWords(words: string, isLoaded = portfolio.value !== null): string {
  if (session.value === null) return 'Connect a wallet to see your account.'
  return isLoaded ? words : 'Loading…'
}

function showWorking(feed: OrderFeed): void {
  workingOrders.value = [...feed.working.values()].sort(
    (one, other) => other.order_id - one.order_id,
  )
}

function forget(): void {
  portfolio.value = null
  fills.value = []
  payouts.value = []
  liquidation.value = null
  orderFeed.value = null
  fillFeed.value = null
  workingOrders.value = []
  isReconciled.value = false
}
