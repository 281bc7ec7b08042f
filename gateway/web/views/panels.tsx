import type { FunctionComponent } from 'preact'
import { useEffect, useErrorBoundary, useRef } from 'preact/hooks'
import { panel, part } from '../state/choice.js'
import { workingOrders } from '../state/own-orders.js'
import { Account } from './account.jsx'
import { later } from './later.jsx'
import { Fills, Orders, Positions } from './orders.jsx'

interface Panel {
  readonly name: string
  /** Key that opens it. */
  readonly key: string
  readonly Shown: FunctionComponent
}

/** Panels in the order of their digits. */
export const panels: readonly Panel[] = [
  { name: 'Orders', key: '1', Shown: Orders },
  { name: 'Positions', key: '2', Shown: Positions },
  { name: 'Fills', key: '3', Shown: Fills },
  { name: 'Account', key: '4', Shown: Account },
  { name: 'RFQ', key: '5', Shown: later('Rfq') },
  { name: 'Risk', key: '6', Shown: later('Risk') },
  { name: 'Volatility', key: '7', Shown: later('Volatility') },
  { name: 'Leaderboard', key: '8', Shown: later('LeaderboardPanel') },
  { name: 'Latency', key: '9', Shown: later('Latency') },
  { name: 'Perps', key: 'p', Shown: later('Perps') },
  { name: 'MMP', key: 'g', Shown: later('Protection') },
  { name: 'Agents', key: 'a', Shown: later('Agents') },
]

export function openPanel(name: string): void {
  panel.value = panels.findIndex((each) => each.name === name) + 1
  part.value = 'panel'
}

/** Tabs and the current panel below the chain. */
export function Panels() {
  const place = Math.min(Math.max(panel.value, 1), panels.length)
  const { name, Shown } = panels[place - 1]!
  const tabs = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const tab = tabs.current?.children[place - 1]
    tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [place, part.value])
  return (
    <section class="card panel-card" aria-label={name}>
      <div class="tabs" role="tablist" aria-label="Panels" ref={tabs}>
        {panels.map(({ name: each, key }, index) => (
          <button
            type="button"
            role="tab"
            key={each}
            aria-selected={index + 1 === place}
            title={`Shortcut: ${key}`}
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
        <Sheltered key={name} Shown={Shown} />
      </div>
    </section>
  )
}

/** Error boundary, so that a panel that fails to render does not affect the others. */
function Sheltered({ Shown }: Pick<Panel, 'Shown'>) {
  const [error, again] = useErrorBoundary()
  if (error === undefined) return <Shown />
  return (
    <p class="empty" role="alert">
      This panel could not be displayed.{' '}
      <button type="button" onClick={again}>
        Retry
      </button>
    </p>
  )
}
