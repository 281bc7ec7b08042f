import { buildOnce } from './build-once.js'

// The first step of `npm start`. The venue is its second, in the place of the shell, so that signals reach it.

await buildOnce()
