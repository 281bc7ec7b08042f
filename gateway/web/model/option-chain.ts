import type { StreamMessages } from '../../client/generated/interface.js'

type ChainMessage = StreamMessages['OptionsChainUpdate']
/** Row of the `options_chain` channel. */
export type ChainRow = Extract<ChainMessage, { action: 'Upsert' }>
/** Removal of an option from the `options_chain` channel. */
export type ChainRemoval = Extract<ChainMessage, { action: 'Remove' }>
/** Quotes and greeks of one option in a row. */
export type ChainLeg = NonNullable<ChainRow['row']['call']>

/** Strike of an expiry, with the symbols of its options. */
export interface Strike {
  readonly underlying: string
  /** Unix seconds. */
  readonly expiry: number
  readonly strike: number
  readonly call: string | null
  readonly put: string | null
}

/** Expiry with its strikes, lowest first. */
export interface ChainSection {
  readonly underlying: string
  readonly expiry: number
  readonly strikes: readonly Strike[]
}

export type Right = 'call' | 'put'

export function strikeKey(underlying: string, expiry: number, strike: number): string {
  return `${underlying}/${expiry}/${strike}`
}

/** Returns the expiries of an underlying, soonest first. */
export function expiriesOf(strikes: Iterable<Strike>, underlying: string): readonly number[] {
  const found = new Set<number>()
  for (const strike of strikes) if (strike.underlying === underlying) found.add(strike.expiry)
  return [...found].sort((one, other) => one - other)
}

/**
 * Returns the sections of a chain, one per expiry.
 * @param underlying null: all underlyings. Likewise for `expiry`.
 */
export function sectionsOf(
  strikes: Iterable<Strike>,
  underlying: string | null,
  expiry: number | null,
): readonly ChainSection[] {
  const sections = new Map<string, Strike[]>()
  for (const strike of strikes) {
    if (underlying !== null && strike.underlying !== underlying) continue
    if (expiry !== null && strike.expiry !== expiry) continue
    const key = `${strike.underlying}/${strike.expiry}`
    const section = sections.get(key)
    if (section === undefined) sections.set(key, [strike])
    else section.push(strike)
  }
  return [...sections.values()]
    .map((found) => {
      const sorted = found.sort((one, other) => one.strike - other.strike)
      const { underlying, expiry } = sorted[0]!
      return { underlying, expiry, strikes: sorted }
    })
    .sort(
      (one, other) => one.underlying.localeCompare(other.underlying) || one.expiry - other.expiry,
    )
}

/** Returns the number of strikes below the index; -1 if it is unknown. */
export function strikesBelow(strikes: readonly Strike[], index: number | undefined): number {
  if (index === undefined) return -1
  return strikes.filter(({ strike }) => strike < index).length
}

/** Returns the option reached by moving over a chain. The move stops at its edges. */
export function movedOption(
  sections: readonly ChainSection[],
  from: string | null,
  rows: number,
  right: Right | null,
): string | null {
  const all = sections.flatMap(({ strikes }) => strikes)
  const place = all.findIndex(({ call, put }) => from !== null && (call === from || put === from))
  if (place < 0) return all[0]?.[right ?? 'call'] ?? null
  const current = all[place]!
  const side = right ?? (current.put === from ? 'put' : 'call')
  const target = all[Math.max(0, Math.min(all.length - 1, place + rows))]!
  return target[side] ?? from
}

/** Returns true if two legs look the same in the chain. */
export function isSameLeg(one: ChainLeg | null, other: ChainLeg | null): boolean {
  if (one === null || other === null) return one === other
  return (
    one.bid_price_usd === other.bid_price_usd &&
    one.ask_price_usd === other.ask_price_usd &&
    one.bid_size_contracts === other.bid_size_contracts &&
    one.ask_size_contracts === other.ask_size_contracts &&
    one.bid_source === other.bid_source &&
    one.ask_source === other.ask_source &&
    one.mark_price_usd === other.mark_price_usd &&
    one.mark_iv === other.mark_iv &&
    one.open_interest === other.open_interest &&
    one.greeks_abs?.delta === other.greeks_abs?.delta &&
    one.greeks_abs?.theta === other.greeks_abs?.theta
  )
}
