import { signal } from '@preact/signals'
import type { FunctionComponent } from 'preact'
import { useEffect } from 'preact/hooks'
import type { laterPanels } from './later-panels.jsx'

type LaterPanels = typeof laterPanels

const loaded = signal<LaterPanels | null>(null)
const hasFailed = signal(false)

/** Returns a panel whose script is loaded when the first such panel is shown. */
export function later(name: keyof LaterPanels): FunctionComponent {
  return function Later() {
    useEffect(() => {
      if (loaded.value === null) void load()
    }, [])
    const Panel = loaded.value?.[name]
    if (Panel !== undefined) return <Panel />
    if (!hasFailed.value) return <p class="empty">Loading…</p>
    return (
      <p class="empty" role="alert">
        This panel could not be loaded. If the venue was upgraded, reload the page.{' '}
        <button type="button" onClick={() => void load()}>
          Retry
        </button>
      </p>
    )
  }
}

async function load(): Promise<void> {
  hasFailed.value = false
  try {
    loaded.value = (await import('./later-panels.jsx')).laterPanels
  } catch {
    hasFailed.value = true
  }
}
