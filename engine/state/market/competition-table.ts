import { assert } from '../../../schemas/assert.js'
import { CompetitionState } from '../../../schemas/domain.js'
import { DeadlineHeap, type Due } from '../../memory/deadline-heap.js'
import type { Saved, StateReader, StateSink } from '../../memory/state-codec.js'
import { HashCell, HashKind, type StateHash } from '../../memory/state-hash.js'

/** Terms of a competition, as the operator set them. */
export interface CompetitionTerms {
  readonly startMillis: number
  /** First millisecond after the competition. */
  readonly endMillis: number
  /** Win conditions: `CompetitionMetric`, two bits each, the primary one lowest. */
  readonly conditions: number
  readonly nameBytes: number
  readonly descriptionBytes: number
  readonly urlBytes: number
  readonly rulesBytes: number
  /** UTF-8: name, description, address and text of the rules, back to back. */
  readonly texts: Uint8Array
}

/** A competition between all wallets that trade during it. */
export class Competition implements Saved, Due {
  readonly id: number
  readonly createdMillis: number
  terms: CompetitionTerms
  state: CompetitionState = CompetitionState.Pre
  updatedMillis: number
  readonly key: string
  /** Next deadline, derived: its start, then its end, then never. */
  deadlineMillis = Number.POSITIVE_INFINITY
  place = 0
  readonly cell = new HashCell(HashKind.Competition, this)

  constructor(id: number, terms: CompetitionTerms, createdMillis: number) {
    this.id = id
    this.key = String(id)
    this.terms = terms
    this.createdMillis = createdMillis
    this.updatedMillis = createdMillis
  }

  /** Time at which its state changes next. */
  get dueMillis(): number {
    if (this.state === CompetitionState.Pre) return this.terms.startMillis
    const isOver = this.state === CompetitionState.Post
    return isOver ? Number.POSITIVE_INFINITY : this.terms.endMillis
  }

  save(sink: StateSink): void {
    const { terms } = this
    sink.f64(this.createdMillis)
    sink.f64(this.updatedMillis)
    sink.i32(this.state)
    sink.f64(terms.startMillis)
    sink.f64(terms.endMillis)
    sink.i32(terms.conditions)
    sink.i32(terms.nameBytes)
    sink.i32(terms.descriptionBytes)
    sink.i32(terms.urlBytes)
    sink.i32(terms.rulesBytes)
    sink.i32(terms.texts.length)
    sink.bytes(terms.texts)
  }
}

/** Competitions of the operator, including ended ones. The results of wallets are not state. */
export class CompetitionTable {
  /** By id, which is one more than the index. */
  readonly rows: Competition[] = []
  /** Number of active competitions. Data of fills that only competitions need is computed while there is one. */
  activeCount = 0
  readonly #heap = new DeadlineHeap<Competition>()
  readonly #hash: StateHash

  constructor(hash: StateHash) {
    this.#hash = hash
  }

  /** Earliest time at which a competition begins or ends; Infinity for never. */
  get nextMillis(): number {
    return this.#heap.nextMillis
  }

  /** The competition that begins or ends next; there must be one. */
  get nextDue(): Competition {
    return this.#heap.first
  }

  /** @returns null if no competition has that id. */
  find(id: number): Competition | null {
    return this.rows[id - 1] ?? null
  }

  /** @returns the competition of this name that has not ended, or null. */
  findOpen(name: Uint8Array): Competition | null {
    return this.rows.find((row) => isOpenNamed(row, name)) ?? null
  }

  add(terms: CompetitionTerms, nowMillis: number): Competition {
    const row = new Competition(this.rows.length + 1, terms, nowMillis)
    this.#insert(row)
    return row
  }

  change(row: Competition, terms: CompetitionTerms, nowMillis: number): void {
    this.#assertOwn(row)
    row.terms = terms
    row.updatedMillis = nowMillis
    this.#settle(row)
  }

  /** Advances the state of a due competition. */
  turn(row: Competition, state: CompetitionState, nowMillis: number): void {
    this.#assertOwn(row)
    assert(state > row.state, 'competition: its state only advances')
    if (row.state === CompetitionState.Active) this.activeCount--
    row.state = state
    row.updatedMillis = nowMillis
    if (state === CompetitionState.Active) this.activeCount++
    this.#settle(row)
  }

  save(sink: StateSink): void {
    sink.i32(this.rows.length)
    for (const row of this.rows) row.save(sink)
  }

  /** Reads what `save` wrote into an empty table. */
  load(reader: StateReader): void {
    const count = reader.i32()
    for (let id = 1; id <= count; id++) {
      const [createdMillis, updatedMillis] = [reader.f64(), reader.f64()]
      const state = reader.i32() as CompetitionState
      const row = new Competition(id, readTerms(reader), createdMillis)
      row.updatedMillis = updatedMillis
      row.state = state
      if (state === CompetitionState.Active) this.activeCount++
      this.#insert(row)
    }
  }

  #assertOwn(row: Competition): void {
    assert(this.find(row.id) === row, 'competition: it exists')
  }

  #insert(row: Competition): void {
    const { startMillis, endMillis } = row.terms
    assert(startMillis < endMillis, 'competition: it starts before it ends')
    row.deadlineMillis = row.dueMillis
    this.rows.push(row)
    this.#heap.add(row)
    this.#hash.note(row.cell)
  }

  #settle(row: Competition): void {
    this.#heap.setDeadline(row, row.dueMillis)
    this.#hash.note(row.cell)
  }
}

function readTerms(reader: StateReader): CompetitionTerms {
  const [startMillis, endMillis, conditions] = [reader.f64(), reader.f64(), reader.i32()]
  const [nameBytes, descriptionBytes] = [reader.i32(), reader.i32()]
  const [urlBytes, rulesBytes] = [reader.i32(), reader.i32()]
  const texts = reader.bytes(reader.i32()).slice()
  const lengths = { nameBytes, descriptionBytes, urlBytes, rulesBytes }
  return { startMillis, endMillis, conditions, ...lengths, texts }
}

function isOpenNamed({ state, terms }: Competition, name: Uint8Array): boolean {
  if (state === CompetitionState.Post || terms.nameBytes !== name.length) return false
  return name.every((byte, index) => terms.texts[index] === byte)
}
