const watchMillis = 1000

/** Returns what is wrong with a file, as a sentence that names it; null: nothing. */
export type FaultOfFile = () => string | null

/** Watches files next to the journal: raises an alarm when one is lost, and shows which are. */
export class FileWatch {
  readonly #faults: ReadonlyMap<string, FaultOfFile>
  readonly #log: (text: string) => void
  readonly #told = new Map<string, string | null>()
  readonly #timer: NodeJS.Timeout

  /** @param faults by the name of the file. @param log takes alarms. */
  constructor(faults: ReadonlyMap<string, FaultOfFile>, log: (text: string) => void) {
    this.#faults = faults
    this.#log = log
    this.#timer = setInterval(() => this.figures(), watchMillis).unref()
    this.figures()
  }

  /** Checks each file. @returns 1 for each that is lost, by its name. */
  readonly figures = (): Readonly<Record<string, number>> => {
    const lost: Record<string, number> = {}
    for (const [name, faultOf] of this.#faults) {
      const fault = faultOf()
      lost[name] = fault === null ? 0 : 1
      if (fault !== (this.#told.get(name) ?? null)) {
        this.#log(fault === null ? `${name} is whole again` : `alarm: ${fault}`)
      }
      this.#told.set(name, fault)
    }
    return lost
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
