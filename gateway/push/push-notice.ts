/** A notification for one subscription, as the read model writes it. */
export interface PushNotice {
  /** Of the subscription. */
  readonly id: number
  readonly wallet: string
  readonly endpoint: string
  /** Base64 of the browser's point and secret. */
  readonly keys: string
  readonly payload: { readonly type: string; readonly timestamp: number }
}

/** What has become of one attempt. */
export type PushOutcome =
  | { readonly kind: 'delivered' | 'gone' | 'refused' | 'failed' }
  /** Later; `afterMillis`: the push service says how much. */
  | { readonly kind: 'retry'; readonly afterMillis: number }
