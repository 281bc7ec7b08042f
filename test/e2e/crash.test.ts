import { test } from 'node:test'
import { runCrashRounds } from './support/crash-rounds.js'

const rounds = 2

test('a venue killed with kill -9 under load loses nothing acknowledged, invents nothing, and has a replay’s hash', () =>
  runCrashRounds({ rounds, seed: Date.now() % 1_000_000 }))
