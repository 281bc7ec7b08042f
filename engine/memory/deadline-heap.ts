/** An entry with a deadline, and its index in its heap. For equal deadlines, the lower key is first. */
export interface Due {
  readonly key: string
  deadlineMillis: number
  place: number
}

/**
 * Binary heap of entries by deadline: the first entry has the earliest deadline. The order of insertions and removals
 * does not influence which entry is first.
 */
export class DeadlineHeap<Row extends Due> {
  readonly #rows: Row[] = []

  /** Earliest deadline; Infinity if the heap is empty. */
  get nextMillis(): number {
    return this.#rows.length === 0 ? Number.POSITIVE_INFINITY : this.#rows[0].deadlineMillis
  }

  /** Entry with the earliest deadline. The heap must not be empty. */
  get first(): Row {
    return this.#rows[0]
  }

  add(row: Row): void {
    this.#put(row, this.#rows.length)
    this.#sift(row)
  }

  remove(row: Row): void {
    const last = this.#rows.pop()
    if (last === undefined || last === row) return
    this.#put(last, row.place)
    this.#sift(last)
  }

  setDeadline(row: Row, millis: number): void {
    row.deadlineMillis = millis
    this.#sift(row)
  }

  #sift(row: Row): void {
    const rows = this.#rows
    for (let { place } = row; place > 0; place = row.place) {
      const above = rows[(place - 1) >> 1]
      if (isBefore(above, row)) break
      this.#put(above, place)
      this.#put(row, (place - 1) >> 1)
    }
    for (;;) {
      const { place } = row
      let below = 2 * place + 1
      if (below >= rows.length) return
      const right = below + 1
      if (right < rows.length && isBefore(rows[right], rows[below])) below = right
      if (isBefore(row, rows[below])) return
      this.#put(rows[below], place)
      this.#put(row, below)
    }
  }

  #put(row: Row, place: number): void {
    this.#rows[place] = row
    row.place = place
  }
}

function isBefore(one: Due, other: Due): boolean {
  if (one.deadlineMillis !== other.deadlineMillis) return one.deadlineMillis < other.deadlineMillis
  return one.key < other.key
}
