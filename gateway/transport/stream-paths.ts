/** Where WebSockets are opened. */
export const streamPaths = { clients: '/ws', providers: '/ws/quotes' } as const
