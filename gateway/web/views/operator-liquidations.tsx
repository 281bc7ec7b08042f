import { phaseLeftText, phaseText, phaseWords } from '../model/liquidation-phase.js'
import { fixed, moneyText } from '../model/numbers.js'
import { liquidations, type VenueState } from '../state/operator.js'
import { Card, Facts } from './operator-figures.jsx'
import { Table } from './table.jsx'

/** Number of wallets per liquidation phase, and the wallets. */
export function Liquidations({ state: { venue } }: { readonly state: VenueState }) {
  const rows = liquidations.value
  return (
    <Card title="Wallets in liquidation" isWide={rows.length > 0}>
      <Facts
        rows={Object.entries(venue?.liquidations ?? {}).map(([phase, count]) => [
          phaseWords[phase] ?? phase,
          <span class={count > 0 ? 'alarm' : ''}>{fixed(count, 0)}</span>,
        ])}
      />
      <Table
        heads={['Wallet', 'Phase', 'Ends in', 'Equity', 'Maintenance margin', 'Shortfall']}
        empty="No wallet is in liquidation."
        rows={rows.map((row) => ({
          key: row.wallet,
          cells: [
            <span key="wallet" class="address" title={row.wallet}>
              {row.wallet}
            </span>,
            <span key="phase" class="alarm">
              {phaseText(row)}
            </span>,
            phaseLeftText(row, Date.now()),
            moneyText(row.equity),
            moneyText(row.mm_required),
            moneyText(row.shortfall),
          ],
        }))}
      />
    </Card>
  )
}
