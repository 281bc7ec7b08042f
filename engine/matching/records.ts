// Records between the core and its matchers. `handle` is the core's order slot: dense, unique while the order
// lives, and not reused before the batch that ended it is over. `ticket` is the command's place in its batch
// and comes back with everything that the command caused. Every record begins with the ring's 8 header bytes.

/** Core to matcher, on the order ring. */
export const OrderRecord = {
  Place: 1,
  Replace: 2,
  Cancel: 3,
  CloseBook: 4,
  /** Integer greeks of an instrument's mark, for protection windows. */
  Greeks: 5,
  /** Sets, resets or removes the protection of an account and underlying. */
  Mmp: 6,
  /** A position that changed off the book, of an account with working reduce-only orders. */
  Position: 7,
} as const

export const orderTicketAt = 8 // i32
export const orderInstrumentAt = 12 // i32
export const orderHandleAt = 16 // i32
export const orderAccountAt = 20 // i32
export const orderSideAt = 24 // i32, Side
export const orderTifAt = 28 // i32, Tif
export const orderFlagsAt = 32 // i32, OrderFlag bits
export const orderSelfTradeAt = 36 // i32, SelfTradeMode of the account
export const orderPriceMicrosAt = 40 // f64, at most 5 significant figures
export const orderSizeLotsAt = 48 // f64, quantity to match now
export const orderOldHandleAt = 56 // i32, Replace: the order that gives way
export const orderRoundAt = 60 // i32, changes when the core has applied everything that it heard so far
export const orderRecordBytes = 80
/** Replace: open size of the old order as the core knows it; when the book's differs, nothing happens. */
export const orderExpectedOpenLotsAt = 64 // f64
/** Reduce-only: the account's position in the instrument at the beginning of the round, buys above zero. */
export const orderPositionLotsAt = 72 // f64
// A Position uses ticket, instrument, account and positionLots; it is sent when the matcher owes nothing, and causes
// Removed and Reduced records.
// A Cancel uses ticket, instrument and handle; a CloseBook ticket and instrument: the book is dropped and
// answered by Done alone, since the core knows every order in it.

/** Matcher to core, on the result ring, in the order of the commands that caused them. */
export const ResultRecord = {
  Fill: 1,
  Removed: 2,
  Level: 3,
  Done: 4,
  Reduced: 5,
  /** A protection window changed, or triggered. */
  Mmp: 6,
} as const

// Fill: one trade at the maker's price
export const fillTicketAt = 8 // i32
export const fillInstrumentAt = 12 // i32
export const fillMakerHandleAt = 16 // i32
export const fillTakerHandleAt = 20 // i32
export const fillPriceMicrosAt = 24 // f64
export const fillSizeLotsAt = 32 // f64
export const fillRecordBytes = 40

// Removed: an order left the book, or never entered it, with `openLots` unfilled
export const RemovedCause = {
  Cancel: 1,
  Replace: 2,
  Ioc: 3,
  Fok: 4,
  SelfTrade: 5,
  ReduceOnly: 6,
  /** The order whose fill reached a limit of its owner's protection. */
  MmpFilled: 7,
  /** Another protected order of that owner and underlying. */
  MmpTriggered: 8,
} as const
export const removedTicketAt = 8 // i32
export const removedInstrumentAt = 12 // i32
export const removedHandleAt = 16 // i32
export const removedCauseAt = 20 // i32, RemovedCause
export const removedOpenLotsAt = 24 // f64
export const removedRecordBytes = 32

// Reduced: a reduce-only order lost size and works on with `openLots`, in its old place
export const reducedTicketAt = 8 // i32
export const reducedInstrumentAt = 12 // i32
export const reducedHandleAt = 16 // i32
export const reducedOpenLotsAt = 24 // f64
export const reducedRecordBytes = 32

// Level: total size at a price after a command changed it; one record per level and command
export const levelTicketAt = 8 // i32
export const levelInstrumentAt = 12 // i32
export const levelSideAt = 16 // i32, Side of the resting orders
export const levelPriceMicrosAt = 24 // f64
export const levelSizeLotsAt = 32 // f64, 0: the level is gone
export const levelRecordBytes = 40

// Done: the last record of every command
export const DoneOutcome = { Rested: 1, Finished: 2, NotResting: 3, OpenDiffers: 4 } as const
export const doneTicketAt = 8 // i32
export const doneOutcomeAt = 12 // i32, DoneOutcome
export const doneOpenLotsAt = 16 // f64, what rests of the incoming order; OpenDiffers: the old order's open size
export const doneRecordBytes = 24
