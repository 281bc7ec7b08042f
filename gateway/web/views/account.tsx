import { gainText, momentText, moneyText, sizeText, toneOf } from '../model/numbers.js'
import { emptyWords, liquidation, payouts, portfolio, sumOfGains } from '../state/account.js'
import { funding, loadFunding } from '../state/funding.js'
import { session } from '../state/session.js'
import { SymbolButton } from './orders.jsx'
import { Table } from './table.jsx'
import { usePeriodic } from './use-periodic.js'

const fundingMillis = 10_000

/** Equity and margin of the wallet, and its distance from liquidation. */
export function Account() {
  const answer = portfolio.value
  if (answer === null) return <p class="empty">{emptyWords('')}</p>
  const { margin_summary: summary, span_margin: margin } = answer
  const state = liquidation.value
  const gains = sumOfGains(answer.positions)
  return (
    <div class="account-panel">
      <dl class="facts">
        <Fact name="Equity" value={moneyText(answer.equity)} />
        <Fact name="Unrealized P&L" value={gainText(gains)} tone={toneOf(gains)} />
        <Fact name="Available" value={moneyText(answer.available_balance)} />
        <Fact name="Withdrawable" value={moneyText(answer.withdrawable_usdc)} />
        <Fact name="Margin used" value={moneyText(answer.total_margin_used)} />
        <Fact name="Position margin" value={moneyText(summary.position_im)} />
        <Fact name="Order margin" value={moneyText(summary.open_orders_im)} />
        <Fact name="Maintenance margin" value={moneyText(margin.maintenance_margin_required)} />
        <Fact name="Maintenance excess" value={moneyText(summary.maintenance_margin)} />
        <Fact name="Margin mode" value={answer.margin_mode ?? '–'} />
        <Fact
          name="Liquidation state"
          value={state?.state ?? '–'}
          tone={state === null || state.state === 'healthy' ? 'up' : 'down'}
        />
        {state !== null && state.state !== 'healthy' ? (
          <Fact name="Shortfall" value={moneyText(state.shortfall)} tone="down" />
        ) : null}
      </dl>
      <Funding />
      <h3>Settlements</h3>
      <Table
        heads={['Option', 'Position', 'Payout', 'Net P&L', 'Time']}
        empty="No settlements yet."
        rows={payouts.value.map((row) => ({
          key: row.id,
          cells: [
            <SymbolButton key="symbol" symbol={row.symbol} />,
            sizeText(row.position_size),
            moneyText(row.settlement_value),
            <span key="profit" class={toneOf(row.net_pnl)}>
              {gainText(row.net_pnl)}
            </span>,
            momentText(row.created_at),
          ],
        }))}
      />
    </div>
  )
}

/** Funding received and paid by the wallet. */
function Funding() {
  usePeriodic(fundingMillis, loadFunding, session.value)
  const loaded = funding.value
  return (
    <>
      <h3>Funding</h3>
      {loaded === null ? null : (
        <dl class="facts">
          <Fact
            name="Net funding received"
            value={gainText(loaded.soFarUsd)}
            tone={toneOf(loaded.soFarUsd)}
          />
        </dl>
      )}
      <Table
        heads={['Hour starting', 'Received']}
        empty={loaded === null ? 'Loading…' : 'No funding in the last 24 hours.'}
        rows={(loaded?.hours ?? []).map(({ fromMillis, usd }) => ({
          key: fromMillis,
          cells: [
            momentText(fromMillis),
            <span key="usd" class={toneOf(usd)}>
              {gainText(usd)}
            </span>,
          ],
        }))}
      />
    </>
  )
}

interface FactProps {
  readonly name: string
  readonly value: string
  readonly tone?: string
}

export function Fact({ name, value, tone = '' }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class={tone}>{value}</dd>
    </div>
  )
}
