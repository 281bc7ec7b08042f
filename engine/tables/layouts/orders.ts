import { derived, f64, i32, rowTable, u8 } from '../describe.js'

const { i32: linkOf } = derived('the lists of working orders')
const texts = derived('its client id and builder, which are saved after it')

/** Orders, working and recently ended. */
export const orders = rowTable(
  'OrderRows',
  'order-rows',
  'Columns of orders, working and recently ended.',
  'nextInExposure',
  [
    f64('orderId'),
    i32('account'),
    i32('instrument'),
    u8('side'),
    u8('tif'),
    u8('flags'),
    u8('status'),
    f64('priceMicros'),
    f64('sizeLots'),
    f64('openLots', 'Size less fills while working; 0 once final.'),
    f64('filledLots'),
    f64('filledMicros'),
    f64('createdMillis'),
    derived('the current step; only valid within it').f64(
      'publishedSeq',
      'Sequence of its latest event.',
    ),
    linkOf('exposure', 'Exposure of the wallet in the instrument; `none` once final.'),
    linkOf('nextInExposure'),
    linkOf('prevInExposure'),
    linkOf('nextInInstrument'),
    linkOf('prevInInstrument'),
    texts.i32('text', 'Block of client id and builder; `none` without either.', {
      initial: 'none',
    }),
    texts.u8('clientIdBytes'),
    texts.u8('hasBuilder', '1 if the order has a builder.'),
  ],
  { hashKind: 'Order' },
)
