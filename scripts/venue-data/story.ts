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

/** Command or event that names the subject of a story. */
export interface StoryStep {
  readonly batch: number
  readonly millis: number
  readonly kind: 'command' | 'event'
  readonly record: DecodedRecord
}

/** Wallet or order whose commands and events are collected. */
export interface Subject {
  /** Returns false if the record cannot name the subject. Scans raw bytes, so that most records need no decoding. */
  readonly mayName: (views: RecordViews, at: number) => boolean
  readonly names: (record: DecodedRecord) => boolean
}

/** Returns the subject of a wallet: records with its address as owner, agent, builder, maker or taker. */
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

/** Returns the subject of an order: records with its id, and the command that placed it. */
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
 * Yields everything in the journal about a subject, by replay from the first stored segment or snapshot.
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

/** Returns the commands of a batch that name the subject, or that one of `events` acknowledges. */
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

/** Returns true if an event acknowledges a command. In a replay the event has no gateway, so the wallet is compared. */
function answers(event: DecodedRecord, command: DecodedRecord): boolean {
  const facts = event['facts'] as DecodedRecord
  return event['request'] === command['request'] && facts['wallet'] === command['wallet']
}

const command = new AnyCommand()

/** Yields the offset of each command of a batch in its views. */
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
