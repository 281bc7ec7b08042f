import type { Mutant } from './mutant.js'

/** Faults in what is generated from the descriptions of records and tables, as a wrong generator would make them. */
export const declaredMutants: readonly Mutant[] = [
  {
    file: 'schemas/generated/commands.ts',
    fault: 'time in force is read where the side stands',
    original: 'return this.i32[(this.at + 148) >> 2]',
    replacement: 'return this.i32[(this.at + 144) >> 2]',
  },
  {
    file: 'schemas/generated/orders.ts',
    fault: 'the vega of an order is written over its delta',
    original: 'this.f64[(this.at + 96) >> 3] = value',
    replacement: 'this.f64[(this.at + 88) >> 3] = value',
  },
  {
    file: 'schemas/generated/results.ts',
    fault: 'the vega of a counted fill is read where its delta stands',
    original: 'return this.f64[(this.at + 40) >> 3]',
    replacement: 'return this.f64[(this.at + 32) >> 3]',
  },
  {
    file: 'schemas/generated/journal.ts',
    fault: 'the length of a batch leaves out its header',
    original: 'return (80 + count * 1 + 7) & ~7',
    replacement: 'return (count * 1 + 7) & ~7',
  },
  {
    file: 'engine/tables/generated/order-rows.ts',
    fault: 'a snapshot has the size of an order in place of what is open of it',
    original: 'sink.f64(this.openLots[row])',
    replacement: 'sink.f64(this.sizeLots[row])',
  },
  {
    file: 'engine/tables/generated/order-rows.ts',
    fault: 'orders lose their accounts when the table grows',
    original: 'this.#words = grownMemory(this.#words, cells * 4)',
    replacement: 'this.#words = new ArrayBuffer(cells * 4)',
  },
  {
    file: 'engine/tables/generated/order-rows.ts',
    fault: 'a freed row is given out for ever',
    original: 'this.#freeHead = this.nextInExposure[row]',
    replacement: 'this.#freeHead = row',
  },
  {
    file: 'engine/tables/generated/exposure-rows.ts',
    fault: 'a snapshot forgets what a position has realized',
    original: 'sink.f64(this.realizedMicros[row])',
    replacement: 'sink.f64(0)',
  },
  {
    file: 'engine/tables/generated/order-rows.ts',
    fault: 'the hash has the size of an order in place of what is filled of it',
    original: 'rowDoubles[4] = this.filledLots[row] + 0',
    replacement: 'rowDoubles[4] = this.sizeLots[row] + 0',
  },
  {
    file: 'engine/tables/generated/wallet-columns.ts',
    fault: 'wallets lose their tiers when the table grows',
    original: 'this.tier = grown(this.tier, new Uint8Array(length))',
    replacement: 'this.tier = new Uint8Array(length)',
  },
  {
    file: 'engine/tables/generated/liquidation.ts',
    fault: 'timers that stand still run on after a restart',
    original: 'row.standingMillis = reader.f64()',
    replacement: 'reader.f64()',
  },
  {
    file: 'engine/tables/generated/settlement.ts',
    fault: 'a settlement begins again with the first account after a restart',
    original: 'row.accountNext = reader.i32()',
    replacement: 'reader.i32()',
  },
]
