import { assert } from '../../schemas/assert.js'
import type { HaltMode } from '../../schemas/domain.js'
import { none } from '../memory/rows.js'
import type { StateSink } from '../memory/state-codec.js'
import { HashCell, HashKind, type HashLanes, type StateHash } from '../memory/state-hash.js'
import type { InstrumentTable } from '../pricing/instruments.js'
import type { MarkInputs } from '../pricing/mark-inputs.js'
import type { Marks } from '../pricing/marks.js'
import type { RiskEngine } from '../risk/risk-engine.js'
import type { EventSink } from './event-sink.js'
import { type EngineConfig, encodeEngineConfig } from './market/engine-config.js'
import type { OrderIndex } from './orders/order-index.js'
import type { RemarkQueue } from './remark-queue.js'

interface StateCellsState {
  readonly isConfigured: boolean
  readonly haltModeAtListing: HaltMode
  readonly risk: RiskEngine
  readonly orderIndex: OrderIndex
  readonly hash: StateHash
  readonly config: EngineConfig
  readonly orderCount: number
  readonly tradeCount: number
  readonly nowMillis: number
  readonly batchNumber: number
  readonly sink: EventSink
  readonly closing: number[]
  readonly instruments: InstrumentTable
  readonly haltModes: Uint8Array
  readonly marks: Marks
  readonly remarks: RemarkQueue
}

/**
 * Elements of the hash for state outside the tables. Code that changes such state notes its cell. A cell hashes what
 * the snapshot writes.
 */
export class StateCells {
  readonly config: HashCell
  readonly closing: HashCell
  readonly listing: HashCell
  readonly remark: HashCell
  readonly #counters: HashCell
  readonly #underlyings: HashCell[] = []
  readonly #marks: HashCell[] = []
  readonly #state: StateCellsState

  constructor(state: StateCellsState) {
    const cell = (kind: HashKind, save: (state: StateCellsState, sink: StateSink) => void) =>
      new HashCell(kind, { save: (sink) => save(state, sink) })
    this.#state = state
    // Until the journal has a configuration, that of an empty engine is not part of the state.
    this.config = cell(HashKind.Config, (_, sink) => {
      if (state.isConfigured) saveConfig(state, sink)
    })
    this.closing = cell(HashKind.Closing, saveClosing)
    this.listing = cell(HashKind.Listing, (_, sink) => sink.i32(state.haltModeAtListing))
    this.remark = cell(HashKind.Remark, saveRemark)
    this.#counters = cell(HashKind.Counters, (_, sink) => {
      saveCounters(state, sink)
      const { changed, remarked } = state.risk
      sink.i32(changed.count)
      sink.i32(changed.turn)
      sink.i32(remarked.count)
      sink.f64(state.orderIndex.counterMax)
    })
    for (const one of [this.config, this.closing, this.listing, this.remark]) state.hash.note(one)
  }

  /** Called when the name, halt mode or maximum index of an underlying changed, or the underlying is new. */
  noteUnderlying(underlying: number): void {
    this.#note(this.#underlyings, HashKind.Underlying, underlying, saveUnderlying)
  }

  /** Called when inputs of the underlying's marks, or of its re-mark, changed. */
  noteMarks(underlying: number): void {
    this.#note(this.#marks, HashKind.Marks, underlying, saveMarks)
  }

  /** Completes the hash at the end of a batch, with all counters and the time. */
  close(): void {
    const { hash } = this.#state
    hash.note(this.#counters)
    hash.refresh()
  }

  /**
   * Returns the state hash without the counters. It stays the same over a command that takes a sequence and a batch but
   * changes nothing else.
   */
  uncounted(): HashLanes {
    const { hash } = this.#state
    const { low, high } = this.#counters
    return { low: (hash.low - low) | 0, high: (hash.high - high) | 0 }
  }

  #note(
    cells: HashCell[],
    kind: HashKind,
    underlying: number,
    save: (state: StateCellsState, underlying: number, sink: StateSink) => void,
  ): void {
    const state = this.#state
    const isKnown = underlying >= 0 && underlying < state.instruments.underlyingNames.length
    assert(isKnown, 'state cells: the underlying exists')
    cells[underlying] ??= new HashCell(kind, {
      save: (sink) => {
        sink.i32(underlying)
        save(state, underlying, sink)
      },
    })
    state.hash.note(cells[underlying])
  }
}

export function saveConfig(state: StateCellsState, sink: StateSink): void {
  sink.i32(state.isConfigured ? 1 : 0)
  const values = encodeEngineConfig(state.config)
  sink.i32(values.length)
  for (const value of values) sink.f64(value)
}

export function saveCounters(state: StateCellsState, sink: StateSink): void {
  sink.f64(state.orderCount)
  sink.f64(state.tradeCount)
  sink.f64(state.nowMillis)
  sink.f64(state.batchNumber)
  sink.f64(state.sink.seq)
}

export function saveClosing({ closing }: StateCellsState, sink: StateSink): void {
  sink.i32(closing.length)
  for (const instrument of closing) sink.i32(instrument)
}

export function saveUnderlying(state: StateCellsState, underlying: number, sink: StateSink): void {
  sink.text(state.instruments.underlyingNames[underlying])
  sink.i32(state.haltModes[underlying])
  sink.f64(state.instruments.maxIndexMicros[underlying])
}

/** Saves the latest inputs of the underlying, those of its current marks, and those of a running re-mark. */
export function saveMarks(state: StateCellsState, underlying: number, sink: StateSink): void {
  const marks = state.marks.stateOf(underlying)
  saveInputs(marks.inputs, sink)
  saveInputs(marks.markedInputs, sink)
  sink.f64(marks.markedMillis)
  saveInputs(marks.pendingInputs, sink)
  sink.f64(marks.pendingMillis)
  sink.i32(state.remarks.wanted[underlying])
}

function saveInputs(inputs: MarkInputs, sink: StateSink): void {
  sink.f64(inputs.indexMicros)
  sink.f64(inputs.indexAtMillis)
  sink.i32(inputs.surfaces.length)
  for (const surface of inputs.surfaces) {
    sink.i32(surface.kind)
    sink.f64(surface.expiryMillis)
    sink.f64(surface.takenAtMillis)
    sink.f64(surface.referenceIndexMicros)
    sink.i32(surface.values.length)
    for (const value of surface.values) sink.f64(value)
  }
  sink.i32(inputs.estimates.length)
  for (const estimate of inputs.estimates) {
    sink.f64(estimate.expiryMillis)
    sink.f64(estimate.priceMicros)
  }
}

/** Saves the progress of the running re-mark. */
function saveRemark({ remarks }: StateCellsState, sink: StateSink): void {
  sink.i32(remarks.running)
  sink.i32(remarks.running === none ? 0 : remarks.marked)
}
