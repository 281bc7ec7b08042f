/** Notification for one subscription, as the read model writes it. */
export interface PushNotice {
  /** Id of the subscription. */
  readonly id: number
  readonly wallet: string
  readonly endpoint: string
  /** Base64 of the browser's public key and secret. */
  readonly keys: string
  readonly payload: { readonly type: string; readonly timestamp: number }
}

/** Result of one attempt. */
export type PushOutcome =
  | { readonly kind: 'delivered' | 'gone' | 'refused' | 'failed' }
  /** Retry; `afterMillis` is the delay that the push service requests. */
  | { readonly kind: 'retry'; readonly afterMillis: number }
