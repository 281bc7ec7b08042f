import assert from 'node:assert/strict'
import { test } from 'node:test'
import { directiveRoute } from '../../../gateway/read-model/history/directive-query.js'
import {
  historyRoutes,
  rfqRoute,
  tradeRoute,
} from '../../../gateway/read-model/history/history-routes.js'
import { referralCodeRoute } from '../../../gateway/read-model/history/referral-query.js'
import { readModelRoutes } from '../../../gateway/read-model/read-model.js'
import type { ReadRow } from '../../../schemas/interface/read.js'
import { historyReads, viewReads } from '../../../schemas/interface/reads.js'

test('a route fails in the envelope of its endpoint, like the gateway', () => {
  const rows: Readonly<Record<string, ReadRow>> = {
    ...viewReads,
    ...historyReads,
  }
  const routes = {
    ...readModelRoutes,
    ...historyRoutes,
    'GET /trades/': tradeRoute('/trades/7'),
    'GET /rfq/': rfqRoute('/rfq/7'),
    'GET /referrals/code/': referralCodeRoute('/referrals/code/abc'),
    'GET /v1/directives/': directiveRoute('/v1/directives/7'),
  }
  const used = Object.entries(routes).map(([key, { envelope }]) => [key, envelope] as const)
  const stated = Object.entries(rows).map(([key, { answer }]) => [key, answer.envelope] as const)
  assert.deepEqual(new Map(used), new Map(stated))
})
