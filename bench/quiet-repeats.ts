import { ForeignLoad } from './foreign-load.js'

/** What tells how busy others keep the machine. */
export interface LoadMeter {
  begin(): void
  /** Cores that others kept busy since `begin`. */
  cores(): number
}

export interface QuietRepeats<Figures> {
  readonly figures: readonly Figures[]
  /** How many repeats were measured again, and the most that others did during those that count. */
  readonly quiet: { readonly othersCoresMax: number; readonly measuredAgain: number }
}

/** More than so much of a core, and a repeat is one of a shared machine. */
const foreignCoresMax = 0.1
/** Repeats measured again, at most, for each one wanted. */
const sparesPerRepeat = 2

/**
 * Measures `repeats` times. On two cores a neighbour that compiles takes a quarter of the machine
 * from one side of a pair and nothing from the other. So a repeat during which others kept more than
 * `foreignCoresMax` cores busy is measured again, whatever its figures were; when the spares are used
 * up, what is measured counts as it is. A single repeat is a look, no statistic: it counts at once.
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
