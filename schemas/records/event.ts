import { f64, recordsWith } from './layout.js'
import { wordPair } from './parts.js'

//  Header of every event
//  0       4      8        16       24
//  +-------+------+--------+--------+---- ... ----+
//  | bytes | type | seq    | time   | body        |   seq and time (engine millis) are Float64
//  +-------+------+--------+--------+---- ... ----+
/** A record of the event log. */
export const event = recordsWith('Event', [...wordPair, f64('seq'), f64('timeMillis')], 24)
