import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Venue } from './venue.js'

const loader = new URL('./step-clock.js', import.meta.url).href

/** Venue on a machine whose clock a test steps, for all of its threads. */
export class SteppedVenue extends Venue {
  readonly #directory: string

  constructor() {
    const directory = mkdtempSync(join(tmpdir(), 'strikebook-clock-'))
    const file = join(directory, 'step')
    writeFileSync(file, '0')
    super({ environment: { NODE_OPTIONS: `--import=${loader}`, STEPPED_CLOCK_FILE: file } })
    this.#directory = directory
  }

  /** Sets the clock this much ahead of the time of day. */
  stepTo(millis: number): void {
    const file = join(this.#directory, 'step')
    writeFileSync(`${file}.new`, String(millis))
    renameSync(`${file}.new`, file) // the rename is atomic: no reader sees half a number
  }

  override async dispose(): Promise<void> {
    await super.dispose()
    rmSync(this.#directory, { recursive: true, force: true })
  }
}
