import { type TestContext, test } from 'node:test'

/** Whether what takes long is run, too: what `npm run test:long` says to every process of tests. */
export const isLongRun = process.env['LONG_TESTS'] === '1'

/** A test that proves more than it costs, and costs more than a run before each change may; else it is named as skipped. */
export function longTest(name: string, run: (context: TestContext) => void | Promise<void>): void {
  test(name, { skip: isLongRun ? false : 'npm run test:long' }, run)
}
