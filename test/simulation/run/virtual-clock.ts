/** 2026-01-01T00:00:00Z: any time would do. */
export const startMillis = 1_767_225_600_000

/** Two clocks of a machine never agree quite. */
const steadyRate = 1.000_012_3

/**
 * Time as the simulation passes it, and what the clocks of the machine say of it: one jumps when somebody steps it,
 * backwards too; the other stands still while the machine is suspended.
 */
export class VirtualClock {
  trueMillis = startMillis
  offsetMillis = 0
  suspendedMillis = 0
  /** What the venue's threads take for the time of day: engine time, once there is an engine. */
  now: () => number = () => this.wallMillis()

  /** Whether the venue doubts it. */
  isAlarmed: () => boolean = () => false

  readonly wallMillis = (): number => this.trueMillis + this.offsetMillis

  readonly steadyMillis = (): number => (this.trueMillis - this.suspendedMillis) * steadyRate

  pass(millis: number): void {
    this.trueMillis += millis
  }

  step(millis: number): void {
    this.offsetMillis += millis
  }

  suspend(millis: number): void {
    this.trueMillis += millis
    this.suspendedMillis += millis
  }

  /** Somebody sets it right. */
  correct(): void {
    this.offsetMillis = 0
  }
}
