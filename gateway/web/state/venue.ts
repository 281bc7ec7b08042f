import { signal } from '@preact/signals'
import type { ExchangeInfo } from '../../client/answer-types.js'
import type { StreamMessages } from '../../client/generated/interface.js'
import { RestClient } from '../../client/rest-client.js'
import { StreamClient } from '../../client/stream-client.js'
import { showFailure } from './notices.js'

/** Origin of the pages, which is that of the venue. */
export const venueUrl = location.origin

/** Client for public requests. */
export const rest = new RestClient({ url: venueUrl, rateLimit: 'wait' })
/** Stream of the public channels. */
export const stream = new StreamClient({
  url: venueUrl,
  onConnected: () => {
    isConnected.value = true
  },
  onDisconnected: () => {
    isConnected.value = false
  },
  onError: showFailure,
})

export const isConnected = signal(false)
/** Index prices in USD by underlying. */
export const indexPrices = signal<ReadonlyMap<string, number>>(new Map())
/** Answer of GET /exchange-info; null until loaded. */
export const venueInfo = signal<ExchangeInfo | null>(null)

/** Registers a handler for a message type of the public stream. */
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

/** Subscribes to the data of the top bar. */
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
