import { InvalidArgumentError } from 'commander'
import { ExitCode } from '../../gateway/command-line/exit-code.js'
import { addressOf, wholeNumber } from '../../gateway/command-line/option-readers.js'
import { printResult, UsageError, verbCommand } from '../../gateway/command-line/verb-command.js'
import type { RunVerb } from '../../gateway/command-line/verbs.js'
import { parseNonce } from '../../schemas/nonce.js'
import { folderOf, withDataDir } from './data-options.js'
import { type OrderQuery, queryVenue } from './why/venue-answer.js'
import { venueLines, whyLines } from './why/why-lines.js'
import { OrderNotFound, type Wanted, whyOrder } from './why/why-order.js'

const about = `Explains why an order was admitted or rejected. It replays up to the order's batch
and prints every check of the engine, in order, with the values compared. It also prints the margin
scenario or term that decided, the missing amount, and the result. A rejected order has no id:
find it by wallet and nonce. A venue that runs on the folder also gives the times of the order's
stages.`

const examples = ['strikebook why --wallet 0x7e5f4552091a69125d5dfcb7b8c2659029395bdf --nonce 17']

interface WhyOptions {
  readonly dataDir: string
  readonly wallet?: string
  readonly nonce?: string
  readonly batch?: number
  readonly url?: string
  readonly json?: boolean
}

/** Runs `why`. */
export const runVerb: RunVerb = async (argv) => {
  const command = withDataDir(verbCommand('why', about, examples))
    .argument('[order]', 'order id', wholeNumber(1))
    .option('--wallet <address>', 'wallet of the command, with --nonce', addressOf)
    .option('--nonce <nonce>', 'nonce of the command, with --wallet', nonceOf)
    .option('--batch <number>', 'batch number, if several commands have the nonce', wholeNumber(1))
    .option(
      '--url <url>',
      'URL of the venue that has the stage times (default: the venue that runs on the data folder)',
    )
    .parse([...argv], { from: 'user' })
  const [orderId] = command.processedArgs as [number | undefined]
  const options = command.opts() as WhyOptions
  const wanted = wantedOf(orderId, options)
  const folder = folderOf(options.dataDir)
  const reply = await queryVenue(queryOf(wanted, options), options.url, options.dataDir)
  try {
    const value = whyOrder(folder, wanted, reply)
    printResult(options.json ?? false, value, whyLines(value))
  } catch (error) {
    if (!(error instanceof OrderNotFound) || reply.answer === null) throw error
    const value = { order: null, venue: reply.answer, notes: [error.message] }
    printResult(options.json ?? false, value, [...venueLines(reply.answer), error.message])
  }
  return ExitCode.Done
}

function wantedOf(orderId: number | undefined, { batch, nonce, wallet }: WhyOptions): Wanted {
  const isNonce = wallet !== undefined && nonce !== undefined
  const isHalf = !isNonce && (wallet !== undefined || nonce !== undefined)
  if (isHalf || (orderId === undefined) !== isNonce) {
    throw new UsageError('pass either an order id, or --wallet and --nonce')
  }
  const halves = new Uint32Array(2)
  parseNonce(nonce ?? '0', halves)
  return { orderId, wallet: wallet ?? '', nonce: halves, batch }
}

function queryOf({ orderId, wallet }: Wanted, { nonce = '' }: WhyOptions): OrderQuery {
  return orderId === undefined ? { wallet, nonce } : { order_id: orderId }
}

function nonceOf(text: string): string {
  if (parseNonce(text, new Uint32Array(2))) return text
  throw new InvalidArgumentError('Allowed: an integer from 0 to 2^64 - 1')
}
