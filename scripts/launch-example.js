import { buildOnce } from './build-once.js'

// What `npm run example` runs: a venue is at work beside it, and has a build.

await buildOnce()
await import(new URL('../dist/scripts/example.js', import.meta.url).href)
