/** 2026-01-01T00:00:00Z, an arbitrary time. */
export const startMillis = 1_767_225_600_000

/** Two clocks of a machine never agree exactly. */
const steadyRate = 1.000_012_3

/**
 * Simulated time, with the machine's clocks. The wall clock jumps when it is stepped, also backwards. The steady clock
 * stops while the machine is suspended.
 */
export class VirtualClock {
  trueMillis = startMillis
  offsetMillis = 0
  suspendedMillis = 0
  /** Time of day that the venue's threads use: engine time, once there is an engine. */
  now: () => number = () => this.wallMillis()

  /** True while the venue's clock alarm is set. */
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

  /** Sets the wall clock right. */
  correct(): void {
    this.offsetMillis = 0
  }
}
