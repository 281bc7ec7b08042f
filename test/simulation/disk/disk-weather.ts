import type { FaultPlan } from '../run/fault-plan.js'
import { DiskError, SimulatedCrash } from '../run/simulation-errors.js'
import type { VirtualDisk } from './virtual-disk.js'
import type { VirtualFile } from './virtual-file.js'

/** How a process ends from one instruction to the next. */
export const crashKinds = ['crash', 'power'] as const
type CrashKind = (typeof crashKinds)[number]

/** Operations that an armed crash lets through at most: enough to reach every step of a roll. */
const operationsMax = 12

/** What the disk meets while the process runs: crashes in the middle, failures, slowness. */
export class DiskWeather {
  readonly #plan: FaultPlan
  readonly #disk: VirtualDisk
  /** Lets the other threads run while a flush does. */
  readonly #meanwhile: () => void
  #crash: CrashKind | null = null
  #operationsLeft = 0
  #crashBefore = true
  /** Bytes that all files may have; no bound while the disk is not full. */
  #capacityBytes = Number.POSITIVE_INFINITY
  #failure: Error = new DiskError('nothing failed')

  constructor(plan: FaultPlan, disk: VirtualDisk, meanwhile: () => void) {
    this.#plan = plan
    this.#disk = disk
    this.#meanwhile = meanwhile
  }

  /** The process, or the power, will be gone in the middle of one of the next operations. */
  armCrash(kind: CrashKind): void {
    const random = this.#plan.random(kind)
    this.#crash = kind
    this.#operationsLeft = random.below(operationsMax)
    this.#crashBefore = random.chance(0.5)
  }

  /** From here on files can grow by little. */
  fill(): void {
    const spareBytes = this.#plan.random('disk-full').below(3000)
    this.#capacityBytes = this.#disk.usedBytes() + spareBytes
  }

  /** Somebody made room, and nothing else is about to happen. */
  clear(): void {
    this.#crash = null
    this.#capacityBytes = Number.POSITIVE_INFINITY
  }

  /** Before a write. @returns how much of it gets through; less than `bytes`: `failure` follows. */
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

  /** Why the last write got through in part. */
  failure(): Error {
    return this.#failure
  }

  /** Before a flush. May throw; `file` may have lost pages by then. */
  beforeFlush(name: string, file: VirtualFile): void {
    this.beforeChange()
    if (this.#plan.happens('flush-slow', 0.15)) this.#meanwhile()
    if (!this.#plan.happens('flush-failed', 0.006)) return
    const random = this.#plan.random('flush-failed')
    // Pages that could not be written are clean from now on: no later flush looks at them.
    file.pending = file.pending.filter(({ kind }) => kind === 'truncate' || random.chance(0.5))
    throw new DiskError(`flush of ${name} failed`)
  }

  /** Before any other operation, and after every one. May throw. */
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
