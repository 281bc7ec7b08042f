import { lockDataDirectory } from '../../../engine/journal/data-lock.js'

// Child process of data-lock.test.ts: takes the lock of the given directory, reports it, and stays.
const directory = process.argv[2]
if (directory !== undefined) {
  try {
    await lockDataDirectory(directory)
    process.stdout.write('locked\n')
    setInterval(() => {}, 1000)
  } catch (error) {
    process.stdout.write(`${(error as Error).name}\n`)
  }
}
