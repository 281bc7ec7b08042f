import { Envelope } from '../../schemas/interface/answer.js'
import { Result } from '../../schemas/results.js'
import type { AddressRefusal } from '../transport/transport.js'
import { refusedAnswer } from '../wire/answers.js'
import { Fault } from '../wire/fault.js'

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

/** Answer to one connection or request more of an address than it may have. */
export function tooMany(perAddressMax: number): AddressRefusal {
  const text = `Connection limit exceeded: ${perAddressMax} per address`
  return addressRefusal(new Fault(Result.RateLimitExceeded, {}, text))
}
