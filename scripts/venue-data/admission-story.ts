import type { DecideOrderState } from '../../engine/core/orders/decide-order.js'
import { namedInstrument } from '../../engine/core/orders/decide-order.js'
import { OrderTrace, type SeenOrder } from '../../engine/core/orders/explain-order.js'
import { none } from '../../engine/memory/rows.js'
import type { DecisionTrace } from '../../engine/state/decision-trace.js'
import { PlaceOrderCommand } from '../../schemas/generated/commands.js'
import type { DecodedRecord } from '../../schemas/record-rules/decode-record.js'
import type { RecordViews } from '../../schemas/record-views.js'
import { formatSymbol } from '../../schemas/symbol.js'
import { type BatchPlace, signedPlaces } from './find-order.js'
import { JournalReplay } from './journal-replay.js'
import type { FoundBatch } from './journal-scan.js'
import { isWorking, type OrderStoryState } from './order-story.js'
import { shownCommand, shownEvent } from './shown-record.js'
import type { StateTablesState } from './state-tables.js'
import { symbolOf } from './state-tables.js'
import { orderSubject, type StoryStep } from './story.js'
import type { VenueFolder } from './venue-folder.js'

interface AdmissionStoryState extends OrderStoryState, DecideOrderState, StateTablesState {
  trace: DecisionTrace | null
  orderCount: number
}

/** Command of a batch, and the trace of its decision. */
export interface DecidedCommand {
  /** Index in the batch from 0, counting each item of a bulk; -1: no client sent it. */
  readonly place: number
  readonly at: number
  readonly record: DecodedRecord
  /** Symbol of its instrument; '' if it is not an order. */
  readonly symbol: string
  readonly seen: SeenOrder | null
}

/** Batch whose decisions were traced. */
export interface WatchedBatch {
  readonly batchNumber: number
  readonly timeMillis: number
  readonly firstSeq: number
  readonly lastSeq: number
  readonly segment: string
  readonly commands: readonly DecidedCommand[]
  /** Orders that no command placed: rests of requests for quote, and the engine's own orders. */
  readonly own: readonly DecidedCommand[]
}

/** Auction of an order that waits for quotes. */
export interface Waiting {
  readonly askedCount: number
  readonly untilMillis: number
}

/** Events of an order after its admission, up to its end or the end of the journal. */
export interface Aftermath {
  readonly steps: readonly StoryStep[]
  /** True if it still works at the end of the journal. */
  readonly isWorking: boolean
  /** Last batch that was replayed. */
  readonly lastBatch: number
}

const place = new PlaceOrderCommand()
const updateTypes: readonly unknown[] = ['OrderUpdate', 'Fill', 'Outcome']

/** Replays up to a batch, decides that batch with a trace of each decision, and can continue from there. */
export class AdmissionReplay {
  readonly state: AdmissionStoryState
  readonly watched: WatchedBatch
  readonly #replay: JournalReplay
  /** Events of the watched batch. Filtered later, because the order's id is known only after the batch. */
  #watchedSteps: StoryStep[] = []
  #onEvent: (views: RecordViews, at: number) => void = () => {}

  /** @throws JournalDamage, JournalRefusal, ReplayDivergence */
  constructor(folder: VenueFolder, { batchBefore, batchNumber }: BatchPlace) {
    this.#replay = new JournalReplay(folder, batchNumber, (views, at) => this.#onEvent(views, at))
    this.state = this.#replay.state
    this.#replay.to(batchBefore)
    this.watched = this.#watch()
  }

  /** Returns the auction in which the order waits after the watched batch; null if it does not wait. */
  waiting(orderId: number): Waiting | null {
    const slot = this.state.orderIndex.find(orderId)
    const auction = slot === none ? undefined : this.state.auctions.find(slot)
    if (auction === undefined || auction === null) return null
    const { invited, terms } = auction.row
    return { askedCount: invited.length, untilMillis: terms.responseMillis }
  }

  /** Replays until the order or the journal ends. */
  follow(orderId: number): Aftermath {
    const subject = orderSubject(orderId)
    const steps = this.#watchedSteps.filter(({ record }) => subject.names(record))
    const records: DecodedRecord[] = []
    this.#onEvent = (views, at) => {
      if (!subject.mayName(views, at)) return
      const record = shownEvent(views, at)
      if (updateTypes.includes(record['type']) && subject.names(record)) records.push(record)
    }
    const batches = this.#replay.batches()
    while (isWorking(this.state, orderId)) {
      const next = batches.next()
      if (next.done === true) break
      const { batchNumber, timeMillis } = next.value.batch
      const step = { batch: batchNumber, millis: timeMillis, kind: 'event' } as const
      for (const record of records.splice(0)) steps.push({ ...step, record })
    }
    const lastBatch = this.state.batchNumber
    return { steps, isWorking: isWorking(this.state, orderId), lastBatch }
  }

  #watch(): WatchedBatch {
    const { state } = this
    const trace = new OrderTrace(state)
    const firstSeq = state.sink.seq + 1
    const records: DecodedRecord[] = []
    this.#onEvent = (views, at) => records.push(shownEvent(views, at))
    state.trace = trace
    const { value: found } = this.#replay.batches().next() as { value: FoundBatch }
    state.trace = null
    this.#onEvent = () => {}
    const { batch, reader } = found
    const { batchNumber, timeMillis } = batch
    const step = { batch: batchNumber, millis: timeMillis, kind: 'event' } as const
    this.#watchedSteps = records
      .filter(({ type }) => updateTypes.includes(type))
      .map((record) => ({ ...step, record }))
    const commands = [...signedPlaces(batch)].map((at, place) => {
      const seen = trace.seen.find((one) => one.views.u8 === batch.u8 && one.at === at) ?? null
      return { place, at, ...shownOrder(state, batch, at), seen }
    })
    const own = trace.seen
      .filter(({ views }) => views.u8 !== batch.u8)
      .map((seen) => ({ place: none, at: none, ...shownOrder(state, seen.views, seen.at), seen }))
    const lastSeq = state.sink.seq
    return { batchNumber, timeMillis, firstSeq, lastSeq, segment: reader.name, commands, own }
  }
}

function shownOrder(state: AdmissionStoryState, views: RecordViews, at: number) {
  const record = shownCommand(views, at)
  const isOrder = record['type'] === 'PlaceOrder' || record['type'] === 'ReplaceOrder'
  if (!isOrder) return { record, symbol: '' }
  place.over(views, at)
  const instrument = namedInstrument(state, place)
  if (instrument !== none) return { record, symbol: symbolOf(state, instrument) }
  const { expiryDate, right, strikeMicros, underlyingText: underlying } = place.key
  return { record, symbol: formatSymbol({ underlying, expiryDate, right, strikeMicros }) }
}
