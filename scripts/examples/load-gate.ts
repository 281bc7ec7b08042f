import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

// A gate for continuous integration: sends signed commands at a fixed rate and planned times, and checks each answer. The
// exit code is 0 if the thresholds hold, 99 if one was missed, and 1 if an answer was wrong.
// By hand: npx strikebook load --rate 40 --duration 3 --max-p99 250 --min-goodput 30
//   npm start                     in one terminal; once it prints `ready`:
//   npm run example -- load-gate  in another

const command = join(import.meta.dirname, '../strikebook.js')
const [url, operatorUrl, tokenFile] = process.argv.slice(2)
const load = ['--rate=40', '--duration=3', '--max-p99=250', '--min-goodput=30']
const env = { ...process.env }
if (url !== undefined) {
  load.push(`--url=${url}`, `--operator-url=${operatorUrl}`)
  env['STRIKEBOOK_OPERATOR_TOKEN'] = readFileSync(tokenFile!, 'utf8').trim()
}
const { status } = spawnSync(process.execPath, [command, 'load', ...load], {
  stdio: 'inherit',
  env,
})
process.exitCode = status ?? 1
