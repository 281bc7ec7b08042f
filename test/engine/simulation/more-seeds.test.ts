import { test } from 'node:test'
import { assertSeedsHold } from './seeds.js'

// A file of its own, so that both halves run at once on two cores.
test('another 150 seeds hold, with every kind of fault', () => assertSeedsHold(301, 150))
