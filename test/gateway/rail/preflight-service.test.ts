import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import {
  type PreflightQuestion,
  PreflightService,
} from '../../../gateway/rail/preflight-service.js'
import { Result } from '../../../schemas/results.js'

const { Accepted, WithdrawalPreflightUnavailable: unavailable } = Result
const somewhere = '0xd'

/** Returns a preflight whose questions the test answers. */
function serviceOf() {
  const asked: PreflightQuestion[] = []
  return { asked, service: new PreflightService((question) => asked.push(question)) }
}

test('a rail that does not answer in time is unavailable, and its late answer is ignored', async (context) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  context.after(() => mock.timers.reset())
  const { service, asked } = serviceOf()
  const answer = service.preflight(somewhere, '0xa')
  mock.timers.tick(5000)
  assert.equal(await answer, unavailable)
  service.onAnswer(asked[0]!.id, Accepted)
})

test('with a slow rail, no wallet takes the place of others', async (context) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  context.after(() => mock.timers.reset())
  const { service, asked } = serviceOf()
  const own = Array.from({ length: 32 }, () => service.preflight(somewhere, '0xa'))
  assert.equal(await service.preflight(somewhere, '0xa'), unavailable)
  const other = service.preflight(somewhere, '0xb')
  assert.equal(asked.length, 33)
  for (const { id } of asked) service.onAnswer(id, Accepted)
  assert.deepEqual(new Set(await Promise.all([...own, other])), new Set([Accepted]))
  const again = service.preflight(somewhere, '0xa')
  service.onAnswer(asked.at(-1)!.id, Accepted)
  assert.equal(await again, Accepted)
})

test('the total of waiting checks is limited, and the rest fails at once', async (context) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  context.after(() => mock.timers.reset())
  const { service } = serviceOf()
  const waiting = Array.from({ length: 256 }, (_, wallet) =>
    service.preflight(somewhere, `0x${wallet}`),
  )
  assert.equal(await service.preflight(somewhere, '0xa'), unavailable)
  mock.timers.tick(5000)
  await Promise.all(waiting)
})
