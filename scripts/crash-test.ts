import { Command } from 'commander'
import { runCrashRounds } from '../test/e2e/support/crash-rounds.js'

// `npm run soak -- crash --rounds 100` runs the crash test of the suite for any number of rounds.

const seedBelow = 1_000_000
const roundsDefault = '20'

const command = new Command('soak crash')
  .description(
    'Kills the venue at random moments under load and checks that no acknowledged action is lost.',
  )
  .option('--rounds <count>', 'kills', roundsDefault)
  .option('--seed <seed>', 'seed of load and moments', String(Date.now() % seedBelow))
  .parse()
const { rounds, seed } = command.opts<{ rounds: string; seed: string }>()

process.stderr.write(`seed ${seed}\n`)
await runCrashRounds({
  rounds: Number(rounds),
  seed: Number(seed),
  onRound: (round, acknowledged) => {
    process.stderr.write(`round ${round}: all ${acknowledged} acknowledged actions are present\n`)
  },
})
