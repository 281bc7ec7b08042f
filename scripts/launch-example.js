import { buildOnce } from './build-once.js'

// Entry of `npm run example`. A venue runs in another terminal.

await buildOnce()
await import(new URL('../dist/scripts/example.js', import.meta.url).href)
