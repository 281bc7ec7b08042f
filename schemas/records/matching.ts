import { f64, f64s, header, i32, type LayoutGroup, one, recordsWith, unused } from './layout.js'
import { anyRecord } from './parts.js'

// Records between the core and its matchers. `handle` is the core's order slot: dense, unique while the order lives,
// and not reused before the batch that ended it is done. `ticket` is the index of a command in its batch, and is
// returned with every result of the command.

const anyOrder = header('AnyOrder', 'Header of every record to a matcher.', anyRecord, [
  i32('ticket'),
])
const anyResult = header('AnyResult', 'Header of every record from a matcher.', anyRecord, [
  i32('ticket'),
])
const order = recordsWith('', anyOrder)
const result = recordsWith('', anyResult)

/** Core to matcher, on the order ring. */
export const orders: LayoutGroup = {
  file: 'orders',
  typeName: 'OrderRecord',
  typeDoc: 'Core to matcher, on the order ring.',
  layouts: [
    anyOrder,
    order(
      { Place: 1, Replace: 2, Cancel: 3, CloseBook: 4, Position: 7, DecideAuction: 8 },
      'A Cancel uses ticket, instrument and handle. A CloseBook uses ticket and instrument: the book is dropped and ' +
        'only Done is sent, since the core knows every order in it. A Position changed off the book, of an ' +
        'account with working reduce-only orders. It uses ticket, instrument, account and positionLots, is sent when ' +
        'the matcher owes no results, and causes Removed and Reduced records. A DecideAuction is a Place of an order ' +
        'after its auction, with the best quote `quotedMicros`. The order executes if the book fills it ' +
        'completely at that price or better. Otherwise nothing happens, and Done has QuoteWins.',
      [
        i32('instrument'),
        i32('handle'),
        i32('account'),
        one('side', 'Side'),
        one('tif', 'Tif'),
        i32('flags', 'OrderFlag bits, and `countsAsTakerFlag`'),
        one('selfTrade', 'SelfTradeMode', 'of the account'),
        f64('priceMicros', 'at most 5 significant figures'),
        f64('sizeLots', 'quantity to match now'),
        i32(
          'oldHandle',
          'Replace: the old order; with `unbookedFlag` it is in no book, and open with `expectedOpenLots`',
        ),
        i32('round', 'changes when the core has applied all results so far'),
        f64(
          'expectedOpenLots',
          "Replace: open size of the old order in the core; if the book's differs, nothing happens",
        ),
        f64(
          'positionLots',
          "Reduce-only: the account's position in the instrument at the start of the round, positive if long",
        ),
        // Values that a fill counts for protection. All fills of a command are in its own instrument, so a matcher
        // stores no greeks and needs no re-marks.
        f64('nowMillis', 'engine time'),
        f64(
          'deltaMicros',
          "of the instrument's mark when the core decided the order, per contract",
        ),
        f64('vegaMicros'),
        f64(
          'quotedMicros',
          'Place: best indicative price of a provider, 0: none; DecideAuction: price of the best quote',
        ),
        i32('underlying'),
        unused(4),
      ],
      { name: 'MatcherOrder' },
    ),
    order(
      { Mmp: 6 },
      'Sets, resets or removes the protection of an account and underlying; only Done is sent. Set keeps the ' +
        'fills of a window, Reset removes them and ends the freeze, Delete ends the protection.',
      [
        one('action', 'MmpAction'),
        i32('account'),
        i32('underlying'),
        f64('intervalMillis'),
        f64('frozenMillis', 'duration of a freeze; 0: until reset'),
        f64s('limits', 3, 'micros by Measure; 0: no limit'),
        f64('frozenUntilMillis', 'as in the core'),
        f64('nowMillis', 'engine time'),
      ],
      { name: 'MatcherMmp' },
    ),
    order(
      { MmpEntry: 5 },
      'One entry of a protection window, at recovery; follows the Mmp record of the window.',
      [
        i32('zero'),
        i32('account'),
        i32('underlying'),
        f64('entryMillis'),
        f64s('amounts', 6, 'micros and remainder by Measure'),
      ],
      { name: 'MatcherMmpEntry' },
    ),
  ],
}

/** Matcher to core, on the result ring, in the order of the commands that caused them. */
export const results: LayoutGroup = {
  file: 'results',
  typeName: 'ResultRecord',
  typeDoc: 'Matcher to core, on the result ring, in the order of the commands that caused them.',
  layouts: [
    anyResult,
    result(
      { Fill: 1 },
      "One trade at the maker's price.",
      [
        i32('instrument'),
        i32('makerHandle'),
        i32('takerHandle'),
        f64('priceMicros'),
        f64('sizeLots'),
      ],
      { name: 'MatchedFill' },
    ),
    result(
      { Removed: 2 },
      'An order left the book, or never entered it, with `openLots` unfilled.',
      [i32('instrument'), i32('handle'), one('cause', 'RemovedCause'), f64('openLots')],
      { name: 'RemovedOrder' },
    ),
    result(
      { Reduced: 5 },
      'A reduce-only order lost size and stays at its place with `openLots`.',
      [i32('instrument'), i32('handle'), unused(4), f64('openLots')],
      { name: 'ReducedOrder' },
    ),
    result(
      { BookTop: 7 },
      'The best prices of a book, before a Done with AsksAuction: the order of its ticket was not placed.',
      [i32('instrument'), f64('bidMicros', '0: none'), f64('askMicros', '0: none')],
      { name: 'BookTop' },
    ),
    result(
      { Level: 3 },
      'Total size at a price after a command changed it; one record per level and command.',
      [
        i32('instrument'),
        one('side', 'Side', 'of the resting orders'),
        unused(4),
        f64('priceMicros'),
        f64('sizeLots', '0: the level was removed'),
      ],
      { name: 'ChangedLevel' },
    ),
    result(
      { Mmp: 6 },
      'Precedes the Fill that a protection window counts; triggered removals follow the Fill.',
      [
        i32('account'),
        i32('underlying'),
        i32('triggers', 'MmpTrigger bits'),
        f64('sizeLots', 'positive if the protected account buys'),
        f64('deltaMicros'),
        f64('vegaMicros'),
      ],
      { name: 'CountedFill' },
    ),
    result(
      { Done: 4 },
      'The last record of every command.',
      [
        one('outcome', 'DoneOutcome'),
        f64(
          'openLots',
          "resting lots of the incoming order; OpenDiffers: the old order's open size",
        ),
      ],
      { name: 'DoneCommand' },
    ),
  ],
}
