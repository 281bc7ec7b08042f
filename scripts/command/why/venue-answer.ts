import { errorOf } from '../../../engine/threads/error-of.js'
import { RestClient } from '../../../gateway/client/rest-client.js'

/** Which order a venue is asked about. */
export type Asked =
  | { readonly order_id: number }
  | { readonly wallet: string; readonly nonce: string }

/** The answer of `GET /orders/why`, as far as something is read of it. */
export interface VenueAnswer {
  readonly wallet: string
  readonly status: string
  readonly reason: string | null
  readonly stages: Readonly<Record<string, number | null>> | null
  readonly batch: { readonly number: number } | null
  readonly check: Readonly<Record<string, unknown>> | null
}

/** What a running venue knows beside the journal; a note says why there is nothing. */
export interface VenueWord {
  readonly answer: VenueAnswer | null
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
    const { data } = await rest.request<{ data: VenueAnswer }>('GET', path, { query: { ...asked } })
    return { answer: data, note: null }
  } catch (error) {
    return { answer: null, note: `${from}: ${errorOf(error).message}` }
  }
}

/** The answer if it is about the order of this batch: another venue may answer at the same place. */
export function ofBatch(word: VenueWord, batchNumber: number): VenueWord {
  const number = word.answer?.batch?.number ?? batchNumber
  if (number === batchNumber) return word
  return { answer: null, note: 'the venue that answers there is not that of this folder' }
}
