import type { ComponentChildren } from 'preact'
import { priceText } from '../model/numbers.js'
import { changeTheme, isHelpShown, theme } from '../state/choice.js'
import { indexPrices, isConnected, venueInfo } from '../state/venue.js'

/** Name of the venue, index prices, and connection state. */
export function TopBar({ children }: { readonly children?: ComponentChildren }) {
  const name = venueInfo.value?.signing_domain.name ?? 'Strikebook'
  return (
    <header class="top">
      <h1>{name}</h1>
      <span class={`link ${isConnected.value ? 'up' : 'down'}`} role="status">
        {isConnected.value ? 'live' : 'disconnected'}
      </span>
      <div class="indexes">
        {[...indexPrices.value].map(([underlying, price]) => (
          <span key={underlying}>
            <b>{underlying}</b> {priceText(price)}
          </span>
        ))}
      </div>
      <div class="top-end">
        {children}
        <button
          type="button"
          class="quiet"
          onClick={changeTheme}
          aria-label={theme.value === 'dark' ? 'Light theme' : 'Dark theme'}
          title="Switch theme (t)"
        >
          ◐
        </button>
        <button
          type="button"
          class="quiet keys"
          onClick={toggleHelp}
          title="Keyboard shortcuts (?)"
        >
          ?
        </button>
      </div>
    </header>
  )
}

export function toggleHelp(): void {
  isHelpShown.value = !isHelpShown.value
}
