import { f64, f64s, header, i32, type LayoutGroup, one, recordsWith, unused } from './layout.js'
import { anyRecord } from './parts.js'

// Records between the core and its matchers. `handle` is the core's order slot: dense, unique while the order lives,
// and not reused before the batch that ended it is over. `ticket` is the command's place in its batch and comes back
// with everything that the command caused.

const anyOrder = header('AnyOrder', 'What every record to a matcher begins with.', anyRecord, [
  i32('ticket'),
])
const anyResult = header('AnyResult', 'What every record of a matcher begins with.', anyRecord, [
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
      'A Cancel uses ticket, instrument and handle; a CloseBook ticket and instrument: the book is dropped and ' +
        'answered by Done alone, since the core knows every order in it. A Position changed off the book, of an ' +
        'account with working reduce-only orders: it uses ticket, instrument, account and positionLots, is sent when ' +
        'the matcher owes nothing, and causes Removed and Reduced records. A DecideAuction is a Place of an order that ' +
        'is in no book yet, and for which somebody offers `quotedMicros`: it is carried out where the book fills it ' +
        'whole for as much, or better; else nothing happens, and Done says QuoteWins.',
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
          'Replace: the order that gives way; where `unbookedFlag` stands it is in no book, and open with `expectedOpenLots`',
        ),
        i32('round', 'changes when the core has applied everything that it heard so far'),
        f64(
          'expectedOpenLots',
          "Replace: open size of the old order as the core knows it; when the book's differs, nothing happens",
        ),
        f64(
          'positionLots',
          "Reduce-only: the account's position in the instrument at the beginning of the round, buys above zero",
        ),
        // What a fill counts for protection. All fills of a command are in its own instrument, so a matcher keeps no
        // greeks, and no re-mark has to be told to it.
        f64('nowMillis', 'engine time'),
        f64(
          'deltaMicros',
          "of the instrument's mark when the core decided the order, per contract",
        ),
        f64('vegaMicros'),
        f64(
          'quotedMicros',
          'Place: the best price that a provider shows against it, 0: none; DecideAuction: the price of the best quote',
        ),
        i32('underlying'),
        unused(4),
      ],
      { name: 'MatcherOrder' },
    ),
    order(
      { Mmp: 6 },
      'Sets, resets or removes the protection of an account and underlying; answered by Done alone. Set keeps the ' +
        'fills of a window, Reset forgets them and thaws, Delete ends the protection.',
      [
        one('action', 'MmpAction'),
        i32('account'),
        i32('underlying'),
        f64('intervalMillis'),
        f64('frozenMillis', 'how long a trigger freezes; 0: until reset'),
        f64s('limits', 3, 'micros by Measure; 0: no limit'),
        f64('frozenUntilMillis', 'as the core knows it'),
        f64('nowMillis', 'engine time'),
      ],
      { name: 'MatcherMmp' },
    ),
    order(
      { MmpEntry: 5 },
      'One entry of a protection window, at recovery; behind the Mmp record of the window.',
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
      'A reduce-only order lost size and works on with `openLots`, in its old place.',
      [i32('instrument'), i32('handle'), unused(4), f64('openLots')],
      { name: 'ReducedOrder' },
    ),
    result(
      { BookTop: 7 },
      'The best prices of a book, before Done says AsksAuction: the order of its ticket has not been placed.',
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
        f64('sizeLots', '0: the level is gone'),
      ],
      { name: 'ChangedLevel' },
    ),
    result(
      { Mmp: 6 },
      'Stands before the Fill that a protection window counts; removals that it triggers follow that.',
      [
        i32('account'),
        i32('underlying'),
        i32('triggers', 'MmpTrigger bits'),
        f64('sizeLots', 'above zero when the protected account buys'),
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
        f64('openLots', "what rests of the incoming order; OpenDiffers: the old order's open size"),
      ],
      { name: 'DoneCommand' },
    ),
  ],
}
