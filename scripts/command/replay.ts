import { hashText } from '../../engine/memory/state-hash.js'
import { ExitCode } from '../../gateway/command-line/exit-code.js'
import {
  collected,
  millisOf,
  timesHelp,
  wholeNumber,
} from '../../gateway/command-line/option-readers.js'
import { printResult, UsageError, verbCommand } from '../../gateway/command-line/verb-command.js'
import type { RunVerb } from '../../gateway/command-line/verbs.js'
import { JournalReplay } from '../venue-data/journal-replay.js'
import { batchesOf } from '../venue-data/journal-scan.js'
import type { RunIds } from '../venue-data/run-ids.js'
import { marginsOf, RunRecord } from '../venue-data/run-record.js'
import { countsOf } from '../venue-data/state-tables.js'
import type { VenueFolder } from '../venue-data/venue-folder.js'
import { type Change, WhatIf } from '../venue-data/what-if.js'
import { folderOf, withDataDir } from './data-options.js'
import { fieldLines, timeText } from './inspect/view.js'
import { type Assignment, readAssignment, withAssignments } from './replay/assignments.js'
import { type Comparison, comparisonLines, comparisonOf } from './replay/comparison.js'
import { type InsertedOrder, putOrder, readInserted } from './replay/inserted-order.js'

const about = `Replays the journal up to a sequence or a time, and compares the state hash of
every batch. With --set or --insert it decides the same commands twice: as recorded, and with the
change from --from-batch on. It prints the differences: fills, rejections, liquidations, and cash
and margin of wallets at the end. Clients do what they did; the replay cannot know how they would
have reacted. An order has the fields of POST /order, unsigned. The journal has no indicative
quotes. To let providers be asked, add their rows: "quotes": [{"wallet", "bid_price",
"ask_price", "max_bid_size", "max_ask_size"}].`

const examples = [
  'strikebook replay --to-time 2026-11-23T08:00:00Z',
  `strikebook replay --from-batch 1000 --insert ` +
    `'{"wallet":"0x7e5f...","symbol":"BTC-PERP","side":"Buy","price":"100000","size":"1"}'`,
]

interface ReplayOptions {
  readonly toSeq: number
  readonly toTime: number
  readonly fromBatch: number
  readonly set: readonly Assignment[]
  readonly insert: readonly InsertedOrder[]
}

/** Runs `replay`. */
export const runVerb: RunVerb = async (argv) => {
  const command = withDataDir(verbCommand('replay', about, examples))
    .option(
      '--to-seq <sequence>',
      'sequence of the last event to replay',
      wholeNumber(0),
      Number.POSITIVE_INFINITY,
    )
    .option('--to-time <time>', 'last engine time to replay', millisOf, Number.POSITIVE_INFINITY)
    .option('--from-batch <number>', 'first batch with the change', wholeNumber(1), 1)
    .option(
      '--set <path=value>',
      'engine parameter to change; repeatable',
      collected(readAssignment),
      [],
    )
    .option(
      '--insert <json>',
      'order to insert before that batch, as JSON; repeatable',
      collected(readInserted),
      [],
    )
    .addHelpText('after', timesHelp)
    .parse([...argv], { from: 'user' })
  const { dataDir, json = false, ...given } = command.opts()
  const options = given as ReplayOptions
  const folder = folderOf(dataDir)
  const isChanged = options.set.length + options.insert.length > 0
  const { value, lines } = isChanged ? compare(folder, options) : replay(folder, options)
  printResult(json, value, lines)
  return ExitCode.Done
}

function replay(folder: VenueFolder, options: ReplayOptions) {
  const last = lastBatchOf(folder, options)
  const engine = new JournalReplay(folder, last + 1)
  const first = engine.state.batchNumber
  const begin = performance.now()
  engine.to(last)
  const seconds = (performance.now() - begin) / 1000
  const { batchNumber, hash, nowMillis, sink } = engine.state
  const value = {
    ...{ batchNumber, seq: sink.seq, timeMillis: nowMillis },
    ...{ stateHash: hashText(hash.low, hash.high), replayed: batchNumber - first },
    ...{ seconds: Number(seconds.toFixed(3)), counts: countsOf(engine.state) },
  }
  const { counts, ...rest } = value
  return { value, lines: fieldLines({ ...rest, timeMillis: timeText(nowMillis), ...counts }) }
}

/** Returns the last batch within the requested range. @throws UsageError if there is none. */
function lastBatchOf(folder: VenueFolder, { toSeq, toTime }: ReplayOptions): number {
  let last = 0
  for (const { batch, isShutdown } of batchesOf(folder)) {
    if (batch.timeMillis > toTime) break
    // A batch that was journaled early has only an upper bound of its sequence. The next batch has the exact value.
    if (!isShutdown && batch.seqAfter <= toSeq) last = batch.batchNumber
  }
  if (last === 0) throw new UsageError('the journal has no batch within that range')
  return last
}

function compare(folder: VenueFolder, options: ReplayOptions) {
  const { fromBatch, set, insert } = options
  const change: Change = {
    fromBatch,
    configure: set.length === 0 ? null : (config) => withAssignments(config, set),
    insert: (...into) => {
      for (const [index, order] of insert.entries()) putOrder(order, index, ...into)
    },
  }
  const lastBatch = lastBatchOf(folder, options)
  if (fromBatch > lastBatch)
    throw new UsageError(`the replay ends with batch ${lastBatch}, before the change`)
  const first = { fromBatch, lastBatch }
  const was = runOnce(folder, first, null, null)
  const is = runOnce(folder, first, change, was.ids)
  const value: Comparison = { fromBatch, ...comparisonOf(was, is) }
  return { value, lines: comparisonLines(value) }
}

/** @param recorded ids of the unchanged run; null: this is the unchanged run. */
function runOnce(
  folder: VenueFolder,
  { fromBatch, lastBatch }: { readonly fromBatch: number; readonly lastBatch: number },
  change: Change | null,
  recorded: RunIds | null,
) {
  const record = new RunRecord()
  const run: WhatIf = new WhatIf(folder, fromBatch, (views, at) =>
    record.take(run.state, views, at),
  )
  run.run(lastBatch, change, recorded)
  const { batchNumber, nowMillis: timeMillis } = run.state
  return { record, margins: marginsOf(run.state), batchNumber, timeMillis, ids: run.ids }
}
