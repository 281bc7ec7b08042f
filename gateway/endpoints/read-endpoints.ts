import { Envelope } from '../wire/answers.js'

/** A read of the public interface, under its method and path. */
export interface ReadEndpoint {
  readonly envelope: Envelope
  /** The query parameter that says whose read it is: it counts for this wallet. */
  readonly walletParameter: 'wallet' | 'account'
}

const bare = { envelope: Envelope.Bare, walletParameter: 'wallet' } as const
const success = { envelope: Envelope.Success, walletParameter: 'wallet' } as const
const data = { envelope: Envelope.Data, walletParameter: 'wallet' } as const

/** Answered by the read model. A row's place is the type of the records that ask for it. */
export const readModelEndpoints = {
  'GET /instruments': bare,
  'GET /instrument-specs': bare,
  'GET /markets': success,
  'GET /orderbook': bare,
  'GET /portfolio': data,
  'GET /options-summary': bare,
  'GET /authorized-agents': bare,
  'GET /user-tier': data,
  'GET /self-trade-prevention': data,
  'GET /mmp-config': data,
  'GET /risk/grid': data,
  // Its parameters are a body, which is passed on as its text.
  'POST /risk/simulate/orders': data,
  'GET /liquidation/status': data,
} as const satisfies Readonly<Record<string, ReadEndpoint>>
export type ReadModelEndpoint = keyof typeof readModelEndpoints
export const readModelKeys = Object.keys(readModelEndpoints) as ReadModelEndpoint[]

/** Path of one trade, up to its id. */
export const tradePath = '/trades/'

/** Answered from the history store, by a pool of query workers. */
export const historyEndpoints = {
  'GET /orders': success,
  'GET /orders/status': success,
  'GET /fills': success,
  'GET /settlement-payouts': success,
  'GET /trades': { ...success, walletParameter: 'account' },
  [`GET ${tradePath}`]: success,
  'GET /historical-theos': data,
  'GET /historical-theos/batch': data,
  'GET /liquidations': success,
  'GET /liquidation/history': success,
} as const satisfies Readonly<Record<string, ReadEndpoint>>
export type HistoryEndpoint = keyof typeof historyEndpoints

/** Answered by the gateway itself; none has parameters. */
export const serviceEndpoints = [
  'GET /exchange-info',
  'GET /health',
  'GET /version',
  'GET /ready',
] as const
export type ServiceEndpoint = (typeof serviceEndpoints)[number]

/** Method and path of a key. */
export function endpointOf(key: string): readonly [method: string, path: string] {
  const end = key.indexOf(' ')
  return [key.slice(0, end), key.slice(end + 1)]
}
