import { columnTable, derived, f64, i32, u8 } from '../describe.js'

const none = { initial: 'none' } as const
const missing = { initial: 'NaN' } as const

/** All instruments ever listed. */
export const instruments = columnTable(
  'InstrumentColumns',
  'instrument-columns',
  'Terms and state of instruments, by their ids.',
  [
    i32('underlying'),
    i32('expiryDate'),
    f64('expiryMillis'),
    f64('strikeMicros'),
    u8('right'),
    u8('tradingMode'),
    f64('listedMillis'),
    u8('state'),
  ],
  'Instrument',
)

/** Settings and totals of the accounts. */
export const accounts = columnTable(
  'AccountColumns',
  'account-columns',
  'Settings and deposits of accounts, by their indexes.',
  [u8('selfTrade'), f64('depositsMicros'), derived('working orders').i32('workingOrders')],
  'Account',
)

/** Money and margin of the accounts. */
export const wallets = columnTable(
  'WalletColumns',
  'wallet-columns',
  'Cash and modes of accounts, by their indexes.',
  [
    f64('cashMicros'),
    f64('realizedTotalMicros'),
    u8('tier'),
    u8('marginMode'),
    derived('tier and mode').u8('modelKind', '`MarginModelKind` of tier and mode.'),
    derived('exposures').i32('positionsCounted'),
    derived('exposures').i32('firstExposure', '', none),
    derived('exposures').i32('firstBucket', '', none),
  ],
  'Wallet',
)

const ofInputs = derived('instrument, inputs and time of the re-mark')

/** Results of a re-mark. */
export const marks = columnTable(
  'MarkRows',
  'mark-rows',
  'Marks and greeks by instrument; NaN if missing.',
  [
    ofInputs.f64('markMicros', 'Integer micros per contract, half-even.', missing),
    ofInputs.f64('iv', 'Fraction; 0 is never a missing volatility.', missing),
    ofInputs.f64('delta', 'USD per 1 USD of index.', missing),
    ofInputs.f64('gamma', 'Delta per 1 USD of index.', missing),
    ofInputs.f64('vegaPerPoint', 'USD per 0.01 of volatility.', missing),
    ofInputs.f64('thetaPerDay', 'USD per day.', missing),
    ofInputs.f64('rhoPerPoint', 'USD per 0.01 of the rate.', missing),
  ],
)
