// Entry of the script that the reference at /docs loads in development.
export { demoOptions } from './state/demo-signing.js'
