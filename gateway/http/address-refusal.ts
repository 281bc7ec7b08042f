import type { AddressRefusal } from '../transport/transport.js'
import { Envelope, refusedAnswer } from '../wire/answers.js'
import type { Fault } from '../wire/fault.js'

/** Answer to an upgrade or a request that is not taken. */
export function addressRefusal(fault: Fault): AddressRefusal {
  return {
    ...refusedAnswer(Envelope.Bare, fault),
    headers: [
      ['Content-Type', 'application/json'],
      ['Access-Control-Allow-Origin', '*'],
    ],
  }
}
