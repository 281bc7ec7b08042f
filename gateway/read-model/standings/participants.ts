import { grown } from '../../../engine/memory/grown.js'
import { mulDivHalfEven } from '../../../engine/risk/money.js'
import { efficiencyMarginMicrosMin, microsPerUsd } from '../../../schemas/bounds.js'
import { formatMicros, formatUsd } from '../../../schemas/decimal.js'
import { CompetitionMetric } from '../../../schemas/domain.js'

/** Efficiency has as many decimals as money. */
const efficiencyUnit = microsPerUsd

/** Results of a participant, as stored. */
export interface Achieved {
  readonly wallet: string
  readonly pnlMicros: number
  /** Whole USD and remaining micros, since the sum may exceed 2^53 micros. */
  readonly volumeUsd: number
  readonly volumeMicros: number
  readonly marginMicros: number
  readonly trades: number
}

/** Rows of one competition. Wallets without a trade do not participate yet. */
export class Participants {
  count = 0
  /** Lower-case address texts. */
  readonly wallets: string[] = []
  pnlMicros = new Float64Array(64)
  volumeUsd = new Float64Array(64)
  volumeMicros = new Float64Array(64)
  /** Largest initial margin in use directly after a fill. */
  marginMicros = new Float64Array(64)
  trades = new Float64Array(64)
  readonly #rowOfWallet = new Map<string, number>()

  /**
   * @returns -1 if the wallet has no row.
   */
  find(wallet: string): number {
    return this.#rowOfWallet.get(wallet) ?? -1
  }

  /** Returns the wallet's row, creating it if needed. */
  rowFor(wallet: string): number {
    const known = this.#rowOfWallet.get(wallet)
    if (known !== undefined) return known
    const row = this.count++
    this.wallets.push(wallet)
    this.#rowOfWallet.set(wallet, row)
    if (row === this.trades.length) this.#grow()
    return row
  }

  restore({ wallet, ...achieved }: Achieved): void {
    const row = this.rowFor(wallet)
    this.pnlMicros[row] = achieved.pnlMicros
    this.volumeUsd[row] = achieved.volumeUsd
    this.volumeMicros[row] = achieved.volumeMicros
    this.marginMicros[row] = achieved.marginMicros
    this.trades[row] = achieved.trades
  }

  achieved(row: number): Achieved {
    return {
      wallet: this.wallets[row]!,
      pnlMicros: this.pnlMicros[row]!,
      volumeUsd: this.volumeUsd[row]!,
      volumeMicros: this.volumeMicros[row]!,
      marginMicros: this.marginMicros[row]!,
      trades: this.trades[row]!,
    }
  }

  addVolume(row: number, micros: number): void {
    const sum = this.volumeMicros[row]! + (micros % microsPerUsd)
    const isCarried = sum >= microsPerUsd
    this.volumeUsd[row]! += Math.floor(micros / microsPerUsd) + (isCarried ? 1 : 0)
    this.volumeMicros[row] = isCarried ? sum - microsPerUsd : sum
  }

  /** Returns PnL divided by the margin used, 1e-6; 0 without margin. */
  efficiency(row: number): number {
    const margin = this.marginMicros[row]!
    if (!(margin > 0)) return 0
    return mulDivHalfEven(
      this.pnlMicros[row]!,
      efficiencyUnit,
      Math.max(margin, efficiencyMarginMicrosMin),
    )
  }

  /** Formats the value of a metric. */
  text(row: number, metric: CompetitionMetric): string {
    if (metric === CompetitionMetric.Pnl) return formatMicros(this.pnlMicros[row]!)
    if (metric === CompetitionMetric.Efficiency) return formatMicros(this.efficiency(row))
    return formatUsd(this.volumeUsd[row]!, this.volumeMicros[row]!)
  }

  /** True if a row is better than another by a metric. Of equal ones, the lower address is better. */
  isBetter(row: number, other: number, metric: CompetitionMetric): boolean {
    const difference = this.difference(row, other, metric)
    if (difference !== 0) return difference > 0
    return this.wallets[row]! < this.wallets[other]!
  }

  /** Returns the lead of a row over another, in the metric's micros. */
  difference(row: number, other: number, metric: CompetitionMetric): number {
    if (metric === CompetitionMetric.Pnl) return this.pnlMicros[row]! - this.pnlMicros[other]!
    if (metric === CompetitionMetric.Efficiency) {
      return this.efficiency(row) - this.efficiency(other)
    }
    const usd = this.volumeUsd[row]! - this.volumeUsd[other]!
    return usd * microsPerUsd + (this.volumeMicros[row]! - this.volumeMicros[other]!)
  }

  #grow(): void {
    const length = 2 * this.trades.length
    this.pnlMicros = grown(this.pnlMicros, new Float64Array(length))
    this.volumeUsd = grown(this.volumeUsd, new Float64Array(length))
    this.volumeMicros = grown(this.volumeMicros, new Float64Array(length))
    this.marginMicros = grown(this.marginMicros, new Float64Array(length))
    this.trades = grown(this.trades, new Float64Array(length))
  }
}
