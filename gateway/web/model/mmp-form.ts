import { parseAmountMicros } from '../../../schemas/decimal.js'
import type { MmpConfig } from '../../client/generated/interface.js'
import { secondsLeftText, sizeText } from './numbers.js'

/** Current configuration and state of a protection. */
export type Protected = MmpConfig

/** Input texts of the protection form. */
export interface MmpTexts {
  readonly currency: string
  /** Seconds. */
  readonly interval: string
  readonly frozen: string
  /** Limits in contracts, total delta and total vega; empty: no limit. */
  readonly quantity: string
  readonly delta: string
  readonly vega: string
}

/** Limits of a protection: name in the form, name in the configuration, and label. */
export const mmpMeasures = [
  ['quantity', 'qty', 'Contracts'],
  ['delta', 'delta', 'Delta'],
  ['vega', 'vega', 'Vega'],
] as const
export type MmpMeasure = (typeof mmpMeasures)[number][1]

const secondsForm = /^\d{1,6}(\.\d{1,3})?$/

/** Returns why the form cannot be sent; null if it can. */
export function mmpFault(texts: MmpTexts): string | null {
  if (texts.currency === '') return 'Select an underlying'
  if (!secondsForm.test(texts.interval) || Number(texts.interval) === 0) {
    return 'The window must be a number of seconds above 0'
  }
  if (!secondsForm.test(texts.frozen)) return 'The freeze must be a number of seconds'
  const limits = mmpMeasures.map(([name, , word]) => [texts[name], word] as const)
  for (const [text, word] of limits) {
    if (text !== '' && !(parseAmountMicros(text) > 0))
      return `${word} limit must be a number above 0`
  }
  return limits.every(([text]) => text === '') ? 'Set at least one limit' : null
}

/** Converts the form to the terms of a protection. */
export function mmpTermsOf({ currency, interval, frozen, ...limits }: MmpTexts) {
  const millisOf = (seconds: string) => Math.round(Number(seconds) * 1000)
  return {
    ...{ currency, intervalMs: millisOf(interval), frozenTimeMs: millisOf(frozen) },
    ...(limits.quantity === '' ? {} : { qtyLimit: limits.quantity }),
    ...(limits.delta === '' ? {} : { deltaLimit: limits.delta }),
    ...(limits.vega === '' ? {} : { vegaLimit: limits.vega }),
  }
}

/** Converts a protection to the texts of the form. */
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

/** Use of a limit within the window. */
export interface MmpUse {
  readonly text: string
  /** From 0 to 1; null without a limit. */
  readonly share: number | null
}

export function mmpUse(config: Protected, measure: MmpMeasure): MmpUse {
  const limit = config[`${measure}_limit`]
  const used = config.window[measure]
  if (limit === null) return { text: 'no limit', share: null }
  const share = Math.min(1, Math.abs(Number(used)) / Number(limit))
  return { text: `${sizeText(used)} of ${sizeText(limit)}`, share }
}

/** Returns the text of the state: quoting, or frozen and until when. */
export function mmpStateText(config: Protected, nowMillis: number): string {
  if (!config.frozen) return 'active'
  if (config.frozen_until_ms === null) return 'frozen until reset'
  return `frozen, ${secondsLeftText(config.frozen_until_ms, nowMillis)} left`
}
