// Tables of figures in README files, as templates. `{name}` is the value of a row of a result, `{name|format}` the same in
// a format of `figure-text.ts`.

/** Line of the table in the README of the project. */
export interface Headline {
  readonly what: string
  readonly figure: string
}

/** Line of the main table in the README of the benchmarks. Required values come from the thresholds of the named rows. */
export interface FigureLine {
  readonly what: string
  readonly median: string
  /** Ratio in the same run; '' if there is none. */
  readonly ratio: string
  readonly limitedBy: string
}

/** Suites that have all rows of both tables. */
export const figureSuites = [
  ...[
    'book',
    'book-replay',
    'ring',
    'fan-out',
    'signatures',
    'journal',
    'replay',
    'core-allocation',
  ],
  ...['core-memory', 'margin', 'end-to-end', 'acknowledgement', 'memory'],
] as const

export const headlines: readonly Headline[] = [
  {
    what: 'Messages through the book, static file',
    figure: '{book-static.second-thread} million/s',
  },
  { what: 'Ring, 64-byte records, one to one', figure: '{ring.one-to-one} million/s' },
  { what: 'Digest and signer recovery, one thread', figure: '{signatures.place-order}/s' },
  {
    what: 'Journal, 16 batches of 256 commands a flush',
    figure: '{journal.append.full|millions} million commands/s',
  },
  {
    what: 'Replay of the journal (required: 300,000)',
    figure: '{core.replay|thousands} commands/s',
  },
  { what: 'Signed orders end to end, 64 in flight, flushed', figure: '{end-to-end.orders}/s' },
  {
    what: 'One order at a time, until its flushed answer: median, 99 %',
    figure: '{end-to-end.idle-ack-p50} ms, {end-to-end.idle-ack-p99} ms',
  },
  {
    what: 'Flushed answer at half load: median, 99 %',
    figure: '{acknowledgement.flushed-p50} ms, {acknowledgement.flushed-p99} ms',
  },
  {
    what: 'New marks for 3,000 instruments and 10,000 positions',
    figure: '{margin.remark} ms',
  },
  {
    what: 'Resident memory with 3,000 instruments, 20 s after the start',
    figure: '{memory.venue-idle} MiB',
  },
]

export const figureLines: readonly FigureLine[] = [
  {
    what: 'book replay, static file, a second thread drains reports',
    median: '{book-static.second-thread} million messages/s',
    ratio: '',
    limitedBy: 'memory latency of order and level slots',
  },
  {
    what: 'the same, swinging file',
    median: '{book-swing-25.second-thread} million messages/s',
    ratio: '',
    limitedBy: 'the same',
  },
  {
    what: 'the same, reports kept',
    median: '{book-static.kept} and {book-swing-25.kept} million messages/s',
    ratio:
      '{book-static.kept-of-bare-loop} and {book-swing-25.kept-of-bare-loop} of a bare typed-array loop',
    limitedBy: '',
  },
  {
    what: 'book, mixed flow, shallow and deep',
    median: '{book.mixed.shallow} and {book.mixed.deep} ns a command',
    ratio: '{book.gtc.shallow-of-peer} and {book.gtc.deep-of-peer} times `nodejs-order-book`',
    limitedBy: '',
  },
  {
    what: 'ring, 64-byte records, one to one',
    median: '{ring.one-to-one} million/s',
    ratio:
      '{ring.one-to-one-of-copy} of `copyWithin` in one thread, {ring.one-to-one-of-post-message} times `postMessage`',
    limitedBy: '',
  },
  {
    what: 'digest and recovery of a PlaceOrder, one thread',
    median: '{signatures.place-order}/s',
    ratio:
      '{signatures.place-order over bare-native} of bare native recovery, {signatures.place-order over noble} times noble',
    limitedBy: 'the recovery',
  },
  {
    what: 'journal, 16 batches of 256 commands a flush',
    median: '{journal.append.full|millions} million commands/s',
    ratio: '{journal.append-of-raw.full} of raw write and fdatasync',
    limitedBy: 'checksum of every batch',
  },
  {
    what: 'replay',
    median: '{core.replay|thousands} commands/s',
    ratio: '{core.replay / core.live} of the live core without signatures',
    limitedBy: 'see "Replay"',
  },
  {
    what: 'signed orders end to end, 64 in flight, flushed',
    median: '{end-to-end.orders}/s',
    ratio:
      '{end-to-end.orders over recovery-and-echo} ({end-to-end.orders over recovery-and-echo|range}) of 1 / (1 / recovery + 1 / echo)',
    limitedBy: 'recovery; two cores for everything',
  },
  {
    what: 'acknowledgement at half that load, memory: median, 99 %',
    median: '{acknowledgement.memory-p50} ms, {acknowledgement.memory-p99} ms',
    ratio:
      '{acknowledgement.memory-p50 over echo} and {acknowledgement.memory-p99 over echo} times echo with one recovery',
    limitedBy: 'see "Acknowledgement"',
  },
  {
    what: 'the same, flushed: median, 99 %',
    median: '{acknowledgement.flushed-p50} ms, {acknowledgement.flushed-p99} ms',
    ratio:
      '{acknowledgement.flushed-p50 over limit} and {acknowledgement.flushed-p99 over limit} times the limit',
    limitedBy: 'see "Acknowledgement"',
  },
  {
    what: 'one order at a time, flushed: median, 99 %',
    median: '{end-to-end.idle-ack-p50} ms, {end-to-end.idle-ack-p99} ms',
    ratio: '',
    limitedBy: 'thread hops and one flush',
  },
  {
    what: 'one book update to 500 subscribers',
    median: '{fan-out.book-update} updates/s',
    ratio: '{fan-out.book-update over publish} of publishing the same bytes with the bare library',
    limitedBy: '',
  },
  {
    what: 'margin check, 200 positions, 10 expiries: standard, portfolio, defined risk',
    median: '{margin.check.standard}, {margin.check.portfolio}, {margin.check.defined_risk} µs',
    ratio: '',
    limitedBy: '',
  },
  {
    what: 'new marks of 3,000 instruments, 10,000 positions; longest turn; with one underlying',
    median:
      '{margin.remark} ms ({margin.remark|range}); {margin.remark.longest-turn} ms; {margin.remark.longest-turn.one-underlying} ms',
    ratio: '',
    limitedBy: 'the swap, and checks of 1,024 positions after it',
  },
  {
    what: 'resident, 3,000 instruments: start, 20 s later, under a market',
    median: '{memory.venue-start}, {memory.venue-idle}, {memory.venue-market} MiB',
    ratio: '',
    limitedBy: 'memory taken at the start',
  },
  {
    what: 'a resting order in matcher, core, read model',
    median: '{book.memory-per-order}, {core.memory.order}, {memory.read-model-order} bytes',
    ratio: '',
    limitedBy: 'whole cache lines; index of a million orders',
  },
  {
    what: 'a wallet with cash',
    median: '{core.memory.wallet} bytes',
    ratio: '',
    limitedBy: '',
  },
  {
    what: 'garbage of core and matcher, options, and with perps',
    median: '{core.allocation} and {core.allocation.perps} bytes a command',
    ratio: '',
    limitedBy: '',
  },
]
