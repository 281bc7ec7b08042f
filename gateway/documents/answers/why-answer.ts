import { scenarioKindNames } from '../../../engine/pricing/scenarios.js'
import { marginModelNames } from '../../../engine/risk/margin-model.js'
import { orderStatusNames } from '../../../schemas/domain.js'
import { marginBounds, resultRows } from '../../../schemas/results.js'
import { refusedAtTheDoor } from '../../wire/order-why-text.js'
import { errorDetails, reasonCode } from '../shapes/errors.js'
import {
  address,
  count,
  decimal,
  described,
  list,
  millis,
  nonce,
  nullable,
  number,
  object,
  oneOf,
  seq,
  text,
} from '../shapes/shape.js'
import { data } from './envelopes.js'

const stage = (until: string) => described(nullable(count), `${until}; null: not measured`)
const amount = { anyOf: [decimal, number, { type: 'null' }] }

/** Beside the engine's reasons: what a gateway refuses alone. */
const reason = {
  anyOf: [reasonCode, oneOf(refusedAtTheDoor.map((result) => resultRows[result].code ?? ''))],
}

const stages = object({
  socket_micros: stage('From the moment that the request was there to the look at its signature'),
  recovery_micros: stage('Until its command was in the ring to the core'),
  ring_micros: stage('Until a batch began'),
  batch_micros: stage('Until the commands of the batch were all decided'),
  match_micros: stage('Until the batch was matched, applied and published'),
  flush_micros: stage('Until the batch was durable'),
  pump_micros: stage('Until the answer had left'),
  total_micros: stage('All of it'),
})
const batch = object({
  number: count,
  first_seq: seq,
  last_seq: seq,
  commands: count,
  place: described(count, 'From 1, in the order of the answers'),
  time: millis,
})
const neighbour = object({
  seq,
  place: count,
  order_id: nullable(count),
  action: nullable(text),
  gateway: nullable(count),
  status: nullable(oneOf(orderStatusNames)),
})
const check = object({
  name: reason,
  has: amount,
  needs: amount,
  details: nullable(errorDetails),
  note: nullable(text),
})
const scenario = object({
  kind: oneOf(scenarioKindNames),
  id: text,
  ...{ spot_shift: number, vol_shift: number, skew: number, kurtosis: number, weight: number },
  loss: decimal,
})
const margin = object({
  model: oneOf(marginModelNames),
  scenario: nullable(scenario),
  binding: nullable(oneOf(marginBounds)),
})

/** `GET /orders/why`. */
export const whyAnswer = data(
  object({
    order_id: nullable(count),
    wallet: described(nullable(address), 'null, as the nonce: asked for by its id'),
    nonce: nullable(nonce),
    action: nullable(text),
    symbol: nullable(text),
    seq: nullable(seq),
    status: oneOf([...orderStatusNames, 'IN_FLIGHT']),
    reason: nullable(reason),
    source: oneOf(['measured', 'store']),
    gateway: nullable(count),
    received_at: nullable(millis),
    stages,
    batch: nullable(batch),
    neighbours: list(neighbour),
    check: nullable(check),
    margin: nullable(margin),
  }),
)
