import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { PreflightDesk, type PreflightQuestion } from '../../../gateway/rail/preflight-desk.js'
import { Result } from '../../../schemas/results.js'

const { Accepted, WithdrawalPreflightUnavailable: unavailable } = Result
const somewhere = '0xd'

/** Returns a preflight whose questions the test answers. */
function deskOf() {
  const asked: PreflightQuestion[] = []
  return { asked, desk: new PreflightDesk((question) => asked.push(question)) }
}

test('a rail that does not answer in time is unavailable, and its late answer is ignored', async (context) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  context.after(() => mock.timers.reset())
  const { desk, asked } = deskOf()
  const answer = desk.preflight(somewhere, '0xa')
  mock.timers.tick(5000)
  assert.equal(await answer, unavailable)
  desk.onAnswer(asked[0]!.id, Accepted)
})

test('with a slow rail, no wallet takes the place of others', async (context) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  context.after(() => mock.timers.reset())
  const { desk, asked } = deskOf()
  const own = Array.from({ length: 32 }, () => desk.preflight(somewhere, '0xa'))
  assert.equal(await desk.preflight(somewhere, '0xa'), unavailable)
  const other = desk.preflight(somewhere, '0xb')
  assert.equal(asked.length, 33)
  for (const { id } of asked) desk.onAnswer(id, Accepted)
  assert.deepEqual(new Set(await Promise.all([...own, other])), new Set([Accepted]))
  const again = desk.preflight(somewhere, '0xa')
  desk.onAnswer(asked.at(-1)!.id, Accepted)
  assert.equal(await again, Accepted)
})

test('the total of waiting checks is limited, and the rest fails at once', async (context) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  context.after(() => mock.timers.reset())
  const { desk } = deskOf()
  const waiting = Array.from({ length: 256 }, (_, wallet) =>
    desk.preflight(somewhere, `0x${wallet}`),
  )
  assert.equal(await desk.preflight(somewhere, '0xa'), unavailable)
  mock.timers.tick(5000)
  await Promise.all(waiting)
})
