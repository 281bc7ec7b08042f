import { f64, header, recordsWith } from './layout.js'
import { anyRecord } from './parts.js'

//  Header of every event
//  0       4      8        16       24
//  +-------+------+--------+--------+---- ... ----+
//  | bytes | type | seq    | time   | body        |   seq and time (engine millis) are Float64
//  +-------+------+--------+--------+---- ... ----+
export const anyEvent = header(
  'AnyEvent',
  'Header of every event.',
  anyRecord,
  [f64('seq'), f64('timeMillis')],
  24,
)
/** Describes a record of the event log. */
export const event = recordsWith('Event', anyEvent)
