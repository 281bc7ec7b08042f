// Exports of `import … from 'strikebook/client'`. There is one entry file because a package has one name. Inside the
// package, import the file that defines the name.
export type { AccountMethods } from './account-methods.js'
export {
  type Account,
  type EthersSigner,
  signerOfAccount,
  type ViemAccount,
} from './account-signer.js'
export {
  type AcceptedOrder,
  ApiError,
  BusyError,
  ConnectionError,
  expectAccepted,
  ProtocolError,
  RateLimitError,
  RejectedError,
  SignatureError,
  StrikebookError,
} from './client-error.js'
export {
  type DirectiveClient,
  type DirectiveTerms,
  type LargeInteger,
  signDirective,
} from './directives.js'
export { type Fill, FillFeed, type FillFeedOptions } from './fill-feed.js'
export type { StreamMessages } from './generated/interface.js'
export type { RateWindow } from './known-rate-windows.js'
export {
  type BookLevel,
  type BookState,
  LocalBook,
  type LocalBookOptions,
} from './local-book.js'
export { netPremiumOf } from './net-premium-of.js'
export { createNonceSource, type NonceSource } from './nonce-source.js'
export {
  type FedOrder,
  OrderFeed,
  type OrderFeedOptions,
  type PlacedOrder,
} from './order-feed.js'
export {
  type PerpSigningContext,
  signPerpCancel,
  signPerpCancelByClientId,
  signPerpOrder,
} from './perp-actions.js'
export {
  QuoteProviderClient,
  type QuoteProviderOptions,
  type QuoteTerms,
  type RfqRequest,
} from './quote-provider-client.js'
export { type HeldSession, ReadSessions } from './read-sessions.js'
export { RestClient, type RestOptions } from './rest-client.js'
export {
  type AccountTerms,
  digestOfBody,
  type SignedBody,
  type SigningContext,
  signAcceptRfqQuote,
  signAction,
  signCancelByClientId,
  signCancelOnDisconnect,
  signCancelOrder,
  signPlaceOrder,
  signReplaceOrder,
  signRfq,
  signRfqFrame,
} from './signed-actions.js'
export { createSigner, type Signer } from './signer.js'
export { StreamClient } from './stream-client.js'
export type {
  CancelAllResult,
  CancelOnDisconnectResult,
  ChannelMessage,
  ChannelName,
  DeadManResult,
  OrderResult,
  PublishedMessage,
  RfqAcceptResult,
  RfqStatusUpdate,
  StreamFilters,
  StreamListener,
  StreamMessage,
  StreamOptions,
} from './stream-types.js'
export {
  connectStrikebook,
  StrikebookClient,
  type StrikebookOptions,
} from './strikebook-client.js'
