/** Serving library: uWebSockets.js or Node's own server. */
export type TransportKind = 'native' | 'node'
/** Configured library. `auto` selects the native one if its binary loads. */
export type TransportWish = 'auto' | TransportKind
export const transportWishes: readonly TransportWish[] = ['auto', 'native', 'node']
