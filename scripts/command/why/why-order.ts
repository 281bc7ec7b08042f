import type { SeenOrder } from '../../../engine/core/orders/explain-order.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import { AdmissionReplay, type DecidedCommand } from '../../venue-data/admission-story.js'
import {
  type BatchPlace,
  type CommandPlace,
  findById,
  findByNonce,
  type Searched,
} from '../../venue-data/find-order.js'
import type { VenueFolder } from '../../venue-data/venue-folder.js'
import { afterwardsOf } from './afterwards.js'
import { ofBatch, stagesOf, type VenueReply } from './venue-answer.js'
import {
  checkValues,
  decisionValue,
  marginValue,
  neededValue,
  neighbourValue,
  orderValue,
} from './why-value.js'

/** Order to explain. */
export interface Wanted {
  /** Undefined: the order is found by wallet and nonce. */
  readonly orderId: number | undefined
  readonly wallet: string
  readonly nonce: Uint32Array
  /** Selects a batch if several commands have the nonce. */
  readonly batch: number | undefined
}

/** The order was not found. The message names the range that was searched. */
export class OrderNotFound extends Error {
  override readonly name = 'OrderNotFound'
}

const neighboursMax = 5
const stepsMax = 50
const orderTypes: readonly CommandType[] = [CommandType.PlaceOrder, CommandType.ReplaceOrder]

/** Explains from the journal why an order was admitted or rejected, and adds the stage times that the venue measured. */
export function whyOrder(folder: VenueFolder, wanted: Wanted, reply: VenueReply) {
  const { others, place } = placeOf(folder, wanted)
  const replay = new AdmissionReplay(folder, place)
  const { state, watched } = replay
  const command = commandOf(watched, place, wanted)
  const { seen } = command
  const order = orderValue(command)
  const ownReply = ofBatch(reply, watched.batchNumber)
  const waiting = order.orderId === null ? null : replay.waiting(order.orderId)
  const index = watched.commands.indexOf(command)
  return {
    order,
    decision: decisionValue(state, seen, order),
    checks: checkValues(seen),
    margin: marginValue(seen),
    needed: neededValue(seen),
    batch: {
      number: watched.batchNumber,
      time: watched.timeMillis,
      firstSeq: watched.firstSeq,
      lastSeq: watched.lastSeq,
      segment: folder.placeOf(watched.segment),
      commands: watched.commands.length,
      place: command.place < 0 ? null : command.place,
      neighbours: neighboursOf(watched.commands, index).map((one) =>
        neighbourValue(one, one === command),
      ),
    },
    afterwards:
      order.orderId === null
        ? null
        : afterwardsOf(replay.follow(order.orderId), order.orderId, waiting, stepsMax),
    sameNonce: others,
    stages: stagesOf(ownReply),
    stagesNote: ownReply.note,
    notes: notesOf(command, others),
  }
}

export type WhyValue = ReturnType<typeof whyOrder>

type Explained = DecidedCommand & { readonly seen: SeenOrder }

function commandOf(
  { batchNumber, commands, own }: AdmissionReplay['watched'],
  place: BatchPlace | CommandPlace,
  { orderId }: Wanted,
): Explained {
  const all = [...commands, ...own]
  const isMeant = ({ at, seen }: DecidedCommand) =>
    orderId === undefined ? 'at' in place && at === place.at : seen?.orderId === orderId
  const command = all.find(isMeant)
  if (command !== undefined && command.seen !== null) return command as Explained
  throw new OrderNotFound(
    `no command of batch ${batchNumber} placed order ${orderId}: either no order has this id, or the engine ` +
      'placed it to liquidate a wallet, and such orders need no admission',
  )
}

function placeOf(folder: VenueFolder, wanted: Wanted) {
  const { batch, nonce, orderId, wallet } = wanted
  if (orderId !== undefined) {
    const { place, searched } = findById(folder, orderId)
    if (place === null) throw notFound(`order ${orderId}`, searched)
    return { place, others: [] }
  }
  const { places, searched } = findByNonce(folder, wallet, nonce)
  const what = `an order of ${wallet} with this nonce`
  const orders = places.filter(({ type }) => orderTypes.includes(type))
  const meant = orders.filter(({ batchNumber }) => batch === undefined || batchNumber === batch)
  const place = meant.at(-1)
  if (place === undefined) throw notFound(what, searched, placesNote(places, orders))
  return {
    place,
    others: orders.filter((one) => one !== place).map(({ batchNumber }) => batchNumber),
  }
}

/** Explains why no order of the wanted batch has the nonce. */
function placesNote(places: readonly CommandPlace[], orders: readonly CommandPlace[]): string {
  const [other] = orders.length > 0 ? orders : places
  if (other === undefined) {
    return (
      'a request that failed in a gateway (form, tick, signature or rate limit) is not in the journal; a running ' +
      'venue may ' +
      'still explain it (GET /orders/why)'
    )
  }
  const [name] = Object.entries(CommandType).find(([, type]) => type === other.type)!
  return `batch ${other.batchNumber} has a ${name} with it`
}

function notFound(what: string, { fromBatch, notes, toBatch }: Searched, more = ''): OrderNotFound {
  const range =
    toBatch < fromBatch
      ? 'the journal has no batches to search'
      : `searched batches ${fromBatch} to ${toBatch}`
  return new OrderNotFound(
    [`${what} was not found: ${range}`, ...notes, ...(more === '' ? [] : [more])].join('; '),
  )
}

function neighboursOf(commands: readonly DecidedCommand[], index: number) {
  if (index < 0) return commands.slice(0, neighboursMax)
  return commands.slice(Math.max(0, index - neighboursMax), index + neighboursMax + 1)
}

function notesOf({ place }: DecidedCommand, others: readonly number[]): readonly string[] {
  const own =
    'no command placed it: the engine placed it when a request for quote fell back to the book'
  const batches = [...new Set(others)].join(', ')
  return [
    ...(place < 0 ? [own] : []),
    ...(others.length === 0
      ? []
      : [`other commands with its nonce: in batches ${batches} (--batch shows them)`]),
  ]
}
