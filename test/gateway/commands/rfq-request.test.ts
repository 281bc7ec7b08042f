import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSigning } from '../../../gateway/actions/signing.js'
import {
  readAcceptance,
  readSubmission,
  type SubmissionForm,
  writeSubmission,
} from '../../../gateway/commands/rfq-request.js'
import { RfqBook } from '../../../gateway/link/rfq-book.js'
import { Fault } from '../../../gateway/wire/fault.js'
import { RfqKind, Side } from '../../../schemas/domain.js'
import { SubmitRfqCommand } from '../../../schemas/generated/commands.js'
import { resultRows } from '../../../schemas/results.js'
import { formatUuid } from '../../../schemas/uuid.js'
import { testSymbol } from '../../support/gateway-rig.js'
import { otherSymbol } from '../../support/hub-rig.js'
import { OneRecord } from '../../support/one-record.js'
import { acceptBody, rfqBody, rfqFrame, rfqTerms } from '../../support/rfq-bodies.js'
import { rfqUuid } from '../../support/rfq-script.js'

const signing = createSigning('Strikebook', 31_337, true)
const call = { instrument: testSymbol, side: 'Buy', size: '1' }
const put = { ...call, instrument: otherSymbol }

function read(body: object, form: SubmissionForm = 'submit') {
  return readSubmission(body as Record<string, unknown>, form, signing)
}

/** Code and message of what is wrong with a body. */
function faultOf(changes: Readonly<Record<string, unknown>>): string {
  const fault = read(rfqBody(rfqTerms(), undefined, changes))
  assert.ok(fault instanceof Fault, JSON.stringify(changes))
  return `${resultRows[fault.result].code}: ${fault.message}`
}

test('a body becomes a command with its legs in their order', () => {
  const terms = rfqTerms({ rfqId: 'ABCDEF00-0000-4000-8000-000000000001', autoAcceptLimit: '-0.5' })
  const request = read(rfqBody(terms))
  assert.ok(!(request instanceof Fault))
  const record = new OneRecord()
  assert.ok(writeSubmission(record, signing, request))
  const command = new SubmitRfqCommand().over(record.views, 0)
  assert.equal(formatUuid(command.u8, command.rfqIdAt), 'abcdef00-0000-4000-8000-000000000001')
  assert.deepEqual([command.kind, command.limitMicros], [RfqKind.Auto, -500_000])
  const legs = [0, 1].map((index) => {
    const { side, sizeLots, key } = command.legs(index)
    return [key.underlyingText, key.strikeMicros, side, sizeLots]
  })
  assert.deepEqual(legs, [
    ['BTC', 100_000_000_000, Side.Buy, 100_000_000],
    ['BTC', 100_000_000_000, Side.Sell, 250_000_000],
  ])
})

test('the struct depends on the limit, and a null limit means none', () => {
  const structOf = (body: object, form?: SubmissionForm) => {
    const request = read(body, form)
    return request instanceof Fault ? request.message : request.struct.primaryType
  }
  assert.equal(structOf(rfqBody(rfqTerms(), undefined, { auto_accept_limit: null })), 'SubmitRFQ')
  assert.equal(structOf(rfqBody(rfqTerms({ autoAcceptLimit: '5' }))), 'SubmitAutoExecuteRfq')
  assert.equal(structOf(rfqFrame(rfqTerms()), 'SubmitRfq'), 'SubmitRFQ')
  const auto = rfqFrame(rfqTerms({ autoAcceptLimit: '5' }))
  assert.equal(structOf(auto, 'SubmitAutoExecuteRfq'), 'SubmitAutoExecuteRfq')
  const bare = rfqFrame(rfqTerms())
  assert.equal(structOf(bare, 'SubmitAutoExecuteRfq'), 'Missing field: limit_price')
})

test('ids are UUIDs of any version, the nil one too', () => {
  assert.equal(
    faultOf({ rfq_id: 'abcdef00-0000-4000-8000-00000000001' }),
    "invalid_field: Invalid rfq_id: must be a UUID, not 'abcdef00-0000-4000-8000-00000000001'",
  )
  assert.match(faultOf({ rfq_id: 7 }), /^invalid_parameter: /)
  assert.match(faultOf({ rfq_id: null }), /^missing_field: /)
  const nil = read(rfqBody(rfqTerms({ rfqId: '00000000-0000-0000-0000-000000000000' })))
  assert.ok(!(nil instanceof Fault))
})

test('an invalid wallet is named by its field', () => {
  const fault = faultOf({ wallet_address: '0x12' })
  assert.equal(fault, 'invalid_wallet: Invalid wallet_address: 0x12')
  assert.equal(faultOf({ wallet_address: null }), 'missing_field: Missing field: wallet_address')
})

test('legs are one to ten distinct instruments of one underlying', () => {
  const strikes = Array.from({ length: 11 }, (_, index) => ({
    ...call,
    instrument: `BTC-20300628-${index + 1}000-C`,
  }))
  const invalid = 'invalid_field: Invalid legs: '
  assert.equal(faultOf({ legs: [] }), `${invalid}must be 1 to 10 legs, not 0`)
  assert.equal(faultOf({ legs: strikes }), `${invalid}must be 1 to 10 legs, not 11`)
  assert.ok(!(read(rfqBody(rfqTerms({ legs: strikes.slice(1) as never }))) instanceof Fault))
  const other = { ...put, instrument: 'ETH-20300628-5000-C' }
  assert.equal(faultOf({ legs: [call, other] }), `${invalid}all legs must have the same underlying`)
  const spelled = { ...put, instrument: 'BTC-28JUN30-100000.0-C' }
  assert.equal(
    faultOf({ legs: [call, spelled] }),
    `${invalid}each leg must be a different instrument`,
  )
})

test('a leg has an instrument, a side spelled like that of an order, and a size on the grid', () => {
  assert.match(faultOf({ legs: {} }), /^invalid_parameter: Invalid legs: must be a list/)
  assert.match(faultOf({ legs: [7] }), /^invalid_parameter: Invalid legs\[0\]: must be an object/)
  assert.match(faultOf({ legs: [call, { ...put, size: 1 }] }), /^invalid_parameter: legs\[1\]: /)
  assert.match(faultOf({ legs: [{ ...call, side: undefined }] }), /^missing_field: .*side/)
  assert.match(
    faultOf({ legs: [{ ...call, price: '1' }] }),
    /^invalid_field: legs\[0\]: Unknown field: price/,
  )
  for (const side of ['Long', 'buy', 'BUY', 'sell', 'sELL', '']) {
    assert.match(faultOf({ legs: [{ ...call, side }] }), /^invalid_field: .*legs\[0\]\.side/)
  }
  for (const size of ['0', '0.000000001', '1e3', '100000.1']) {
    assert.match(faultOf({ legs: [{ ...call, size }] }), /^invalid_field: .*legs\[0\]\.size/)
  }
  assert.match(faultOf({ legs: [{ ...call, instrument: 'BTC' }] }), /^invalid_field: .*instrument/)
})

test('a limit is a decimal with an optional minus and at most six decimals', () => {
  const limits: Readonly<Record<string, number>> = {
    '3600': 3_600_000_000,
    '-0.000001': -1,
    '0': 0,
  }
  for (const [limit, micros] of Object.entries(limits)) {
    const request = read(rfqBody(rfqTerms({ autoAcceptLimit: limit })))
    assert.equal(request instanceof Fault ? request.message : request.limitMicros, micros)
  }
  for (const limit of ['0.0000001', '+1', '1e3', '', '.5', '9007199255']) {
    assert.match(faultOf({ auto_accept_limit: limit }), /^invalid_field: .*auto_accept_limit/)
  }
  assert.match(faultOf({ auto_accept_limit: 5 }), /^invalid_parameter: /)
})

test('an acceptance of an unknown quote is not found', () => {
  const body = acceptBody(rfqUuid(1), rfqUuid(2), '1')
  const fault = readAcceptance(body as Record<string, unknown>, 'accept', signing, new RfqBook())
  assert.ok(fault instanceof Fault)
  assert.equal(resultRows[fault.result].code, 'not_found')
})
