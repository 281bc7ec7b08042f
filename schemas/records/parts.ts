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

// Parts of records that several have.

export const anyRecord = header('AnyRecord', 'What every record begins with.', null, [
  i32('recordBytes', 'length, this header included'),
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

/** The instrument that a record is about, by its terms. */
export const instrumentKey = part('InstrumentKey', 'Terms that name an instrument.', [
  underlying(),
  i32('expiryDate', 'YYYYMMDD'),
  one('right', 'Right'),
  f64('strikeMicros'),
])

export const perpTerms = part(
  'PerpTerms',
  'Behind a PlaceOrder or a cancel that is a perp action: the instrument that it is for, which counts in place of ' +
    'the key, and how long it may be carried out. A repeat of it is answered whatever they say.',
  [
    i32('asset', 'id of the instrument; -1: a number that no instrument has'),
    one('scheme', 'PerpScheme', 'of its signature: who may have given it depends on that'),
    f64('expiresMillis', 'last millisecond; 0: no end'),
  ],
)

/** Texts of a competition, back to back in its rows; those without a byte were not given. */
export const competitionTerms = [
  f64('startMillis'),
  f64('endMillis', 'first millisecond behind the span'),
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

export const orderFacts = part('OrderFacts', 'What is told of an order.', [
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
  text('clientId', clientIdBytesMax, 'in the outcome of a refused SubmitRfq the id of the request'),
  address('wallet'),
  address('builder', 'zeros: none'),
  f64('createdMillis'),
  instead('side', 'in the outcome of a SetMarginMode, which is about no order', [
    one('previousMode', 'MarginMode', 'of before'),
  ]),
  instead('side', 'in the outcome of a ListInstrument', [
    one('listedState', 'InstrumentState', 'that it found or left'),
  ]),
  instead('orderId', 'in the outcome of an accepted SetCompetition', [f64('competitionId')]),
  instead('orderId', 'in the outcome of an accepted CancelAll', [
    f64('canceledCount', 'orders that it ends'),
  ]),
  instead('orderId', 'in the outcome of an accepted SetDeadMan', [
    f64('firesMillis', 'if the wallet does nothing until then; 0: there is no timer'),
  ]),
  instead('priceMicros', 'in the outcome of an accepted WithdrawUsdc', [
    f64('balanceMicros', 'cash behind it'),
  ]),
  instead('side', 'in the outcome of an accepted RequestUsername', [
    one('usernameChange', 'UsernameChange', '`Requested`: the operator has yet to judge it'),
  ]),
  instead('orderId', 'in the outcome of an accepted PushAction', [
    f64('removedCount', 'subscriptions that it ended'),
  ]),
  instead('flags', 'in the outcome of an accepted PushAction', [
    i32('pushTopics', 'PushTopic bits of the wallet'),
  ]),
  instead('side', 'in the outcome of an accepted SubmitRfq', [
    one('rfqStatus', 'RfqStatus', 'that it has come to in its own step'),
  ]),
  instead('orderId', 'in the outcome of an accepted AcceptRfqQuote', [
    f64('fillId', 'trade of the first leg'),
  ]),
  instead('priceMicros', 'in the outcome of an accepted SetMmp: the window as it is then', [
    f64('mmpQtyMicros'),
    f64('mmpDeltaMicros'),
    f64('mmpVegaMicros'),
  ]),
  instead('createdMillis', 'in the outcome of an accepted SetMmp', [
    f64('mmpFrozenUntilMillis', '0: not frozen, Infinity: until reset'),
  ]),
])
