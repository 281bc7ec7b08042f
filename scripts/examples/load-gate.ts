import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

// A gate of continuous integration: so many signed commands a second at times planned beforehand, each answer compared with
// what it should be, and an exit code that says whether the thresholds hold: 0 they do, 99 one was missed, 1 something
// was wrong. The same by hand: npx strikebook load --rate 40 --duration 3 --max-p99 250 --min-goodput 30
//   npm start                     in one terminal; when it has said `ready`:
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
