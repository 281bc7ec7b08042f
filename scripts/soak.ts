// `npm run soak -- memory --seconds 600` runs one of the long runs below. Each has its own options (`--help`).

const runs: Readonly<Record<string, () => Promise<unknown>>> = {
  crash: () => import('./crash-test.js'), // kills a venue at random moments
  memory: () => import('./memory-test.js'), // holds a load and watches memory
  overload: () => import('./overload-test.js'), // offers three times the capacity
  'slow-consumer': () => import('./slow-consumer-test.js'), // adds stalled readers
}

const [name = ''] = process.argv.splice(2, 1)
const run = Object.hasOwn(runs, name) ? runs[name] : undefined
if (run === undefined) {
  process.stderr.write(
    `no run is named ${name || '(nothing)'}: choose ${Object.keys(runs).join(', ')}\n`,
  )
  process.exitCode = 2
} else await run()
