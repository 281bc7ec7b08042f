import type { Result } from '../results.js'
import type { Answer } from './answer.js'
import { type Parameters, wallet } from './parameter.js'

/** Groups of operations, with their descriptions. */
export const groups = {
  Venue: 'Description and health of the venue',
  Market: 'Instruments, prices, books and trades',
  Account: 'Positions, orders, permissions and settings of one wallet',
  Money: 'Deposits and withdrawals',
  Competitions: 'Trading competitions and their leaderboards',
  RFQ: 'Requests for quote (RFQ): up to ten option legs of one underlying at one net premium',
  Referrals: 'Referral codes and referred wallets',
  Orders: 'Option orders',
  Perps: 'Perp orders, and directives',
  Push: 'Browser notifications',
} as const
export type Group = keyof typeof groups

/** Permitted readers where private reads are signed. */
export const readerWords = {
  anybody: 'anybody',
  wallet: 'a read session of the wallet that the query names; the query must name one',
  named: 'a read session of the wallet that the query names; anybody if it names none',
  auctioned: 'a read session of the wallet; anybody while the wallet is in auction',
} as const
export type Reader = keyof typeof readerWords

/** The part of the venue that answers a read: views of the read model, history store, or the gateway itself. */
export type AnsweredBy = 'views' | 'history' | 'gateway'

/** A read of the public interface. Its key in a table is method and path. */
export interface ReadRow<P extends Parameters = Parameters, Data = unknown> {
  readonly group: Group
  readonly summary: string
  /** Sentences about use, order and accuracy, where the summary is not enough. */
  readonly description?: string
  /** Parameters in addition to `min_seq`, which every read has. */
  readonly query: P
  readonly answer: Answer<Data>
  readonly reader: Reader
  readonly answeredBy: AnsweredBy
  /** Parameter that names the wallet that the read counts for. */
  readonly walletParameter: 'wallet' | 'account'
  /** Parameter that is the last part of the path instead of a part of the query. */
  readonly pathParameter?: string
  /** Description of the id that is the last part of the path; absent where `pathParameter` is present. */
  readonly pathId?: string
  /** Groups of parameters; a query has exactly one group. */
  readonly either?: readonly (readonly string[])[]
  /** Errors in addition to those of every read. */
  readonly errors?: readonly Result[]
  /** Fields of the body of a read by POST, as an example. */
  readonly example?: Readonly<Record<string, unknown>>
}

/** Reads by method and path. A path that ends in a slash is followed by a parameter. */
// biome-ignore lint/suspicious/noExplicitAny: a table holds rows of every type
export type ReadTable = Readonly<Record<string, ReadRow<any, any>>>

type Written<P extends Parameters, Data> = Omit<
  ReadRow<P, Data>,
  'query' | 'reader' | 'answeredBy' | 'walletParameter'
> &
  Partial<Pick<ReadRow<P, Data>, 'query' | 'reader' | 'answeredBy' | 'walletParameter'>>

/** A read that anybody may send, answered from the views unless it says otherwise. */
export function read<
  const P extends Parameters = Record<never, never>,
  Data = unknown,
  By extends AnsweredBy = 'views',
>(
  row: Written<P, Data> & { readonly answeredBy?: By },
): ReadRow<P, Data> & {
  readonly answeredBy: By
} {
  const defaults = { query: {} as P, reader: 'anybody', walletParameter: 'wallet' } as const
  return { ...defaults, answeredBy: 'views' as By, ...row }
}

/** A read that only the wallet itself may send where private reads are signed. */
export function walletRead<
  const P extends Parameters = Record<never, never>,
  Data = unknown,
  By extends AnsweredBy = 'views',
>({
  query,
  ...row
}: Written<P, Data> & { readonly answeredBy?: By }): ReadRow<
  { wallet: typeof wallet } & P,
  Data
> & {
  readonly answeredBy: By
} {
  const rest = { reader: 'wallet', ...row } as const
  return read({ ...rest, query: { wallet, ...query } as { wallet: typeof wallet } & P }) as never
}

/** Rows of a table that one part of the venue answers. */
export type RowsBy<T extends ReadTable, By extends AnsweredBy> = {
  readonly [Key in keyof T as T[Key] extends { readonly answeredBy: By } ? Key : never]: T[Key]
}

/** A page, a document, or a health check of the gateway. */
export interface ServiceRow<Data = unknown> {
  readonly group: Group
  readonly summary: string
  readonly description?: string
  /** Absent: not JSON. */
  readonly answer?: Answer<Data>
}

/** A page, a document, or a health check. */
export function service<Data = unknown>(row: ServiceRow<Data>): ServiceRow<Data> {
  return row
}
