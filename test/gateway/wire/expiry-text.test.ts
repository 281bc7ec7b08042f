import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fault } from '../../../gateway/wire/fault.js'
import { readParameter } from '../../../gateway/wire/parameter-readers.js'
import { QueryReader } from '../../../gateway/wire/query-reader.js'
import { readSubscription } from '../../../gateway/ws/subscriptions.js'
import { parseExpiry } from '../../../schemas/expiry-text.js'
import { expiry } from '../../../schemas/interface/parameter.js'

const forms = 'must be YYYY-MM-DD, YYYYMMDD or Unix seconds of 9 or 10 digits'

test('an expiry is a date with or without hyphens, or Unix seconds', () => {
  assert.deepEqual(parseExpiry('2030-12-27'), { date: 20_301_227 })
  assert.deepEqual(parseExpiry('20301227'), { date: 20_301_227 })
  assert.deepEqual(parseExpiry('1924588800'), { seconds: 1_924_588_800 })
  for (const text of [
    '',
    '2030-1227',
    '20301327',
    '2030-02-30',
    '1',
    '4294967296',
    '99999999999',
  ]) {
    assert.equal(parseExpiry(text), null, text)
  }
})

test('HTTP and the stream parse the same text alike, and fail alike', () => {
  const asked = (text: string) => {
    const query = new QueryReader(`expiry=${text}`)
    return query.isWrong ? null : { value: readParameter(query, 'expiry', expiry), query }
  }
  const subscribed = (text: string) =>
    readSubscription({ channel: 'options_chain', expiry: text }, 10)
  for (const text of ['2030-12-27', '20301227', '1924588800']) {
    assert.equal(asked(text)!.query.refusal, null)
    const subscription = subscribed(text)
    assert.ok(!(subscription instanceof Fault))
    assert.equal(subscription.expiryDate, 20_301_227)
  }
  for (const text of ['20301327', '12345678901', '27DEC30']) {
    assert.equal(asked(text)!.query.refusal!.message, `expiry ${forms}, not '${text}'`)
    const fault = subscribed(text)
    assert.ok(fault instanceof Fault)
    assert.equal(fault.message, `Invalid expiry: ${forms}, not '${text}'`)
  }
})
