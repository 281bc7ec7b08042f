import { Envelope } from '../../schemas/interface/answer.js'
import { Result } from '../../schemas/results.js'
import type { AddressRefusal } from '../transport/transport.js'
import { refusedAnswer } from '../wire/answers.js'
import { Fault } from '../wire/fault.js'

/** Returns the answer to a refused upgrade or request. */
export function addressRefusal(fault: Fault): AddressRefusal {
  return {
    ...refusedAnswer(Envelope.Bare, fault),
    headers: [
      ['Content-Type', 'application/json'],
      ['Access-Control-Allow-Origin', '*'],
    ],
  }
}

/** Returns the answer to a connection or request above the limit per address. */
export function tooMany(perAddressMax: number): AddressRefusal {
  const text = `Connection limit exceeded: ${perAddressMax} per address`
  return addressRefusal(new Fault(Result.RateLimitExceeded, {}, text))
}
