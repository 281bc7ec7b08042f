/** Keys of an act, with its description for the help. */
export interface KeyRow {
  readonly keys: readonly string[]
  readonly act: Act
  readonly words: string
}

export type Act =
  | 'up'
  | 'down'
  | 'calls'
  | 'puts'
  | 'expiry-next'
  | 'expiry-before'
  | 'underlying-next'
  | 'buy'
  | 'sell'
  | 'change-latest'
  | 'cancel-latest'
  | 'cancel-all'
  | 'rfq-buy'
  | 'rfq-sell'
  | 'perp'
  | 'protection'
  | 'agents'
  | 'theme'
  | 'help'
  | 'leave'
  | `panel-${number}`

/** Every key that acts while no input field has the focus. */
export const keyRows: readonly KeyRow[] = [
  { keys: ['ArrowUp', 'k'], act: 'up', words: 'strike above' },
  { keys: ['ArrowDown', 'j'], act: 'down', words: 'strike below' },
  { keys: ['ArrowLeft', 'h'], act: 'calls', words: 'to the calls' },
  { keys: ['ArrowRight', 'l'], act: 'puts', words: 'to the puts' },
  { keys: ['e'], act: 'expiry-next', words: 'next expiry' },
  { keys: ['E'], act: 'expiry-before', words: 'expiry before' },
  { keys: ['u'], act: 'underlying-next', words: 'next underlying' },
  { keys: ['b'], act: 'buy', words: 'ticket to buy at the ask; Enter sends it' },
  { keys: ['s'], act: 'sell', words: 'ticket to sell at the bid; Enter sends it' },
  { keys: ['c'], act: 'change-latest', words: 'change the latest order, of what is chosen first' },
  { keys: ['x'], act: 'cancel-latest', words: 'cancel the latest order' },
  { keys: ['X'], act: 'cancel-all', words: 'cancel all orders' },
  { keys: ['r'], act: 'rfq-buy', words: 'buy it as a leg of a request for quotes' },
  { keys: ['R'], act: 'rfq-sell', words: 'sell it as a leg of a request for quotes' },
  { keys: ['p'], act: 'perp', words: 'perp of the underlying, and the list of them' },
  { keys: ['g'], act: 'protection', words: 'market-maker protection' },
  { keys: ['a'], act: 'agents', words: 'agents' },
  { keys: ['t'], act: 'theme', words: 'light or dark' },
  { keys: ['?'], act: 'help', words: 'these keys' },
  {
    keys: ['Escape'],
    act: 'leave',
    words: 'leave a field, then this list or the change of an order',
  },
]

/** Returns the act of a key; null if it has none. Digits open panels. */
export function actOf(key: string): Act | null {
  if (/^[1-9]$/.test(key)) return `panel-${Number(key)}`
  return keyRows.find(({ keys }) => keys.includes(key))?.act ?? null
}
