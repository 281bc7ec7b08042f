import type { Command } from 'commander'
import { ExitCode } from '../../gateway/command-line/exit-code.js'
import { addressOf, wholeNumber } from '../../gateway/command-line/option-readers.js'
import { printResult, verbCommand } from '../../gateway/command-line/verb-command.js'
import type { RunVerb } from '../../gateway/command-line/verbs.js'
import type { VenueFolder } from '../venue-data/venue-folder.js'
import { folderOf, withDataDir } from './data-options.js'
import {
  batchView,
  commandView,
  journalView,
  segmentView,
  snapshotView,
} from './inspect/journal-views.js'
import { hashView, orderView, stateView, walletView } from './inspect/state-views.js'
import type { View } from './inspect/view.js'

const about = `Shows the data of a venue, running or not, and changes nothing. It finds states,
orders and wallets by replay, and compares the hash of every batch.`

const examples = [
  'strikebook inspect segment 3',
  'strikebook inspect batch 1042',
  'strikebook inspect command 1042 0 --json',
  'strikebook inspect state accounts --batch 1042',
  'strikebook inspect wallet 0x7e5f4552091a69125d5dfcb7b8c2659029395bdf',
]

const limitDefault = 100

/** Builds the view of a folder, with at most `limit` rows. */
type ViewBuilder = (folder: VenueFolder, limit: number) => View

/** Runs `inspect`. */
export const runVerb: RunVerb = async (argv) => {
  const command = withDataDir(verbCommand('inspect', about, examples))
  let buildView: ViewBuilder | null = null
  /** Returns the action of a subject: it selects the view for the subject's arguments and options. */
  const selects =
    <Words extends unknown[]>(builderOf: (...words: Words) => ViewBuilder) =>
    (...words: Words) => {
      buildView = builderOf(...words)
    }
  command.option('--limit <rows>', 'maximum number of rows', wholeNumber(1), limitDefault)
  addJournal(command, selects)
  addState(command, selects)
  command.parse([...argv], { from: 'user' })
  const { dataDir, json = false, limit } = command.opts()
  const { value, lines } = buildView!(folderOf(dataDir), limit)
  printResult(json, value, lines)
  return ExitCode.Done
}

type Selects = <Words extends unknown[]>(
  builderOf: (...words: Words) => ViewBuilder,
) => (...words: Words) => void

function addJournal(command: Command, selects: Selects): void {
  subject(command, 'journal', 'segments, snapshots, and the last batch').action(
    selects(() => journalView),
  )
  subject(command, 'segment', 'header and batches of a segment')
    .argument('<number>', 'its number', wholeNumber(0))
    .action(selects((number: number) => (folder, limit) => segmentView(folder, number, limit)))
  subject(command, 'batch', 'record and commands of a batch')
    .argument('<number>', 'its number', wholeNumber(1))
    .action(selects((number: number) => (folder, limit) => batchView(folder, number, limit)))
  subject(command, 'command', 'all fields of a command')
    .argument('<batch>', 'number of its batch', wholeNumber(1))
    .argument('<index>', 'index in the batch, from 0', wholeNumber(0))
    .action(
      selects((batch: number, index: number) => (folder) => commandView(folder, batch, index)),
    )
  subject(command, 'snapshot', 'head of a snapshot, with its hash verified')
    .argument('[batch]', 'batch of the snapshot (default: the newest snapshot)', wholeNumber(1))
    .action(selects((batch?: number) => (folder) => snapshotView(folder, batch)))
}

interface StateAt {
  readonly batch?: number
}

function addState(command: Command, selects: Selects): void {
  subject(command, 'state', 'rows of a state table, or the row counts of all tables')
    .argument('[table]', 'instruments, accounts, orders, exposures, settlements, ...')
    .option('--batch <number>', 'state after this batch (default: the last one)', wholeNumber(1))
    .action(
      selects((table: string | undefined, at: StateAt) => (folder, limit) => {
        return stateView(folder, { table, limit, ...at })
      }),
    )
  subject(command, 'hash', 'hash of the state')
    .option('--batch <number>', 'state after this batch (default: the last one)', wholeNumber(1))
    .action(
      selects(
        ({ batch }: StateAt) =>
          (folder) =>
            hashView(folder, batch),
      ),
    )
  subject(command, 'order', 'history of an order')
    .argument('<id>', 'order id', wholeNumber(1))
    .action(selects((orderId: number) => (folder, limit) => orderView(folder, orderId, limit)))
  subject(command, 'wallet', 'history of a wallet')
    .argument('<address>', 'wallet address', addressOf)
    .action(selects((wallet: string) => (folder, limit) => walletView(folder, wallet, limit)))
}

/** Adds a subject, a subcommand of `inspect`. The options of the verb may precede or follow its name. */
function subject(command: Command, name: string, words: string): Command {
  return command.command(name).description(words).allowExcessArguments(false)
}
