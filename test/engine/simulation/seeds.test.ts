import { test } from 'node:test'
import { assertSeedsHold } from './seeds.js'

test('150 seeds hold, and every kind of fault strikes in them', () => assertSeedsHold(1, 150))
