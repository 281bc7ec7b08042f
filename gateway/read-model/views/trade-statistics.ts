export const hourMillis = 3_600_000
const hoursPerDay = 24
const slots = 32 // hours stored: a day and the current hour, rounded up to a power of two

/** Trading during a period; prices are NaN without a trade. Notional is USD of the underlying. */
export interface Traded {
  volumeLots: number
  notionalMicros: number
  highMicros: number
  lowMicros: number
  openMicros: number
}

/** Trades of one instrument in one hour. */
export interface TradedHour extends Traded {
  readonly hour: number
}

/** First value of each of the last hours. */
export class HourlySamples {
  readonly #hours = new Float64Array(slots).fill(-1)
  readonly #values = new Float64Array(slots)

  note(timeMillis: number, value: number): void {
    const hour = hourOf(timeMillis)
    const slot = hour & (slots - 1)
    if (this.#hours[slot] === hour || Number.isNaN(value)) return
    this.#hours[slot] = hour
    this.#values[slot] = value
  }

  /** Returns the first value of the same hour of the previous day; NaN if there is none. */
  dayBefore(timeMillis: number): number {
    const hour = hourOf(timeMillis) - hoursPerDay
    const slot = hour & (slots - 1)
    return this.#hours[slot] === hour ? this.#values[slot] : Number.NaN
  }
}

/** Trades of one instrument in hourly buckets, the last price, and marks of the previous day. */
export class InstrumentStatistics {
  lastMicros = Number.NaN
  readonly marks = new HourlySamples()
  readonly #hours: TradedHour[] = []

  add(timeMillis: number, priceMicros: number, sizeLots: number, notionalMicros: number): void {
    this.lastMicros = priceMicros
    const hour = hourOf(timeMillis)
    const [highMicros, lowMicros, openMicros] = [priceMicros, priceMicros, priceMicros]
    const trade = { volumeLots: sizeLots, notionalMicros, highMicros, lowMicros, openMicros }
    const latest = this.#hours.at(-1)
    if (latest?.hour === hour) addTraded(latest, trade)
    else this.addHour({ hour, ...trade })
  }

  /** Appends a whole hour, and drops those that no day includes any more. */
  addHour(hour: TradedHour): void {
    this.#hours.push(hour)
    while (this.#hours[0]!.hour <= hour.hour - slots) this.#hours.shift()
  }

  /** Returns the total of the current hour and the 23 before it. */
  day(nowMillis: number): Readonly<Traded> {
    const first = hourOf(nowMillis) - hoursPerDay + 1
    const day = { ...nothingTraded }
    for (const hour of this.#hours) if (hour.hour >= first) addTraded(day, hour)
    return day
  }
}

const nothingTraded: Traded = {
  volumeLots: 0,
  notionalMicros: 0,
  highMicros: Number.NaN,
  lowMicros: Number.NaN,
  openMicros: Number.NaN,
}

/** Adds later trades to a sum. */
function addTraded(sum: Traded, later: Traded): void {
  const isFirst = Number.isNaN(sum.openMicros)
  if (isFirst) sum.openMicros = later.openMicros
  if (isFirst || later.highMicros > sum.highMicros) sum.highMicros = later.highMicros
  if (isFirst || later.lowMicros < sum.lowMicros) sum.lowMicros = later.lowMicros
  sum.volumeLots += later.volumeLots
  sum.notionalMicros += later.notionalMicros
}

/** Statistics of all instruments, and hourly indexes of each underlying. They survive a bootstrap. */
export class TradeStatistics {
  readonly #instruments: InstrumentStatistics[] = []
  readonly #indexes: HourlySamples[] = []

  of(instrument: number): InstrumentStatistics {
    while (this.#instruments.length <= instrument) {
      this.#instruments.push(new InstrumentStatistics())
    }
    return this.#instruments[instrument]!
  }

  indexOf(underlying: number): HourlySamples {
    while (this.#indexes.length <= underlying) this.#indexes.push(new HourlySamples())
    return this.#indexes[underlying]!
  }
}

export function hourOf(timeMillis: number): number {
  return Math.floor(timeMillis / hourMillis)
}

interface PriceOfHour {
  readonly startMillis: number
  readonly priceMicros: number
}

/** Earlier trades and prices from the history store, for the statistics of a new process. */
export interface TradeSeed {
  /** Sequence up to which trades are included. */
  readonly seq: number
  readonly hours: readonly (TradedHour & { readonly instrument: number })[]
  readonly lasts: readonly { readonly instrument: number; readonly lastMicros: number }[]
  /** First theo of each hour. */
  readonly theos: readonly (PriceOfHour & { readonly instrument: number })[]
  /** First index of each hour. */
  readonly indexes: readonly (PriceOfHour & { readonly underlying: number })[]
}

/** Empty seed. */
export const tradeSeedNone: TradeSeed = { seq: 0, hours: [], lasts: [], theos: [], indexes: [] }

/** Fills empty statistics. */
export function seedStatistics(statistics: TradeStatistics, seed: TradeSeed): void {
  for (const { instrument, ...hour } of seed.hours) statistics.of(instrument).addHour(hour)
  for (const { instrument, lastMicros } of seed.lasts) {
    statistics.of(instrument).lastMicros = lastMicros
  }
  for (const { instrument, startMillis, priceMicros } of seed.theos) {
    statistics.of(instrument).marks.note(startMillis, priceMicros)
  }
  for (const { underlying, startMillis, priceMicros } of seed.indexes) {
    statistics.indexOf(underlying).note(startMillis, priceMicros)
  }
}
