import { type TestContext, test } from 'node:test'

/** True in long runs: `npm run test:long` sets it for every test process. */
export const isLongRun = process.env['LONG_TESTS'] === '1'

/** Registers a test too slow for the run before each change. Other runs report it as skipped. */
export function longTest(name: string, run: (context: TestContext) => void | Promise<void>): void {
  test(name, { skip: isLongRun ? false : 'npm run test:long' }, run)
}
