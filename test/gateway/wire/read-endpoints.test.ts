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
import {
  historyEndpoints,
  type ReadEndpoint,
  readModelEndpoints,
} from '../../../gateway/wire/read-endpoints.js'

test('a route refuses in the envelope of its endpoint, in which the gateway does', () => {
  const rows: Readonly<Record<string, ReadEndpoint>> = {
    ...readModelEndpoints,
    ...historyEndpoints,
  }
  const routes = {
    ...readModelRoutes,
    ...historyRoutes,
    'GET /trades/': tradeRoute('/trades/7'),
    'GET /rfq/': rfqRoute('/rfq/7'),
    'GET /referrals/code/': referralCodeRoute('/referrals/code/abc'),
    'GET /v1/directives/': directiveRoute('/v1/directives/7'),
  }
  const envelopes = (of: Readonly<Record<string, Pick<ReadEndpoint, 'envelope'>>>) =>
    new Map(Object.entries(of).map(([key, { envelope }]) => [key, envelope]))
  assert.deepEqual(envelopes(routes), envelopes(rows))
})
