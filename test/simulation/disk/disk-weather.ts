import type { FaultPlan } from '../run/fault-plan.js'
import { DiskError, SimulatedCrash } from '../run/simulation-errors.js'
import type { VirtualDisk } from './virtual-disk.js'
import type { VirtualFile } from './virtual-file.js'

/** Ways in which a process ends between two instructions. */
export const crashKinds = ['crash', 'power'] as const
type CrashKind = (typeof crashKinds)[number]

/** Maximum number of operations before an armed crash: enough to reach every step of a segment change. */
const operationsMax = 12

/** Disk faults while the process runs: crashes in the middle of operations, failures, slow flushes. */
export class DiskWeather {
  readonly #plan: FaultPlan
  readonly #disk: VirtualDisk
  /** Lets the other threads run during a flush. */
  readonly #meanwhile: () => void
  #crash: CrashKind | null = null
  #operationsLeft = 0
  #crashBefore = true
  /** Maximum size of all files; infinite while the disk is not full. */
  #capacityBytes = Number.POSITIVE_INFINITY
  #failure: Error = new DiskError('nothing failed')

  constructor(plan: FaultPlan, disk: VirtualDisk, meanwhile: () => void) {
    this.#plan = plan
    this.#disk = disk
    this.#meanwhile = meanwhile
  }

  /** Arms a crash of the process or the power in the middle of one of the next operations. */
  armCrash(kind: CrashKind): void {
    const random = this.#plan.random(kind)
    this.#crash = kind
    this.#operationsLeft = random.below(operationsMax)
    this.#crashBefore = random.chance(0.5)
  }

  /** Fills the disk: from now on files can grow only a little. */
  fill(): void {
    const spareBytes = this.#plan.random('disk-full').below(3000)
    this.#capacityBytes = this.#disk.usedBytes() + spareBytes
  }

  /** Makes room on the disk and disarms a pending crash. */
  clear(): void {
    this.#crash = null
    this.#capacityBytes = Number.POSITIVE_INFINITY
  }

  /**
   * Runs before a write.
   * @returns the number of bytes that get through; if below `bytes`, the write fails with `failure`
   */
  beforeWrite(name: string, bytes: number, growsBytes: number): number {
    if (this.#isCrashDue(true)) {
      const kind = this.#crash!
      this.#failure = this.#crashNow()
      return this.#plan.random(kind).below(bytes)
    }
    if (growsBytes > 0 && this.#disk.usedBytes() + growsBytes > this.#capacityBytes) {
      this.#plan.count('disk-full')
      this.#failure = new DiskError(`no space left for ${name}`)
      const room = Math.max(0, this.#capacityBytes - this.#disk.usedBytes())
      return Math.max(0, Math.min(bytes - 1, bytes - growsBytes + room))
    }
    if (this.#plan.happens('short', 0.006)) {
      this.#failure = new DiskError(`short write to ${name}`)
      return this.#plan.random('short').below(bytes)
    }
    return bytes
  }

  /** Returns why the last write got through only in part. */
  failure(): Error {
    return this.#failure
  }

  /** Runs before a flush. May throw; `file` may have lost pages by then. */
  beforeFlush(name: string, file: VirtualFile): void {
    this.beforeChange()
    if (this.#plan.happens('flush-slow', 0.15)) this.#meanwhile()
    if (!this.#plan.happens('flush-failed', 0.006)) return
    const random = this.#plan.random('flush-failed')
    // Pages that could not be written count as clean from now on: no later flush writes them.
    file.pending = file.pending.filter(({ kind }) => kind === 'truncate' || random.chance(0.5))
    throw new DiskError(`flush of ${name} failed`)
  }

  /** Runs before any other operation, and after every one. May throw. */
  beforeChange(): void {
    if (this.#isCrashDue(true)) throw this.#crashNow()
  }

  afterChange(): void {
    if (this.#isCrashDue(false)) throw this.#crashNow()
  }

  #isCrashDue(isBefore: boolean): boolean {
    if (this.#crash === null || isBefore !== this.#crashBefore) return false
    return this.#operationsLeft-- <= 0
  }

  #crashNow(): SimulatedCrash {
    const crash = new SimulatedCrash(this.#crash === 'power')
    this.#plan.count(crash.power ? 'power' : 'crash')
    this.#crash = null
    return crash
  }
}
