import { errorOf } from '../../../engine/threads/error-of.js'
import { ApiError } from '../../../gateway/client/client-error.js'
import { RestClient } from '../../../gateway/client/rest-client.js'
import type { OrderStages, OrderWhy } from '../../../gateway/wire/order-why-text.js'

/** Which order a venue is asked about. */
export type Asked =
  | { readonly order_id: number }
  | { readonly wallet: string; readonly nonce: string }

/** What a running venue knows beside the journal; a note says why there is nothing. */
export interface VenueWord {
  readonly answer: OrderWhy | null
  readonly note: string | null
}

const urlDefault = 'http://127.0.0.1:8080'

/**
 * Asks the venue of a folder for the times of an order's stages.
 * @param holder process that has the folder; null: none, and only a venue that is named is asked.
 */
export async function askVenue(
  asked: Asked,
  url: string | undefined,
  holder: number | null,
): Promise<VenueWord> {
  if (url === undefined && holder === null) {
    const note = 'no venue runs on this folder: times of stages are known to a running one alone'
    return { answer: null, note }
  }
  const from = url ?? urlDefault
  try {
    const rest = new RestClient({ url: from })
    const path = '/orders/why'
    const { data } = await rest.request<{ data: OrderWhy }>('GET', path, { query: { ...asked } })
    const isOld = data.source === 'store'
    return { answer: data, note: isOld ? `${from}: it is from before the venue's start` : null }
  } catch (error) {
    const isUnknown = error instanceof ApiError && error.status === 404
    const what = isUnknown
      ? 'that venue knows nothing of it, or no more: it keeps the latest 65,536 commands of each gateway'
      : errorOf(error).message
    const hint = url === undefined ? ' (--url names another place)' : ''
    return { answer: null, note: `${from}: ${what}${hint}` }
  }
}

/** The answer if it is about the order of this batch: another venue may answer at the same place. */
export function ofBatch(word: VenueWord, batchNumber: number): VenueWord {
  const number = word.answer?.batch?.number ?? batchNumber
  if (number === batchNumber) return word
  return { answer: null, note: 'the venue that answers there is not that of this folder' }
}

/** Times of the stages; null where none were measured. */
export function stagesOf({ answer }: VenueWord): OrderStages | null {
  return answer?.source === 'measured' ? answer.stages : null
}
