import { clockText, gainText, momentText, moneyText, sizeText, toneOf } from '../model/numbers.js'
import { symbolText } from '../model/symbol-text.js'
import { emptyWords, fills, isReconciled, portfolio } from '../state/account.js'
import { chosenSymbol } from '../state/choice.js'
import { attempt } from '../state/notices.js'
import { workingOrders } from '../state/own-orders.js'
import { changeOrder } from '../state/ticket.js'
import { cancelAll, cancelOrder } from '../state/trading.js'
import { Table } from './table.jsx'

/** Working orders, each with buttons to cancel and change it. */
export function Orders() {
  const orders = workingOrders.value
  return (
    <>
      <Table
        heads={['Instrument', 'Side', 'Price', 'Size', 'Filled', 'Client ID']}
        minor={['Filled', 'Client ID']}
        empty={emptyWords('No open orders.', isReconciled.value)}
        rows={orders.map((order) => ({
          key: order.order_id,
          cells: [
            <span key="symbol" class="acts">
              <button
                type="button"
                class="cancel"
                onClick={() => attempt(() => cancelOrder(order.order_id))}
              >
                Cancel
              </button>
              <button
                type="button"
                class="change-order"
                onClick={() => attempt(() => changeOrder(order))}
              >
                Change
              </button>
              <SymbolButton symbol={order.symbol} />
            </span>,
            <Side key="side" side={order.side} />,
            order.price,
            sizeText(order.size),
            sizeText(order.filled_size),
            order.client_id ?? '',
          ],
        }))}
      />
      {orders.length > 1 ? (
        <p class="row-end">
          <button type="button" onClick={() => attempt(cancelAll)}>
            Cancel all
          </button>
        </p>
      ) : null}
    </>
  )
}

export function Positions() {
  const positions = portfolio.value?.positions ?? []
  return (
    <Table
      heads={[
        ...['Instrument', 'Size', 'Unrealized P&L', 'Realized P&L'],
        ...['Entry price', 'Value', 'Initial margin'],
      ]}
      minor={['Realized P&L', 'Entry price', 'Value', 'Initial margin']}
      empty={emptyWords('No open positions.')}
      rows={positions.map((row) => ({
        key: row.symbol!,
        cells: [
          <SymbolButton key="symbol" symbol={row.symbol!} />,
          <span key="amount" class={toneOf(row.amount)}>
            {sizeText(row.amount)}
          </span>,
          <Gain key="unrealized" usd={row.unrealized_pnl} />,
          <Gain key="realized" usd={row.realized_pnl} />,
          moneyText(row.entry_price),
          moneyText(row.notional_value),
          moneyText(row.margin_posted),
        ],
      }))}
    />
  )
}

export function Fills() {
  return (
    <Table
      heads={['Instrument', 'Side', 'Price', 'Size', 'Time', 'Fee', 'Liquidity']}
      minor={['Time', 'Fee', 'Liquidity']}
      empty={emptyWords('No fills yet.')}
      rows={fills.value.map((row) => ({
        key: row.fill_id,
        cells: [
          <SymbolButton key="symbol" symbol={row.symbol} />,
          <Side key="side" side={row.side} />,
          row.price,
          sizeText(row.size),
          <span key="time" title={momentText(row.timestamp)}>
            {clockText(row.timestamp)}
          </span>,
          row.fee,
          row.fill_source?.type === 'rfq' ? 'RFQ' : row.is_taker ? 'taker' : 'maker',
        ],
      }))}
    />
  )
}

export function SymbolButton({ symbol }: { readonly symbol: string }) {
  return (
    <button
      type="button"
      class="symbol"
      onClick={() => {
        chosenSymbol.value = symbol
      }}
    >
      {symbolText(symbol)}
    </button>
  )
}

/** Profit or loss in USD. */
export function Gain({ usd }: { readonly usd: string | number | null | undefined }) {
  return <span class={toneOf(usd)}>{gainText(usd)}</span>
}

export function Side({ side }: { readonly side: string }) {
  return <span class={side === 'Buy' ? 'up' : 'down'}>{side}</span>
}
