import { resolve } from 'node:path'
import { queryHolder } from '../../../engine/journal/data-lock.js'
import { errorOf } from '../../../engine/threads/error-of.js'
import { ApiError } from '../../../gateway/client/client-error.js'
import { RestClient } from '../../../gateway/client/rest-client.js'
import { orderTracesKept } from '../../../schemas/bounds.js'
import type { OrderStages, OrderWhy } from '../../../schemas/interface/orders.js'

/** Query for an order: by id, or by wallet and nonce. */
export type OrderQuery =
  | { readonly order_id: number }
  | { readonly wallet: string; readonly nonce: string }

/** Answer of a running venue, or a note that explains why there is none. */
export interface VenueReply {
  readonly answer: OrderWhy | null
  readonly note: string | null
}

/**
 * Asks a venue for the times of an order's stages.
 * @param url undefined: the venue whose address the lock of the folder publishes.
 */
export async function queryVenue(
  query: OrderQuery,
  url: string | undefined,
  dataDir: string,
): Promise<VenueReply> {
  const from = url ?? (await queryHolder(dataDir))
  if (from === null || from === '') return { answer: null, note: noAddress(from, dataDir) }
  try {
    const rest = new RestClient({ url: from })
    const path = '/orders/why'
    const { data } = await rest.request<{ data: OrderWhy }>('GET', path, { query: { ...query } })
    const isOld = data.source === 'store'
    return {
      answer: data,
      note: isOld ? `${from}: the venue started after this order` : null,
    }
  } catch (error) {
    const isUnknown = error instanceof ApiError && error.status === 404
    const what = isUnknown
      ? `the venue there does not have this order: it keeps the latest ${orderTracesKept} commands of each gateway`
      : errorOf(error).message
    const hint =
      url === undefined ? ` (address of the venue on ${resolve(dataDir)}; ${urlHint})` : ''
    return { answer: null, note: `${from}: ${what}${hint}` }
  }
}

const urlHint = 'select another with --url'

function noAddress(published: string | null, dataDir: string): string {
  const folder = resolve(dataDir)
  return published === null
    ? `no venue runs on ${folder}, and only a running venue has them; select another venue with --url`
    : `the venue on ${folder} has no address yet: it is starting or busy; ${urlHint}`
}

/** Returns the reply if it is about this batch, else a note: another venue may listen at the same address. */
export function ofBatch(reply: VenueReply, batchNumber: number): VenueReply {
  const number = reply.answer?.batch?.number ?? batchNumber
  if (number === batchNumber) return reply
  return { answer: null, note: 'the venue at this address runs on another folder' }
}

/** Returns the stage times; null if the venue measured none. */
export function stagesOf({ answer }: VenueReply): OrderStages | null {
  return answer?.source === 'measured' ? answer.stages : null
}
