import { InvalidArgumentError } from 'commander'
import { ExitCode } from '../../gateway/command-line/exit-code.js'
import { addressOf, wholeNumber } from '../../gateway/command-line/option-readers.js'
import { printResult, UsageError, verbCommand } from '../../gateway/command-line/verb-command.js'
import type { RunVerb } from '../../gateway/command-line/verbs.js'
import { parseNonce } from '../../schemas/nonce.js'
import { folderOf, withDataDir } from './data-options.js'
import { type Asked, askVenue } from './why/venue-answer.js'
import { venueLines, whyLines } from './why/why-lines.js'
import { OrderNotFound, type Wanted, whyOrder } from './why/why-order.js'

const about = `Says why an order was admitted or refused: by replay up to its batch, every check that the engine has
made, in its order, with what it compared; the margin scenario or term that bound the order; what
it would have needed; and what became of it. What was refused has no id: it is found by wallet and
nonce. A venue that runs on the folder also gives the times of the order's stages.`

const examples = ['strikebook why --wallet 0x7e5f4552091a69125d5dfcb7b8c2659029395bdf --nonce 17']

interface WhyOptions {
  readonly dataDir: string
  readonly wallet?: string
  readonly nonce?: string
  readonly batch?: number
  readonly url?: string
  readonly json?: boolean
}

/** Explains the order that the command line names. */
export const runVerb: RunVerb = async (argv) => {
  const command = withDataDir(verbCommand('why', about, examples))
    .argument('[order]', 'order id', wholeNumber(1))
    .option('--wallet <address>', 'whose command it was', addressOf)
    .option('--nonce <nonce>', 'of the command', nonceOf)
    .option(
      '--batch <number>',
      'of several commands with the nonce, that of this batch',
      wholeNumber(1),
    )
    .option(
      '--url <url>',
      'venue to ask for the times of stages (default: the one that runs on the folder)',
    )
    .parse([...argv], { from: 'user' })
  const [orderId] = command.processedArgs as [number | undefined]
  const options = command.opts() as WhyOptions
  const wanted = wantedOf(orderId, options)
  const folder = folderOf(options.dataDir)
  const word = await askVenue(askedOf(wanted, options), options.url, options.dataDir)
  try {
    const value = whyOrder(folder, wanted, word)
    printResult(options.json ?? false, value, whyLines(value))
  } catch (error) {
    if (!(error instanceof OrderNotFound) || word.answer === null) throw error
    const value = { order: null, venue: word.answer, notes: [error.message] }
    printResult(options.json ?? false, value, [...venueLines(word.answer), error.message])
  }
  return ExitCode.Done
}

function wantedOf(orderId: number | undefined, { batch, nonce, wallet }: WhyOptions): Wanted {
  const isNonce = wallet !== undefined && nonce !== undefined
  const isHalf = !isNonce && (wallet !== undefined || nonce !== undefined)
  if (isHalf || (orderId === undefined) !== isNonce) {
    throw new UsageError('name an order id, or --wallet and --nonce')
  }
  const halves = new Uint32Array(2)
  parseNonce(nonce ?? '0', halves)
  return { orderId, wallet: wallet ?? '', nonce: halves, batch }
}

function askedOf({ orderId, wallet }: Wanted, { nonce = '' }: WhyOptions): Asked {
  return orderId === undefined ? { wallet, nonce } : { order_id: orderId }
}

function nonceOf(text: string): string {
  if (parseNonce(text, new Uint32Array(2))) return text
  throw new InvalidArgumentError('a nonce: digits up to 2^64 - 1')
}
