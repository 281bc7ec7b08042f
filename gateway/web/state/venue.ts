import { signal } from '@preact/signals'
import type { ExchangeInfo } from '../../client/answer-types.js'
import type { StreamMessages } from '../../client/generated/interface.js'
import { RestClient } from '../../client/rest-client.js'
import { StreamClient } from '../../client/stream-client.js'
import { tellFailure } from './notices.js'

/** Where the pages come from is the venue. */
export const venueUrl = location.origin

/** For what names no wallet. */
export const rest = new RestClient({ url: venueUrl, rateLimit: 'wait' })
/** Public channels. */
export const stream = new StreamClient({
  url: venueUrl,
  onConnected: () => {
    isConnected.value = true
  },
  onDisconnected: () => {
    isConnected.value = false
  },
  onError: tellFailure,
})

export const isConnected = signal(false)
/** Of underlyings, USD. */
export const indexPrices = signal<ReadonlyMap<string, number>>(new Map())
/** What the venue says of itself; null until it has. */
export const venueInfo = signal<ExchangeInfo | null>(null)

/** What of the public stream each part of the page hears, by type of message. */
export function onMessage<Type extends keyof StreamMessages>(
  type: Type,
  hear: (message: StreamMessages[Type]) => void,
): void {
  stream.listen({
    onMessage: (message) => {
      if (message.type === type) hear(message as StreamMessages[Type])
    },
  })
}

/** Asks for what stands above everything else. */
export function startVenue(): void {
  onMessage('IndexPriceUpdate', ({ prices }) => {
    const known = new Map(indexPrices.value)
    for (const { underlying, price } of prices) known.set(underlying, Number(price))
    indexPrices.value = known
  })
  stream.subscribe('index_prices')
  void loadInfo()
}

async function loadInfo(): Promise<void> {
  try {
    venueInfo.value = await rest.request<ExchangeInfo>('GET', '/exchange-info')
  } catch {
    setTimeout(loadInfo, retryMillis)
  }
}

const retryMillis = 2000
