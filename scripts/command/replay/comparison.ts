import { onlyIn, type RunRecord, type WalletMargin } from '../../venue-data/run-record.js'
import { timeText } from '../inspect/view.js'

/** Result of one of the two runs. */
export interface Run {
  readonly record: RunRecord
  /** By wallet, at the end. */
  readonly margins: ReadonlyMap<string, WalletMargin>
  readonly batchNumber: number
  readonly timeMillis: number
}

interface Listed {
  readonly was: number
  readonly is: number
  /** Texts that only the unchanged run has (`gone`) or only the changed run has (`added`). */
  readonly gone: readonly string[]
  readonly added: readonly string[]
}

interface Pair<T> {
  readonly was: T
  readonly is: T
}

export interface Differences {
  /** End of the unchanged run. */
  readonly until: { readonly batchNumber: number; readonly timeMillis: number }
  readonly fills: Listed
  readonly liquidations: Listed
  /** Rejections by code, only codes with different counts. */
  readonly refused: Readonly<Record<string, Pair<number>>>
  /** By wallet and amount, only amounts that differ at the end. */
  readonly margins: Readonly<Record<string, Readonly<Record<string, Pair<string | null>>>>>
}

export interface Comparison extends Differences {
  readonly fromBatch: number
}

/** Compares two runs. */
export function comparisonOf(was: Run, is: Run): Differences {
  return {
    until: { batchNumber: was.batchNumber, timeMillis: was.timeMillis },
    fills: listed(was.record.fills, is.record.fills),
    liquidations: listed(was.record.liquidations, is.record.liquidations),
    refused: Object.fromEntries(
      keysOf(was.record.refused, is.record.refused)
        .map((code) => {
          const counts = {
            was: was.record.refused.get(code) ?? 0,
            is: is.record.refused.get(code) ?? 0,
          }
          return [code, counts] as const
        })
        .filter(([, counts]) => counts.was !== counts.is),
    ),
    margins: Object.fromEntries(
      keysOf(was.margins, is.margins)
        .map(
          (wallet) => [wallet, amounts(was.margins.get(wallet), is.margins.get(wallet))] as const,
        )
        .filter(([, changed]) => Object.keys(changed).length > 0),
    ),
  }
}

/** Formats a comparison for people. */
export function comparisonLines(comparison: Comparison): readonly string[] {
  const { fills, fromBatch, liquidations, margins, refused, until } = comparison
  const wallets = Object.entries(margins)
  return [
    `from batch ${fromBatch} to batch ${until.batchNumber}, ${timeText(until.timeMillis)}`,
    ...listedLines('fills', fills),
    ...listedLines('liquidations', liquidations),
    ...Object.entries(refused).map(([code, { was, is }]) => `rejected ${code}: ${was} -> ${is}`),
    `wallets with different final amounts: ${wallets.length}`,
    ...wallets.map(([wallet, changed]) => {
      const texts = Object.entries(changed).map(([name, { was, is }]) => `${name} ${was} -> ${is}`)
      return `${wallet} ${texts.join(', ')}`
    }),
  ]
}

function listed(was: readonly string[], is: readonly string[]): Listed {
  return { was: was.length, is: is.length, gone: onlyIn(was, is), added: onlyIn(is, was) }
}

function listedLines(what: string, { added, gone, is, was }: Listed): readonly string[] {
  return [
    `${what}: ${was} as recorded, ${is} with the change`,
    ...gone.map((text) => `- ${text}`),
    ...added.map((text) => `+ ${text}`),
  ]
}

function amounts(was: WalletMargin = {}, is: WalletMargin = {}) {
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  const changed = names.filter((name) => was[name] !== is[name])
  return Object.fromEntries(
    changed.map((name) => [name, { was: was[name] ?? null, is: is[name] ?? null }]),
  )
}

function keysOf(one: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>) {
  return [...new Set([...one.keys(), ...other.keys()])].sort()
}
