import { test } from 'node:test'
import { runCrashRounds } from './support/crash-rounds.js'

const rounds = 2

test('kill -9 under load: nothing acknowledged is lost, nothing invented, and the hash is a replay’s', () =>
  runCrashRounds({ rounds, seed: Date.now() % 1_000_000 }))
