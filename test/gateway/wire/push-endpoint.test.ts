import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  endpointFaultOf,
  hostOf,
  isPushHost,
  knownPushHosts,
} from '../../../gateway/wire/push-endpoint.js'
import { pushUrlOf } from '../../../gateway/wire/push-url.js'

const known = { allowedHosts: knownPushHosts, allowPrivate: false }
const inDevelopment = { allowedHosts: knownPushHosts, allowPrivate: true }
const host = (text: string) => hostOf(new URL(text))

test('push services of browsers are called, over https', () => {
  for (const endpoint of [
    'https://fcm.googleapis.com/fcm/send/abc:def-1_2',
    'https://updates.push.services.mozilla.com/wpush/v2/gAAA',
    'https://wns2-by3p.notify.windows.com/w/?token=BQ%2b%2f',
    'https://web.push.apple.com/QGu',
    'https://fcm.googleapis.com./fcm/send/1',
    'https://fcm.googleapis.com:443/fcm/send/1',
  ]) {
    assert.equal(endpointFaultOf(endpoint, known), null, endpoint)
  }
})

test('no other host is called, with any endpoint', () => {
  for (const endpoint of [
    ...['http://fcm.googleapis.com/1', 'https://fcm.googleapis.com.evil.example/1'],
    ...['https://evilfcm.googleapis.com/1', 'https://notify.windows.com/1', 'https://evil.example'],
    ...['https://fcm.googleapis.com@evil.example/1', 'https://user:pw@fcm.googleapis.com/1'],
    ...['https://fcm.googleapis.com/1#x', 'ftp://fcm.googleapis.com/1', 'fcm.googleapis.com', ''],
    ...['https://127.0.0.1/1', 'https://[::1]/1', 'https://localhost/1', 'https://2130706433/1'],
    ...['https://fcm.googleapis.com:444/1', 'https://1.push.apple.com:5223/1'],
    ...['https://fcm.googleapis.com\\@evil.example/1', 'https:fcm.googleapis.com/1'],
    ...['https:\\\\fcm.googleapis.com/1', 'https:/fcm.googleapis.com/1'],
    ...['https://169.254.169.254/latest', 'https://0x7f.1/', 'https://fcm.googleapis.com/\n1'],
    `https://fcm.googleapis.com/${'x'.repeat(2048)}`,
  ]) {
    assert.notEqual(endpointFaultOf(endpoint, known), null, endpoint)
  }
})

test('in development addresses are called, too, also over http, and names as usual', () => {
  for (const endpoint of ['http://127.0.0.1:9/1', 'https://localhost:1/', 'http://[::1]:80/x']) {
    assert.equal(endpointFaultOf(endpoint, inDevelopment), null, endpoint)
  }
  assert.notEqual(endpointFaultOf('https://evil.example/1', inDevelopment), null)
})

test('a host is normalized before it is compared', () => {
  assert.equal(host('https://[::ffff:127.0.0.1]/'), '::ffff:7f00:1')
  assert.equal(host('https://A.Example./'), 'a.example')
  assert.equal(host('https://0177.0.0.1/'), '127.0.0.1')
  assert.equal(pushUrlOf('https://fcm.googleapis.com/\u00e9'), null)
})

test('a configuration names hosts, all below one, or an address', () => {
  for (const name of ['push.example', '*.push.example', 'localhost', '10.0.0.1', '::1']) {
    assert.ok(isPushHost(name), name)
  }
  for (const name of ['*', '*.', 'a b', 'https://x.y', '*.com/..', 'x*.y.z', '']) {
    assert.ok(!isPushHost(name), name)
  }
})
