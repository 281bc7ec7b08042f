import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { projectPath } from '../../support/project.js'

const body = JSON.stringify({ code: 'not_ready', message: 'the audit log cannot be written' })
const server = createServer((_, response) => {
  response.writeHead(503, { 'Content-Type': 'application/json' }).end(body)
})
after(() => server.close())

test('a market maker whose venue answers with an error exits with one line that states the reason', async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const file = projectPath('dist/gateway/maker/market-maker.js')
  const maker = spawn(process.execPath, [file], { env: { ...process.env, MAKER_URL: url } })
  let text = ''
  maker.stderr.setEncoding('utf8').on('data', (part: string) => {
    text += part
  })
  const [code] = await once(maker, 'close')
  assert.equal(code, 1)
  assert.equal(text, 'the market maker cannot start: the audit log cannot be written\n')
})
