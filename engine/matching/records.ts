// Records between the core and its matchers. `handle` is the core's order slot: dense, unique while the order
// lives, and not reused before the batch that ended it is over. `ticket` is the command's place in its batch
// and comes back with everything that the command caused. Every record begins with the ring's 8 header bytes.

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
export const orderRecordBytes = 112
/** Replace: open size of the old order as the core knows it; when the book's differs, nothing happens. */
export const orderExpectedOpenLotsAt = 64 // f64
/** Reduce-only: the account's position in the instrument at the beginning of the round, buys above zero. */
export const orderPositionLotsAt = 72 // f64
/** Bit of the flags beside those of OrderFlag: the order's own fills count for its account's protection. */
export const countsAsTakerFlag = 1 << 16
/**
 * Engine time, and the greeks of the instrument's mark in force when the core decided the order, per contract in
 * 1e-6: what a fill counts for protection. All fills of a command are in its own instrument, so a matcher keeps
 * no greeks, and no re-mark has to be told to it.
 */
export const orderNowMillisAt = 80 // f64
export const orderDeltaMicrosAt = 88 // f64
export const orderVegaMicrosAt = 96 // f64
export const orderUnderlyingAt = 104 // i32
// A Position uses ticket, instrument, account and positionLots; it is sent when the matcher owes nothing, and causes
// Removed and Reduced records.
// A Cancel uses ticket, instrument and handle; a CloseBook ticket and instrument: the book is dropped and
// answered by Done alone, since the core knows every order in it.

export const mmpTicketAt = orderTicketAt // i32
export const mmpActionAt = 12 // i32, MmpAction
export const mmpAccountAt = 16 // i32
export const mmpUnderlyingAt = 20 // i32
export const mmpIntervalMillisAt = 24 // f64
export const mmpFrozenMillisAt = 32 // f64, how long a trigger freezes; 0: until reset
export const mmpLimitsAt = 40 // three f64, micros by Measure; 0: no limit
export const mmpFrozenUntilMillisAt = 64 // f64, as the core knows it
export const mmpNowMillisAt = 72 // f64, engine time
export const mmpRecordBytes = 80
export const mmpEntryMillisAt = 24 // f64
export const mmpEntryAmountsAt = 32 // six f64: micros and rest by Measure
export const mmpEntryBytes = 80

// Fill: one trade at the maker's price
export const fillTicketAt = 8 // i32
export const fillInstrumentAt = 12 // i32
export const fillMakerHandleAt = 16 // i32
export const fillTakerHandleAt = 20 // i32
export const fillPriceMicrosAt = 24 // f64
export const fillSizeLotsAt = 32 // f64
export const fillRecordBytes = 40

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

// Mmp: stands before the Fill that it counts; removals that it triggers follow that
export const countedTicketAt = 8 // i32
export const countedAccountAt = 12 // i32
export const countedUnderlyingAt = 16 // i32
export const countedTriggersAt = 20 // i32, MmpTrigger bits
export const countedSizeLotsAt = 24 // f64, above zero when the protected account buys
export const countedDeltaMicrosAt = 32 // f64
export const countedVegaMicrosAt = 40 // f64
export const countedRecordBytes = 48

export const doneTicketAt = 8 // i32
export const doneOutcomeAt = 12 // i32, DoneOutcome
export const doneOpenLotsAt = 16 // f64, what rests of the incoming order; OpenDiffers: the old order's open size
export const doneRecordBytes = 24
