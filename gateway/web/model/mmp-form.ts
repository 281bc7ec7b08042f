import { parseAmountMicros } from '../../../schemas/decimal.js'
import type { MmpConfig } from '../../client/generated/interface.js'
import { secondsLeftText, sizeText } from './numbers.js'

/** A protection as it stands. */
export type Protected = MmpConfig

/** What is written in a form of a protection. */
export interface MmpTexts {
  readonly currency: string
  /** Seconds. */
  readonly interval: string
  readonly frozen: string
  /** In contracts, or what they sum up to of delta and vega; empty: none. */
  readonly quantity: string
  readonly delta: string
  readonly vega: string
}

/** Limits of a protection by what each bounds. */
export const mmpMeasures = [
  ['quantity', 'qty', 'Contracts'],
  ['delta', 'delta', 'Delta'],
  ['vega', 'vega', 'Vega'],
] as const
export type MmpMeasure = (typeof mmpMeasures)[number][1]

const secondsForm = /^\d{1,6}(\.\d{1,3})?$/

/** Why a protection cannot be set as it is written; null: it can. */
export function mmpFault(texts: MmpTexts): string | null {
  if (texts.currency === '') return 'Choose an underlying'
  if (!secondsForm.test(texts.interval) || Number(texts.interval) === 0) {
    return 'The window is no count of seconds above 0'
  }
  if (!secondsForm.test(texts.frozen)) return 'The freeze is no count of seconds'
  const limits = mmpMeasures.map(([name, , word]) => [texts[name], word] as const)
  for (const [text, word] of limits) {
    if (text !== '' && !(parseAmountMicros(text) > 0)) return `${word}: no decimal above 0`
  }
  return limits.every(([text]) => text === '') ? 'Give at least one limit' : null
}

/** What such a form asks for. */
export function mmpTermsOf({ currency, interval, frozen, ...limits }: MmpTexts) {
  const millisOf = (seconds: string) => Math.round(Number(seconds) * 1000)
  return {
    ...{ currency, intervalMs: millisOf(interval), frozenTimeMs: millisOf(frozen) },
    ...(limits.quantity === '' ? {} : { qtyLimit: limits.quantity }),
    ...(limits.delta === '' ? {} : { deltaLimit: limits.delta }),
    ...(limits.vega === '' ? {} : { vegaLimit: limits.vega }),
  }
}

/** A protection as the form would have it. */
export function mmpTextsOf(config: Protected): MmpTexts {
  return {
    currency: config.currency,
    interval: String(config.interval_ms / 1000),
    frozen: String(config.frozen_time_ms / 1000),
    quantity: config.qty_limit ?? '',
    delta: config.delta_limit ?? '',
    vega: config.vega_limit ?? '',
  }
}

/** How much of a limit has been traded within the window. */
export interface MmpUse {
  readonly text: string
  /** 0 to 1; null: there is no limit. */
  readonly share: number | null
}

export function mmpUse(config: Protected, measure: MmpMeasure): MmpUse {
  const limit = config[`${measure}_limit`]
  const used = config.window[measure]
  if (limit === null) return { text: 'no limit', share: null }
  const share = Math.min(1, Math.abs(Number(used)) / Number(limit))
  return { text: `${sizeText(used)} of ${sizeText(limit)}`, share }
}

/** Whether orders are taken, and since when not. */
export function mmpStateText(config: Protected, nowMillis: number): string {
  if (!config.frozen) return 'quoting'
  if (config.frozen_until_ms === null) return 'frozen until it is reset'
  return `frozen, ${secondsLeftText(config.frozen_until_ms, nowMillis)} left`
}
