import { ForeignLoad } from './foreign-load.js'

/** Meter of the load by other processes. */
export interface LoadMeter {
  begin(): void
  /** Returns the cores that other processes kept busy since `begin`. */
  cores(): number
}

export interface QuietRepeats<Figures> {
  readonly figures: readonly Figures[]
  /** Number of repeats measured again, and the highest foreign load during the counted ones. */
  readonly quiet: { readonly othersCoresMax: number; readonly measuredAgain: number }
}

/** Highest foreign load, in cores, of a valid repeat. */
const foreignCoresMax = 0.1
/** Extra measurements per wanted repeat. */
const sparesPerRepeat = 2

/**
 * Measures `repeats` times. On two cores another process that compiles can slow down one side of a pair and not the other.
 * So a repetition during which others kept more than `foreignCoresMax` cores busy is measured again, whatever its figures.
 * When the spares are used up, every repetition counts. A single one is no statistic, so it always counts.
 */
export async function repeatQuietly<Figures>(
  repeats: number,
  measure: (repeat: number) => Promise<Figures>,
  meter: LoadMeter = new ForeignLoad(),
): Promise<QuietRepeats<Figures>> {
  const figures: Figures[] = []
  let spares = repeats > 1 ? repeats * sparesPerRepeat : 0
  let again = 0
  let foreignMax = 0
  while (figures.length < repeats) {
    meter.begin()
    const figure = await measure(figures.length + again)
    const cores = meter.cores()
    if (cores > foreignCoresMax && spares > 0) {
      spares--
      again++
      continue
    }
    foreignMax = Math.max(foreignMax, cores)
    figures.push(figure)
  }
  return {
    figures,
    quiet: { othersCoresMax: Number(foreignMax.toFixed(2)), measuredAgain: again },
  }
}
