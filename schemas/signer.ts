/** Who may have signed a command, as its wallet sees it. */
export const Signer = { Stranger: 0, Owner: 1, Agent: 2 } as const
export type Signer = (typeof Signer)[keyof typeof Signer]
