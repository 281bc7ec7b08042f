import { computed, effect, signal } from '@preact/signals'
import { choiceName } from '../../wire/choice-name.js'
import { keptForSite } from './kept-text.js'

// What of the venue is looked at. It is kept in the browser, so that who comes back sees the same.

export type Theme = 'light' | 'dark'

const kept = readKept()

/** null: all of them. */
export const chosenUnderlying = signal<string | null>(textOf(kept['underlying'], 'BTC'))
/** Unix seconds; null: all of them. */
export const chosenExpiry = signal<number | null>(null)
/** The option that book, ticket and keys mean. */
export const chosenSymbol = signal<string | null>(textOf(kept['symbol'], null))
export const panel = signal(Number(kept['panel'] ?? 1))
/** Theme that the user chose; null: that of the system. */
const chosenTheme = signal<Theme | null>(themeOf(kept['theme']))
const lightSystem = matchMedia('(prefers-color-scheme: light)')
const systemTheme = signal<Theme>(lightSystem.matches ? 'light' : 'dark')
export const theme = computed(() => chosenTheme.value ?? systemTheme.value)
export const isHelpShown = signal(false)

/** Parts of the page, of which a phone shows one. */
export type PartName = 'chain' | 'book' | 'ticket' | 'panel'
export const part = signal<PartName>('chain')

/** Keeps the choice, and shows the theme. */
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
