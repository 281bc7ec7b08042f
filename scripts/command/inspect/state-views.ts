import { hashText } from '../../../engine/memory/state-hash.js'
import { UsageError } from '../../../gateway/command-line/verb-command.js'
import { JournalReplay } from '../../venue-data/journal-replay.js'
import { orderStory } from '../../venue-data/order-story.js'
import { lineOf, shown } from '../../venue-data/shown-record.js'
import { countsOf, stateTables } from '../../venue-data/state-tables.js'
import { type StoryStep, storyOf, walletSubject } from '../../venue-data/story.js'
import type { VenueFolder } from '../../venue-data/venue-folder.js'
import { fieldLines, tableLines, timeText, type View } from './view.js'

export interface StateOptions {
  /** Undefined: shows the row count of every table. */
  readonly table: string | undefined
  /** Shows the state after this batch; the default is the last one. */
  readonly batch?: number
  readonly limit: number
}

/** Shows a table of the state, computed by replay. */
export function stateView(folder: VenueFolder, { table, batch, limit }: StateOptions): View {
  const isKnown = table === undefined || Object.hasOwn(stateTables, table)
  if (!isKnown) {
    throw new UsageError(`unknown table ${table}; tables: ${Object.keys(stateTables).join(', ')}`)
  }
  const rowsOf = table === undefined ? undefined : stateTables[table]
  const { state } = replayTo(folder, batch)
  if (rowsOf === undefined) {
    const counts = countsOf(state)
    return { value: counts, lines: fieldLines(counts) }
  }
  const all = [...rowsOf(state)].map(shown)
  const rows = all.slice(0, limit)
  const heads = Object.keys(rows[0] ?? {})
  const lines = tableLines(
    heads,
    rows.map((row) => Object.values(row)),
  )
  const more = all.length > limit ? [`${all.length - limit} more rows`] : []
  const value = { batchNumber: state.batchNumber, rowCount: all.length, rows }
  return { value, lines: rows.length === 0 ? ['no rows'] : [...lines, ...more] }
}

/** Shows the state hash after a batch. */
export function hashView(folder: VenueFolder, batch?: number): View {
  const { state } = replayTo(folder, batch)
  const stateHash = hashText(state.hash.low, state.hash.high)
  const value = { batchNumber: state.batchNumber, seq: state.sink.seq, stateHash }
  return { value, lines: fieldLines(value) }
}

export function orderView(folder: VenueFolder, orderId: number, limit: number): View {
  return storyView(orderStory(folder, orderId), limit, `order ${orderId}`)
}

export function walletView(folder: VenueFolder, wallet: string, limit: number): View {
  return storyView(storyOf(folder, walletSubject(wallet)), limit, wallet)
}

function storyView(story: Iterable<StoryStep>, limit: number, subject: string): View {
  const steps: StoryStep[] = []
  let count = 0
  for (const step of story) if (count++ < limit) steps.push(step)
  const lines = steps.map(({ batch, millis, kind, record }) => {
    const sign = kind === 'command' ? '>' : ' '
    return `${timeText(millis)} batch ${batch} ${sign} ${lineOf(record)}`
  })
  const more = count > limit ? [`${count - limit} more: --limit ${count} shows them`] : []
  if (count === 0) throw new Error(`the journal has no records of ${subject}`)
  return { value: { subject, stepCount: count, steps }, lines: [...lines, ...more] }
}

/** Replays the engine to the end of a batch, by default the last one. */
function replayTo(folder: VenueFolder, batch = Number.POSITIVE_INFINITY): JournalReplay {
  const replay = new JournalReplay(folder, batch + 1)
  replay.to(batch)
  if (replay.state.batchNumber >= batch || batch === Number.POSITIVE_INFINITY) return replay
  throw new UsageError(`the journal ends with batch ${replay.state.batchNumber}`)
}
