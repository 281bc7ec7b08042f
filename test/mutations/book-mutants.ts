import type { Mutant } from './mutant.js'

export const bookMutants: readonly Mutant[] = [
  {
    file: 'engine/matching/order-pool.ts',
    fault: 'the first handle beyond the table is looked up in it',
    original: 'handle < pool.slotOf.length',
    replacement: 'handle <= pool.slotOf.length',
  },
  {
    file: 'engine/matching/book.ts',
    fault: 'a maker that is filled stays with nothing open',
    original: 'makerLots > openLots',
    replacement: 'makerLots >= openLots',
  },
  {
    file: 'engine/matching/book.ts',
    fault: 'the modes of self-trade prevention stop the wrong order',
    original: 'stopped = selfTrade !== SelfTradeMode.CancelMaker',
    replacement: 'stopped = selfTrade === SelfTradeMode.CancelMaker',
  },
  {
    file: 'engine/matching/book.ts',
    fault: 'a replacement that adds liquidity only overlooks who stands behind its old order',
    original: 'levels.words[at | levelHead] === slot && levels.words[at | levelTail] === slot',
    replacement: 'levels.words[at | levelHead] === slot',
  },
  {
    file: 'engine/matching/price-grid.ts',
    fault: 'the last places of a decade are read as those of the next',
    original: '(priceIndex - 10_000) / mantissasPerDecade',
    replacement: 'priceIndex / mantissasPerDecade',
  },
  {
    file: 'engine/matching/fill-log.ts',
    fault: 'what was bought in a round counts as sold',
    original: 'buys ? lots[record] : -lots[record]',
    replacement: 'buys ? -lots[record] : lots[record]',
  },
  {
    file: 'engine/matching/order-pool.ts',
    fault: 'a saturated level total is subtracted from',
    original: 'lots[at] < levelLotsMax',
    replacement: 'lots[at] <= levelLotsMax',
  },
  {
    file: 'engine/matching/book.ts',
    fault: 'the position of a maker moves the wrong way',
    original: 'order.side === buy ? -sizeLots : sizeLots',
    replacement: 'order.side === buy ? sizeLots : -sizeLots',
  },
  {
    file: 'engine/matching/order-pool.ts',
    fault: 'of reduce-only orders at one price the oldest loses first',
    original: 'entryOrder]) > key',
    replacement: 'entryOrder]) >= key',
  },
  {
    file: 'engine/matching/watched-positions.ts',
    fault: 'a fok is tried on what the one before it left over',
    original: 'watched.trial = (watched.trial + 1) | 0',
    replacement: 'watched.trial |= 0',
  },
  {
    file: 'engine/matching/matcher.ts',
    fault: 'a closed book takes orders again as it was',
    original: 'matcher.books[instrument] = undefined',
    replacement: 'matcher.books[instrument]',
  },
]
