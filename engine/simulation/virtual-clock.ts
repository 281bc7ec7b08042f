/** 2026-01-01T00:00:00Z: any time would do. */
export const startMillis = 1_767_225_600_000

/**
 * Time as the simulation passes it, and what the shell's clock says of it: that one jumps when
 * somebody steps it, backwards too.
 */
export class VirtualClock {
  trueMillis = startMillis
  offsetMillis = 0

  /** What the shell reads. */
  now(): number {
    return this.trueMillis + this.offsetMillis
  }

  pass(millis: number): void {
    this.trueMillis += millis
  }

  step(millis: number): void {
    this.offsetMillis += millis
  }
}
