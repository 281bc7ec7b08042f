import { signal } from '@preact/signals'
import { Plot } from '../charts/plot.jsx'
import { fixed, gainText, toneOf } from '../model/numbers.js'
import {
  type GridScenario,
  riskCurve,
  scenarioWords,
  signedPercent,
  weighedProfit,
  worstScenario,
} from '../model/risk-curves.js'
import { chosenUnderlying } from '../state/choice.js'
import { loadRisk, riskGrid } from '../state/risk.js'
import { session } from '../state/session.js'
import { Table } from './table.jsx'
import { usePeriodic } from './use-periodic.js'

const riskMillis = 4000
const curveHeight = 190
const chosenGrid = signal<string | null>(null)

/** Profit of the positions under every scenario of the margin model, with the worst one marked. */
export function Risk() {
  usePeriodic(riskMillis, loadRisk, session.value)
  const grid = riskGrid.value
  if (session.value === null) return <p class="empty">Connect a wallet to see its risk.</p>
  if (grid === null) return <p class="empty">Loading…</p>
  const wanted = chosenGrid.value ?? chosenUnderlying.value
  const shown =
    grid.underlyings.find(({ underlying }) => underlying === wanted) ?? grid.underlyings[0]
  if (shown === undefined)
    return <p class="empty">The margin model {grid.model} has no scenarios.</p>
  return (
    <div class="risk">
      <div class="tabs" role="tablist" aria-label="Underlying">
        {grid.underlyings.map(({ underlying }) => (
          <button
            type="button"
            role="tab"
            key={underlying}
            aria-selected={underlying === shown.underlying}
            onClick={() => {
              chosenGrid.value = underlying
            }}
          >
            {underlying}
          </button>
        ))}
      </div>
      <Scenarios scenarios={shown.scenarios} />
    </div>
  )
}

function Scenarios({ scenarios }: { readonly scenarios: readonly GridScenario[] }) {
  if (scenarios.length === 0) return <p class="empty">This margin model has no scenarios.</p>
  const worst = worstScenario(scenarios)
  return (
    <>
      <p class="worst">
        {worst === null
          ? 'No scenario has a loss.'
          : `Worst case: ${scenarioWords(worst)}, loss ${fixed(-weighedProfit(worst), 2)} USD`}
      </p>
      <div class="curves">
        <Curve scenarios={scenarios} of="price" />
        <Curve scenarios={scenarios} of="volatility" />
      </div>
      <Table
        heads={['Scenario', 'P&L', 'Weight', 'Weighted P&L']}
        empty=""
        rows={scenarios.map((scenario) => ({
          key: scenario.id,
          cells: [
            <span key="words" class={scenario === worst ? 'own' : ''}>
              {scenarioWords(scenario)}
            </span>,
            <span key="profit" class={toneOf(scenario.total_pnl)}>
              {gainText(scenario.total_pnl)}
            </span>,
            scenario.pnl_weight,
            gainText(weighedProfit(scenario)),
          ],
        }))}
      />
    </>
  )
}

interface CurveProps {
  readonly scenarios: readonly GridScenario[]
  readonly of: 'price' | 'volatility'
}

function Curve({ scenarios, of }: CurveProps) {
  const { shocks, alone, together, worst } = riskCurve(scenarios, of)
  const other = of === 'price' ? 'volatility' : 'price'
  return (
    <figure>
      <figcaption>P&L by {of} shock</figcaption>
      <Plot
        kind={`risk-${of}`}
        data={[shocks, alone, together, worst] as never}
        series={[
          { label: `${of} only`, color: '--accent' },
          { label: `${of} and ${other}`, color: '--dim', shape: 'points' },
          { label: 'worst', color: '--down', shape: 'points' },
        ]}
        height={curveHeight}
        xText={signedPercent}
        yText={(profit) => fixed(profit, 0)}
        label={`P&L of the positions by ${of} shock; the worst scenario is marked`}
      />
    </figure>
  )
}
