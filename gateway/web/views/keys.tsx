import { type Act, actOf, keyRows } from '../model/key-table.js'
import { movedOption, type Right } from '../model/option-chain.js'
import { expiries, sections, underlyings } from '../state/chain.js'
import {
  changeTheme,
  chosenExpiry,
  chosenSymbol,
  chosenUnderlying,
  isHelpShown,
  panel,
  part,
} from '../state/choice.js'
import { changed, takeBest } from '../state/ticket.js'
import { venueInfo } from '../state/venue.js'
import { chooseUnderlying } from './chain.jsx'
import { toggleHelp } from './top-bar.jsx'

/** Acts of keys that other views provide. */
export type MoreActs = Partial<Record<Act, () => void>>

const acts: Partial<Record<Act, () => void>> = {
  up: () => move(-1, null),
  down: () => move(1, null),
  calls: () => move(0, 'call'),
  puts: () => move(0, 'put'),
  'expiry-next': () => turnExpiry(1),
  'expiry-before': () => turnExpiry(-1),
  'underlying-next': () => chooseUnderlying(nextOf(underlyings.value, chosenUnderlying.value, 1)),
  buy: () => openTicket('Buy'),
  sell: () => openTicket('Sell'),
  theme: changeTheme,
  help: toggleHelp,
  leave: () => {
    if (isHelpShown.value) isHelpShown.value = false
    else changed.value = null
  },
}

/** Listens to the keys of the page. */
export function startKeys(more: MoreActs): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const { target, key } = event
    if (target instanceof HTMLElement && isField(target)) {
      if (key === 'Escape') target.blur()
      return
    }
    const act = actOf(key)
    if (act === null) return
    const number = act.startsWith('panel-') ? Number(act.slice('panel-'.length)) : null
    const run = number === null ? (more[act] ?? acts[act]) : () => openPanel(number)
    if (run === undefined) return
    event.preventDefault()
    run()
  })
}

function isField(target: HTMLElement): boolean {
  return ['INPUT', 'SELECT', 'TEXTAREA'].includes(target.tagName)
}

function openPanel(number: number): void {
  panel.value = number
  part.value = 'panel'
}

function move(rows: number, right: Right | null): void {
  chosenSymbol.value = movedOption(sections.value, chosenSymbol.value, rows, right)
  requestAnimationFrame(() => {
    document.querySelector('td.chosen')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  })
}

function turnExpiry(step: number): void {
  chosenExpiry.value = nextOf(expiries.value, chosenExpiry.value, step)
}

/** Returns the next item of a cycle that includes null, which means all. */
function nextOf<Item>(items: readonly Item[], current: Item | null, step: number): Item | null {
  const ring = [null, ...items]
  const place = Math.max(0, ring.indexOf(current))
  return ring[(place + step + ring.length) % ring.length]!
}

function openTicket(side: 'Buy' | 'Sell'): void {
  const symbol = chosenSymbol.value
  if (symbol !== null) takeBest(symbol, side)
}

/** Chooses the perp of the chosen underlying, or else the first one. */
export function choosePerp(): void {
  const perps = venueInfo.value?.perps ?? []
  const perp = perps.find(({ underlying }) => underlying === chosenUnderlying.value) ?? perps[0]
  if (perp !== undefined) chosenSymbol.value = perp.symbol
}

/** Help with all keys, and a link to the guides. */
export function KeyHelp() {
  if (!isHelpShown.value) return null
  return (
    <div class="help card" role="dialog" aria-label="Keyboard shortcuts">
      <h2>Keyboard shortcuts</h2>
      <dl>
        {keyRows.map(({ keys, words }) => (
          <div key={words}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key.replace('Arrow', '')}</kbd>
              ))}
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>1</kbd>–<kbd>9</kbd>
          </dt>
          <dd>Open a panel, counted from the left</dd>
        </div>
        <div>
          <dt>
            <kbd>Up</kbd>
            <kbd>Down</kbd>
          </dt>
          <dd>In the price field: step the last digit</dd>
        </div>
      </dl>
      <p>
        <a href="/docs/guides">Guides</a> to the interface, for programs
      </p>
      <button type="button" onClick={toggleHelp}>
        Close
      </button>
    </div>
  )
}
