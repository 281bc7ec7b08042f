import { AnyCommand } from '../../schemas/generated/commands.js'
import type { DecodedRecord } from '../../schemas/record-rules/decode-record.js'
import type { RecordViews } from '../../schemas/record-views.js'
import { parseAddress } from '../../schemas/wallet.js'
import { JournalReplay } from './journal-replay.js'
import { batchesOf, type FoundBatch } from './journal-scan.js'
import type { OrderStoryState } from './order-story.js'
import { shownCommand, shownEvent } from './shown-record.js'
import type { VenueFolder } from './venue-folder.js'

interface StoryState extends OrderStoryState {
  readonly orderCount: number
}

/** One thing that has to do with who or what a story is about. */
export interface StoryStep {
  readonly batch: number
  readonly millis: number
  readonly kind: 'command' | 'event'
  readonly record: DecodedRecord
}

/** Whom or what a story is about. */
export interface Subject {
  /** Whether the record may name it: a look at its bytes, which spares most of them being decoded. */
  readonly mayName: (views: RecordViews, at: number) => boolean
  readonly names: (record: DecodedRecord) => boolean
}

/** A wallet: whatever names its address, as owner, agent, builder, maker or taker. */
export function walletSubject(address: string): Subject {
  const bytes = parseAddress(address)!
  const words = new Int32Array(bytes.slice().buffer)
  return {
    mayName: ({ i32 }, at) => {
      const end = (at + i32[at >> 2]!) >> 2
      for (let word = at >> 2; word + words.length <= end; word++) {
        if (i32[word] === words[0] && words.every((one, i) => i32[word + i] === one)) return true
      }
      return false
    },
    names: (record) => JSON.stringify(record).includes(address.toLowerCase()),
  }
}

const orderField = /orderId$/i

/** An order: whatever has its id, and the command that it came by. */
export function orderSubject(orderId: number): Subject {
  return {
    mayName: ({ f64, i32 }, at) => {
      const end = (at + i32[at >> 2]!) >> 3
      for (let word = at >> 3; word < end; word++) if (f64[word] === orderId) return true
      return false
    },
    names: (record) => hasField(record, orderField, orderId),
  }
}

/** Bounds of a story. */
export interface StoryBounds {
  readonly fromBatch: number
  /** Returns true if no more events of the subject follow. Later batches are searched for commands, without a replay. */
  readonly isOver: (state: StoryState) => boolean
}

/**
 * Everything that the journal knows of a subject, by replay from its first kept segment or snapshot on.
 * @throws JournalDamage, JournalRefusal, ReplayDivergence
 */
export function* storyOf(
  folder: VenueFolder,
  subject: Subject,
  { fromBatch, isOver }: StoryBounds = { fromBatch: 1, isOver: () => false },
): Generator<StoryStep> {
  let events: DecodedRecord[] = []
  const replay = new JournalReplay(folder, fromBatch, (views, at) => {
    if (!subject.mayName(views, at)) return
    const event = shownEvent(views, at)
    if (subject.names(event)) events.push(event)
  })
  for (const { batch } of replay.batches()) {
    yield* stepsOf(batch, subject, events)
    events = []
    if (isOver(replay.state)) return yield* commandsAfter(folder, subject, batch.batchNumber)
  }
}

function* commandsAfter(
  folder: VenueFolder,
  subject: Subject,
  batchNumber: number,
): Generator<StoryStep> {
  for (const { batch, isShutdown } of batchesOf(folder, batchNumber + 1)) {
    if (!isShutdown) yield* stepsOf(batch, subject, [])
  }
}

function* stepsOf(
  batch: FoundBatch['batch'],
  subject: Subject,
  events: readonly DecodedRecord[],
): Generator<StoryStep> {
  const step = { batch: batch.batchNumber, millis: batch.timeMillis }
  for (const record of commandsOf(batch, subject, events))
    yield { ...step, kind: 'command', record }
  for (const record of events) yield { ...step, kind: 'event', record }
}

/** Commands of a batch that name the subject, or that one of its outcomes answers. */
function commandsOf(
  batch: FoundBatch['batch'],
  subject: Subject,
  events: readonly DecodedRecord[],
): readonly DecodedRecord[] {
  const answered = events.filter(({ type }) => type === 'Outcome')
  const found: DecodedRecord[] = []
  for (const at of commandPlaces(batch)) {
    const isNear = subject.mayName(batch, at)
    if (!isNear && answered.length === 0) continue
    const record = shownCommand(batch, at)
    if ((isNear && subject.names(record)) || answered.some((event) => answers(event, record))) {
      found.push(record)
    }
  }
  return found
}

/** A replay's outcomes name the request, and no longer its gateway. */
function answers(event: DecodedRecord, command: DecodedRecord): boolean {
  const facts = event['facts'] as DecodedRecord
  return event['request'] === command['request'] && facts['wallet'] === command['wallet']
}

const command = new AnyCommand()

/** Where the commands of a batch stand in its views. */
export function* commandPlaces(batch: FoundBatch['batch']): Generator<number> {
  const { commandsAt, commandBytes } = batch
  const end = commandsAt + commandBytes
  for (let at = commandsAt; at < end; at += command.over(batch, at).recordBytes) yield at
}

function hasField(value: unknown, name: RegExp, wanted: number): boolean {
  if (Array.isArray(value)) return value.some((one) => hasField(one, name, wanted))
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(
    ([key, one]) => (one === wanted && name.test(key)) || hasField(one, name, wanted),
  )
}
