import { orderNumberOf } from '../../engine/core/orders/explain-order.js'
import { snapshotName } from '../../engine/journal/snapshot-store.js'
import { StateReader } from '../../engine/memory/state-codec.js'
import { savedOrderCount } from '../../engine/state/snapshot/state-snapshot.js'
import { AnyCommand, BulkCommand, CommandType } from '../../schemas/generated/commands.js'
import { SnapshotHead } from '../../schemas/generated/journal.js'
import { walletAtOf } from '../../schemas/record-rules/commands.js'
import type { RecordViews } from '../../schemas/record-views.js'
import { parseAddress } from '../../schemas/wallet.js'
import { JournalReplay } from './journal-replay.js'
import { batchesOf, type FoundBatch } from './journal-scan.js'
import { commandPlaces } from './story.js'
import type { VenueFolder } from './venue-folder.js'

/** Length of the start of a saved state that includes its configuration and counters. */
const savedBeginningBytes = 1 << 14

/** Batch and its predecessor. An accepted loss leaves a gap in the numbers. */
export interface BatchPlace {
  readonly batchNumber: number
  readonly batchBefore: number
}

/** Position of a command: its byte offset in the views of its batch. An item of a bulk has its own. */
export interface CommandPlace extends BatchPlace {
  readonly at: number
  readonly type: CommandType
}

/** Range of a search. */
export interface Searched {
  /** First and last batch; 0: none. */
  readonly fromBatch: number
  readonly toBatch: number
  /** Sentences about the parts that could not be read. */
  readonly notes: readonly string[]
}

/** Returns every signed command of a wallet with a nonce, and the range searched. Replays nothing. */
export function findByNonce(
  folder: VenueFolder,
  wallet: string,
  nonce: Uint32Array,
): { readonly places: readonly CommandPlace[]; readonly searched: Searched } {
  const address = parseAddress(wallet)!
  const command = new AnyCommand()
  const places: CommandPlace[] = []
  const range = new SearchedRange()
  for (const found of batchesOf(folder)) {
    const batchBefore = range.toBatch
    if (!range.take(found)) continue
    const { batch } = found
    for (const at of signedPlaces(batch)) {
      const { nonceHigh, nonceLow, recordType: type, u8 } = command.over(batch, at)
      if (nonceHigh >>> 0 !== nonce[0] || nonceLow >>> 0 !== nonce[1]) continue
      const walletAt = walletAtOf(command)
      if (!address.every((byte, i) => u8[walletAt + i] === byte)) continue
      places.push({ batchNumber: batch.batchNumber, batchBefore, at, type: type as CommandType })
    }
  }
  const searched = range.end()
  const { fromBatch, notes } = searched
  const older = `batches before ${fromBatch} are not kept here: bring their segments back to search them`
  return { places, searched: fromBatch > 1 ? { ...searched, notes: [...notes, older] } : searched }
}

/**
 * Finds the batch that assigned an order id, by replay from the newest snapshot before it.
 * @returns null for the place if the journal ends before that batch, or its oldest stored state is after it.
 */
export function findById(
  folder: VenueFolder,
  orderId: number,
): { readonly place: BatchPlace | null; readonly searched: Searched } {
  const wanted = orderNumberOf(orderId)
  const replay = new JournalReplay(folder, stateBefore(folder, wanted))
  const { state } = replay
  const fromBatch = state.batchNumber + 1
  if (state.orderCount >= wanted) {
    const note = `the oldest state that is kept here is that after batch ${state.batchNumber}, and the order is older`
    return { place: null, searched: { fromBatch, toBatch: state.batchNumber, notes: [note] } }
  }
  const range = new SearchedRange()
  let batchBefore = state.batchNumber
  for (const found of replay.batches()) {
    range.take(found)
    const { batchNumber } = state
    const searched = { fromBatch, toBatch: batchNumber, notes: [] }
    if (state.orderCount >= wanted) return { place: { batchNumber, batchBefore }, searched }
    batchBefore = batchNumber
  }
  const last = `${state.orderCount} orders had ids by then, and this is number ${wanted}`
  const { notes, toBatch } = range.end()
  return { place: null, searched: { fromBatch, toBatch, notes: [...notes, last] } }
}

/** Yields the offset of each signed command of a batch, and of each item of a bulk. */
export function* signedPlaces(batch: FoundBatch['batch']): Generator<number> {
  const command = new AnyCommand()
  const bulk = new BulkCommand()
  for (const place of commandPlaces(batch)) {
    if (command.over(batch, place).recordType !== CommandType.Bulk) {
      yield place
      continue
    }
    const { count, itemsAt } = bulk.over(batch, place)
    for (let i = 0, at = itemsAt; i < count; i++) {
      yield at
      at += command.over(batch as RecordViews, at).recordBytes
    }
  }
}

/** Returns the first batch after the newest snapshot with fewer orders, else the earliest that can be replayed. */
export function stateBefore(folder: VenueFolder, orderCount: number): number {
  const snapshots = folder.store.list()
  const before = snapshots.findLast((batchNumber) => ordersIn(folder, batchNumber) < orderCount)
  if (before !== undefined) return before + 1
  return folder.files.first() >= 0 ? 1 : (snapshots[0] ?? 0) + 1
}

/** Returns the number of orders up to a snapshot; Infinity if the snapshot cannot be read. */
function ordersIn({ files }: VenueFolder, batchNumber: number): number {
  try {
    const bytes = files.read(snapshotName(batchNumber), SnapshotHead.bytes + savedBeginningBytes)
    return savedOrderCount(new StateReader(bytes.subarray(SnapshotHead.bytes)))
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/** Range of a search in progress, with its gaps and a torn end. */
class SearchedRange {
  fromBatch = 0
  toBatch = 0
  #last: FoundBatch['reader'] | null = null
  readonly #notes: string[] = []

  /** Adds a record. @returns true if it is a batch with commands. */
  take({ batch, isShutdown, reader }: FoundBatch): boolean {
    this.#last = reader
    if (isShutdown) return false
    const { batchNumber } = batch
    if (this.fromBatch === 0) this.fromBatch = batchNumber
    else if (batchNumber !== this.toBatch + 1) {
      this.#notes.push(`batches ${this.toBatch + 1} to ${batchNumber - 1} cannot be read`)
    }
    this.toBatch = batchNumber
    return true
  }

  end(): Searched {
    const notes = [...this.#notes]
    const torn = this.#last?.trailingBytes() ?? 0
    if (torn > 0) {
      const { name, offset } = this.#last!
      notes.push(
        `${name} ends with an incomplete record at offset ${offset}: ${torn} bytes after it are unreadable`,
      )
    }
    return { fromBatch: this.fromBatch, toBatch: this.toBatch, notes }
  }
}
