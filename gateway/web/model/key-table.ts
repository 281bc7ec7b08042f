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
  { keys: ['ArrowUp', 'k'], act: 'up', words: 'Next strike up' },
  { keys: ['ArrowDown', 'j'], act: 'down', words: 'Next strike down' },
  { keys: ['ArrowLeft', 'h'], act: 'calls', words: 'Go to calls' },
  { keys: ['ArrowRight', 'l'], act: 'puts', words: 'Go to puts' },
  { keys: ['e'], act: 'expiry-next', words: 'Next expiry' },
  { keys: ['E'], act: 'expiry-before', words: 'Previous expiry' },
  { keys: ['u'], act: 'underlying-next', words: 'Next underlying' },
  { keys: ['b'], act: 'buy', words: 'Open the ticket to buy at the ask; Enter sends' },
  { keys: ['s'], act: 'sell', words: 'Open the ticket to sell at the bid; Enter sends' },
  {
    keys: ['c'],
    act: 'change-latest',
    words: 'Change the latest order, preferring the selected instrument',
  },
  { keys: ['x'], act: 'cancel-latest', words: 'Cancel the latest order' },
  { keys: ['X'], act: 'cancel-all', words: 'Cancel all orders' },
  { keys: ['r'], act: 'rfq-buy', words: 'Add a buy leg to the RFQ' },
  { keys: ['R'], act: 'rfq-sell', words: 'Add a sell leg to the RFQ' },
  { keys: ['p'], act: 'perp', words: 'Select the perp of the underlying and open Perps' },
  { keys: ['g'], act: 'protection', words: 'Open market-maker protection' },
  { keys: ['a'], act: 'agents', words: 'Open agents' },
  { keys: ['t'], act: 'theme', words: 'Switch theme' },
  { keys: ['?'], act: 'help', words: 'Show this help' },
  {
    keys: ['Escape'],
    act: 'leave',
    words: 'Leave a field, close this help, or discard an order change',
  },
]

/** Returns the act of a key; null if it has none. Digits open panels. */
export function actOf(key: string): Act | null {
  if (/^[1-9]$/.test(key)) return `panel-${Number(key)}`
  return keyRows.find(({ keys }) => keys.includes(key))?.act ?? null
}
