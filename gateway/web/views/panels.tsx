import type { FunctionComponent } from 'preact'
import { panel } from '../state/choice.js'
import { workingOrders } from '../state/own-orders.js'
import { Account } from './account.jsx'
import { Latency } from './latency.jsx'
import { LeaderboardPanel } from './leaderboard.jsx'
import { Fills, Orders, Positions } from './orders.jsx'
import { Rfq } from './rfq.jsx'
import { Risk } from './risk.jsx'
import { Volatility } from './volatility.jsx'

/** In the order of their keys. */
export const panels: readonly (readonly [name: string, shown: FunctionComponent])[] = [
  ['Orders', Orders],
  ['Positions', Positions],
  ['Fills', Fills],
  ['Account', Account],
  ['Quotes', Rfq],
  ['Risk', Risk],
  ['Volatility', Volatility],
  ['Leaderboard', LeaderboardPanel],
  ['Latency', Latency],
]

/** What stands below the chain. */
export function Panels() {
  const place = Math.min(Math.max(panel.value, 1), panels.length)
  const [name, Shown] = panels[place - 1]!
  return (
    <section class="card panel-card" aria-label={name}>
      <div class="tabs" role="tablist" aria-label="Panels">
        {panels.map(([each], index) => (
          <button
            type="button"
            role="tab"
            key={each}
            aria-selected={index + 1 === place}
            title={`key ${index + 1}`}
            onClick={() => {
              panel.value = index + 1
            }}
          >
            {each}
            {each === 'Orders' && workingOrders.value.length > 0
              ? ` ${workingOrders.value.length}`
              : ''}
          </button>
        ))}
      </div>
      <div class="panel">
        <Shown />
      </div>
    </section>
  )
}
