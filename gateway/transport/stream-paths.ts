/** Paths of the WebSockets. */
export const streamPaths = { clients: '/ws', providers: '/ws/quotes' } as const
