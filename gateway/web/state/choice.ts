import { computed, effect, signal } from '@preact/signals'
import { choiceName } from '../../wire/choice-name.js'
import { keptForSite } from './kept-text.js'

// The user's selection of what the page shows. The browser stores it, so that it survives a reload.

export type Theme = 'light' | 'dark'

const kept = readKept()

/** Chosen underlying; null: all. */
export const chosenUnderlying = signal<string | null>(textOf(kept['underlying'], 'BTC'))
/** Chosen expiry in Unix seconds; null: all. */
export const chosenExpiry = signal<number | null>(null)
/** Instrument of the book, the ticket and the keys. */
export const chosenSymbol = signal<string | null>(textOf(kept['symbol'], null))
export const panel = signal(Number(kept['panel'] ?? 1))
/** Theme that the user chose; null: the system's. */
const chosenTheme = signal<Theme | null>(themeOf(kept['theme']))
const lightSystem = matchMedia('(prefers-color-scheme: light)')
const systemTheme = signal<Theme>(lightSystem.matches ? 'light' : 'dark')
export const theme = computed(() => chosenTheme.value ?? systemTheme.value)
export const isHelpShown = signal(false)

/** Part of the page. A phone shows one at a time. */
export type PartName = 'chain' | 'book' | 'ticket' | 'panel'
export const part = signal<PartName>('chain')

/** Stores changes of the selection, and applies the theme. */
export function startChoice(): void {
  lightSystem.addEventListener('change', ({ matches }) => {
    systemTheme.value = matches ? 'light' : 'dark'
  })
  effect(() => {
    document.documentElement.dataset['theme'] = theme.value
    const choice = {
      ...{ underlying: chosenUnderlying.value, symbol: chosenSymbol.value },
      ...{ panel: panel.value, theme: chosenTheme.value },
    }
    keptForSite.set(choiceName, JSON.stringify(choice))
  })
}

function readKept(): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(keptForSite.get(choiceName) ?? '{}') ?? {}
  } catch {
    return {}
  }
}

function textOf<Other>(value: unknown, other: Other): string | Other {
  return typeof value === 'string' ? value : other
}

export function changeTheme(): void {
  chosenTheme.value = theme.value === 'dark' ? 'light' : 'dark'
}

function themeOf(value: unknown): Theme | null {
  return value === 'light' || value === 'dark' ? value : null
}
