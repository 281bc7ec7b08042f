/** Words and Float64s of a slot, as shifts; the float field is the last Float64. */
export const slotShape = { shift: 3, lotsShift: 2, lots: 3 } as const

// An imported name is read through a cell at each use; a constant of the same module is folded into the code.
const slotShift = slotShape.shift
const none = 0

/** Growable slots of eight 32-bit words; slot 0 means none. */
export class SlotPool {
  capacity: number
  words: Int32Array
  lots: Float64Array
  /** Number of slots ever used, including slot 0. */
  high = 1
  /** Slots in use. */
  count = 0
  freeHead = none

  constructor(capacity: number) {
    this.capacity = capacity
    const memory = new ArrayBuffer(capacity << 5)
    this.words = new Int32Array(memory)
    this.lots = new Float64Array(memory)
  }

  /** Allocates a slot; its fields are undefined. May replace `words` and `lots`. */
  allocate(): number {
    this.count++
    if (this.freeHead !== none) {
      const slot = this.freeHead
      this.freeHead = this.words[slot << slotShift]
      return slot
    }
    if (this.high === this.capacity) this.grow()
    return this.high++
  }

  /** Frees a slot. Must not be called before its last read. */
  free(slot: number): void {
    this.count--
    this.words[slot << slotShift] = this.freeHead
    this.freeHead = slot
  }

  grow(): void {
    const words = this.words
    this.capacity *= 2
    const memory = new ArrayBuffer(this.capacity << 5)
    this.words = new Int32Array(memory)
    this.lots = new Float64Array(memory)
    this.words.set(words)
  }
}
