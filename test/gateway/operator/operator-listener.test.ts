import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { OperatorListener } from '../../../gateway/operator/operator-listener.js'
import { loadTransports } from '../../../gateway/transport/transports.js'

const transports = [await loadTransports('auto'), await loadTransports('node')]
const opened: OperatorListener[] = []
after(() => {
  for (const listener of opened) listener.close()
})

for (const [kind, own] of new Map(transports.map((own) => [own.kind, own]))) {
  test(`${kind}: the operator port answers health checks while the venue recovers`, async () => {
    const listener = await OperatorListener.open({ host: '127.0.0.1', port: 0, transports: own })
    opened.push(listener)
    const statusOf = async (path: string) => (await fetch(`${listener.url}${path}`)).status
    assert.equal(await statusOf('/livez'), 200)
    assert.equal(await statusOf('/readyz'), 503)
    assert.match(await (await fetch(`${listener.url}/metrics`)).text(), /^strikebook_ready 0$/m)
    assert.equal(await statusOf('/operator/state'), 503)
  })

  test(`${kind}: it passes calls to the operator server afterwards`, async () => {
    const listener = await OperatorListener.open({ host: '127.0.0.1', port: 0, transports: own })
    opened.push(listener)
    listener.onCall = (call) => call.answer(200, call.path, [])
    assert.equal(await (await fetch(`${listener.url}/operator/state`)).text(), '/operator/state')
  })
}
