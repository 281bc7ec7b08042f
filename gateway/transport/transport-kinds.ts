/** Which library serves: the native one, or Node's own. */
export type TransportKind = 'native' | 'node'
/** As configured: `auto` is the native one wherever it has a binary that loads. */
export type TransportWish = 'auto' | TransportKind
export const transportWishes: readonly TransportWish[] = ['auto', 'native', 'node']
