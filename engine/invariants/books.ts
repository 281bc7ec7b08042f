import type { InvariantName } from '../../schemas/domain.js'
import { assertBookConsistent } from '../matching/book-check.js'
import type { Matcher } from '../matching/matcher.js'
import {
  BookDigest,
  type BookDigestState,
  type BookSlice,
  digestOfCore,
  digestOfMatcher,
} from './book-digest.js'
import { type Breach, breachOf } from './breach.js'

const ofCore = new BookDigest()
const ofMatcher = new BookDigest()

/** Checks that the orders of a slice rest in the matcher's books as in the core. */
export function sliceBreach(
  state: BookDigestState,
  matchers: readonly Matcher[],
  slice: BookSlice,
): Breach | null {
  if (!digestOfCore(state, slice, ofCore)) return null
  digestOfMatcher(matchers[slice.matcher], slice, ofMatcher)
  return ofCore.isSame(ofMatcher) ? null : otherBook('book', slice, ofCore, ofMatcher)
}

/** Breach: core and matcher have different orders. */
export function otherBook(
  invariant: InvariantName,
  { matcher, firstHandle, handles }: BookSlice,
  core: BookDigest,
  found: BookDigest,
): Breach {
  const last = firstHandle + handles - 1
  const text =
    `of the orders ${firstHandle} to ${last} of matcher ${matcher} the core has ${core.count} working, ` +
    `the books ${found.count}${core.count === found.count ? ', with other sizes or prices' : ''}`
  const amounts = { matcher, firstHandle, coreOrders: core.count, bookOrders: found.count }
  return breachOf(invariant, `${matcher} ${firstHandle}`, text, amounts)
}

/** Checks that a book is consistent: levels are the sums of their orders, queues are linked, it is not crossed. */
export function structureBreach(
  { instruments }: BookDigestState,
  matchers: readonly Matcher[],
  instrument: number,
): Breach | null {
  const matcher = instruments.underlying[instrument] % matchers.length
  const book = matchers[matcher].books[instrument]
  if (book === undefined) return null
  try {
    assertBookConsistent(book)
    return null
  } catch (error) {
    const text = `book of instrument ${instrument}: ${(error as Error).message}`
    return breachOf('book', `of instrument ${instrument}`, text, { instrument })
  }
}
