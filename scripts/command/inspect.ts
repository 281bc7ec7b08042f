import { type Command, InvalidArgumentError } from 'commander'
import { parseAddress } from '../../schemas/wallet.js'
import type { VenueFolder } from '../venue-data/venue-folder.js'
import { folderOf, withDataDir } from './data-options.js'
import { ExitCode } from './exit-code.js'
import type { View } from './inspect/view.js'
import { printResult, verbCommand, wholeNumber } from './verb-command.js'
import type { RunVerb } from './verbs.js'

// Looks into the data of a venue, which may be running; nothing of it is changed.

const about = `Shows what a venue's data holds, whether it runs or not; nothing is changed.
States, orders and wallets are found by replay, with every batch's hash compared on the way.`

const examples = [
  'strikebook inspect segment 3',
  'strikebook inspect batch 1042',
  'strikebook inspect command 1042 0 --json',
  'strikebook inspect state accounts --batch 1042',
  'strikebook inspect wallet 0x7e5f4552091a69125d5dfcb7b8c2659029395bdf',
]

const limitDefault = 100

type Look = (folder: VenueFolder, limit: number) => View

/** Shows what the command line asks for. */
export const runVerb: RunVerb = async (argv) => {
  const command = withDataDir(verbCommand('inspect', about, examples))
  let look: Look | null = null
  const subject = (name: string, words: string, load: (...values: never[]) => Promise<Look>) =>
    within(command, name, words, async (...values) => {
      look = await load(...(values as never[]))
    })
  command.option('--limit <rows>', 'rows shown at most', wholeNumber(1), limitDefault)
  addJournal(subject)
  addState(subject)
  await command.parseAsync([...argv], { from: 'user' })
  const { dataDir, json = false, limit } = command.opts()
  const { value, lines } = look!(folderOf(dataDir), limit)
  printResult(json, value, lines)
  return ExitCode.Done
}

type AddSubject = (
  name: string,
  words: string,
  load: (...values: never[]) => Promise<Look>,
) => Command

function addJournal(subject: AddSubject): void {
  const views = () => import('./inspect/journal-views.js')
  subject('journal', 'segments, snapshots, and where it all ends', async () => {
    const { journalView } = await views()
    return (folder) => journalView(folder)
  })
  subject('segment', 'a segment: its header and its batches', async (number: number) => {
    const { segmentView } = await views()
    return (folder, limit) => segmentView(folder, number, limit)
  }).argument('<number>', 'its number', wholeNumber(0))
  subject('batch', 'a batch: its record and its commands', async (number: number) => {
    const { batchView } = await views()
    return (folder, limit) => batchView(folder, number, limit)
  }).argument('<number>', 'its number', wholeNumber(1))
  subject('command', 'a command, every field', async (batch: number, index: number) => {
    const { commandView } = await views()
    return (folder) => commandView(folder, batch, index)
  })
    .argument('<batch>', 'number of its batch', wholeNumber(1))
    .argument('<index>', 'which of the batch, from 0', wholeNumber(0))
  subject('snapshot', 'a snapshot: its head, and its hash compared', async (batch?: number) => {
    const { snapshotView } = await views()
    return (folder) => snapshotView(folder, batch)
  }).argument('[batch]', 'its batch; the newest one', wholeNumber(1))
}

function addState(subject: AddSubject): void {
  const views = () => import('./inspect/state-views.js')
  subject('state', 'a table of the state, or how many rows each has', async (table, options) => {
    const { stateView } = await views()
    return (folder, limit) => stateView(folder, { table, limit, ...(options as object) })
  })
    .argument('[table]', 'instruments, accounts, orders, exposures, settlements, ...')
    .option('--batch <number>', 'as behind this batch; the last one', wholeNumber(1))
  subject('hash', 'the hash of the state', async (options: { readonly batch?: number }) => {
    const { hashView } = await views()
    return (folder) => hashView(folder, options.batch)
  }).option('--batch <number>', 'as behind this batch; the last one', wholeNumber(1))
  subject('order', 'the whole story of an order', async (orderId: number) => {
    const { orderView } = await views()
    return (folder, limit) => orderView(folder, orderId, limit)
  }).argument('<id>', 'order id', wholeNumber(1))
  subject('wallet', 'the whole story of a wallet', async (wallet: string) => {
    const { walletView } = await views()
    return (folder, limit) => walletView(folder, wallet, limit)
  }).argument('<address>', '0x and 40 digits', addressOf)
}

/** A subject with the options of the verb, which may stand on either side of its name. */
function within(
  command: Command,
  name: string,
  words: string,
  take: (...values: unknown[]) => Promise<void>,
): Command {
  return command.command(name).description(words).allowExcessArguments(false).action(take)
}

function addressOf(text: string): string {
  if (parseAddress(text) !== null) return text.toLowerCase()
  throw new InvalidArgumentError('an address: 0x and 40 hexadecimal digits')
}
