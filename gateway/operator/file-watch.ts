const watchMillis = 1000

/** Returns the fault of a file, as a sentence that names it; null if it is intact. */
export type FaultOfFile = () => string | null

/** Watches files next to the journal. Raises an alarm when one is lost, and reports the lost ones. */
export class FileWatch {
  readonly #faults: ReadonlyMap<string, FaultOfFile>
  readonly #log: (text: string) => void
  readonly #reported = new Map<string, string | null>()
  readonly #timer: NodeJS.Timeout

  /**
   * @param faults By file name. @param log Receives alarms.
   */
  constructor(faults: ReadonlyMap<string, FaultOfFile>, log: (text: string) => void) {
    this.#faults = faults
    this.#log = log
    this.#timer = setInterval(() => this.figures(), watchMillis).unref()
    this.figures()
  }

  /** Checks each file. @returns 1 for each lost file and 0 for the others, by name. */
  readonly figures = (): Readonly<Record<string, number>> => {
    const lost: Record<string, number> = {}
    for (const [name, faultOf] of this.#faults) {
      const fault = faultOf()
      lost[name] = fault === null ? 0 : 1
      if (fault !== (this.#reported.get(name) ?? null)) {
        this.#log(fault === null ? `${name} is whole again` : `alarm: ${fault}`)
      }
      this.#reported.set(name, fault)
    }
    return lost
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
