import { marketMessages } from './market-messages.js'
import type { MessagesOf } from './message.js'
import type { providerMessages } from './provider-messages.js'
import { streamReplies } from './stream-replies.js'
import { walletMessages } from './wallet-messages.js'

/** Messages of `/ws` by type. */
export const messages = { ...streamReplies, ...marketMessages, ...walletMessages }

type Messages = MessagesOf<typeof messages>
type ProviderMessages = MessagesOf<typeof providerMessages>

/** A message of `/ws` of one type. */
export type MessageOf<Type extends keyof Messages> = Messages[Type]
/** A message of `/ws`. */
export type ClientMessage = Messages[keyof Messages]
/** A message of `/ws/quotes`. */
export type ProviderMessage = ProviderMessages[keyof ProviderMessages]
/** An error of a quote provider. */
export type ProviderError = ProviderMessages['error']
/** A row of quotes that the venue did not accept. */
export type RefusedRow = NonNullable<ProviderError['rows']>[number]
