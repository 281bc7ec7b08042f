import { clientIdBytesMax, underlyingBytesMax, uuidBytes } from '../bounds.js'
import {
  address,
  bytes,
  f64,
  header,
  i32,
  instead,
  type LayoutGroup,
  one,
  padded,
  part,
  text,
} from './layout.js'

// Parts that several records share.

export const anyRecord = header('AnyRecord', 'Header of every record.', null, [
  i32('recordBytes', 'length, including this header'),
  i32('recordType'),
])

export const headers: LayoutGroup = {
  file: 'any-record',
  typeName: null,
  typeDoc: '',
  layouts: [anyRecord],
}

export const underlying = (doc = '') => padded('underlying', underlyingBytesMax, doc)

export const uuid = (name: string, doc = '') => bytes(name, uuidBytes, doc)

/** Instrument of a record, by its terms. */
export const instrumentKey = part('InstrumentKey', 'Terms that identify an instrument.', [
  underlying(),
  i32('expiryDate', 'YYYYMMDD'),
  one('right', 'Right'),
  f64('strikeMicros'),
])

export const perpTerms = part(
  'PerpTerms',
  'Follows a PlaceOrder or a cancel that is a perp action: its instrument, which replaces ' +
    'the key, and its deadline. Duplicates are answered regardless of both.',
  [
    i32('asset', 'id of the instrument; -1: an unknown number'),
    one('scheme', 'PerpScheme', 'of its signature; determines the allowed signers'),
    f64('expiresMillis', 'last millisecond; 0: none'),
  ],
)

/** Texts of a competition, contiguous in its rows; a length of 0 means not given. */
export const competitionTerms = [
  f64('startMillis'),
  f64('endMillis', 'first millisecond after the competition'),
  i32(
    'conditions',
    'CompetitionMetric of each win condition, two bits each, the primary one lowest',
  ),
  i32('nameBytes'),
  i32('descriptionBytes'),
  i32('urlBytes', 'of its rules'),
  i32('rulesBytes'),
  i32('count', 'bytes of all texts'),
]

export const orderFacts = part('OrderFacts', 'Published facts of an order.', [
  f64('orderId', '0: none'),
  f64('priceMicros'),
  f64('sizeLots'),
  f64('filledLots'),
  f64('filledMicros', 'premium of all fills: average price = this / filled'),
  i32('instrument', '-1: unknown'),
  one('side', 'Side'),
  one('tif', 'Tif'),
  i32('flags', 'OrderFlag bits'),
  one('status', 'OrderStatus'),
  text(
    'clientId',
    clientIdBytesMax,
    'in the acknowledgement of a rejected SubmitRfq, the id of the RFQ',
  ),
  address('wallet'),
  address('builder', 'zeros: none'),
  f64('createdMillis'),
  instead('side', 'in the acknowledgement of a SetMarginMode, which has no order', [
    one('previousMode', 'MarginMode', 'before the change'),
  ]),
  instead('side', 'in the acknowledgement of a ListInstrument', [
    one('listedState', 'InstrumentState', 'existing or new'),
  ]),
  instead('orderId', 'in the acknowledgement of an accepted SetCompetition', [
    f64('competitionId'),
  ]),
  instead('orderId', 'in the acknowledgement of an accepted CancelAll', [
    f64('canceledCount', 'orders to cancel'),
  ]),
  instead('orderId', 'in the acknowledgement of an accepted SetDeadMan', [
    f64('firesMillis', 'if the wallet is inactive until then; 0: no timer'),
  ]),
  instead('priceMicros', 'in the acknowledgement of an accepted WithdrawUsdc', [
    f64('balanceMicros', 'cash after it'),
  ]),
  instead('side', 'in the acknowledgement of an accepted RequestUsername', [
    one('usernameChange', 'UsernameChange', '`Requested`: the operator has not decided yet'),
  ]),
  instead('orderId', 'in the acknowledgement of an accepted PushAction', [
    f64('removedCount', 'ended subscriptions'),
  ]),
  instead('flags', 'in the acknowledgement of an accepted PushAction', [
    i32('pushTopics', 'PushTopic bits of the wallet'),
  ]),
  instead('side', 'in the acknowledgement of an accepted SubmitRfq', [
    one('rfqStatus', 'RfqStatus', 'after its own step'),
  ]),
  instead('orderId', 'in the acknowledgement of an accepted AcceptRfqQuote', [
    f64('fillId', 'trade of the first leg'),
  ]),
  instead('priceMicros', 'in the acknowledgement of an accepted SetMmp: the window afterwards', [
    f64('mmpQtyMicros'),
    f64('mmpDeltaMicros'),
    f64('mmpVegaMicros'),
  ]),
  instead('createdMillis', 'in the acknowledgement of an accepted SetMmp', [
    f64('mmpFrozenUntilMillis', '0: not frozen, Infinity: until reset'),
  ]),
])
