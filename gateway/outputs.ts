import type { Writable } from 'node:stream'

/** Standard output of a process that survives the loss of its outputs. */
export interface Outputs {
  /**
   * Waits until everything printed is written.
   * @returns the first failure of standard output; null also when its reader closed it, which is no fault of ours.
   */
  failure(): Promise<Error | null>
}

/**
 * Keeps the process alive when standard output or standard error is full or closed. Text that cannot be written is lost.
 * Warnings of worker threads go through these streams too, so an unguarded error would stop a venue.
 */
export function outliveOutputs(): Outputs {
  let failure: Error | null = null
  const { stdout, stderr } = process
  outlive(stdout, (error) => {
    if (!isReaderGone(error)) failure ??= error
  })
  outlive(stderr, () => {})
  return {
    async failure() {
      if (stdout.writableLength > 0) {
        await new Promise<void>((resolve) => stdout.write('', () => resolve()))
      }
      return failure
    },
  }
}

/** Tells a closed pipe, as after `| head -1`, from every other error. */
export function isReaderGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE'
}

function outlive(stream: Writable, onFailure: (error: Error) => void): void {
  stream.on('error', onFailure)
  const write = stream._write.bind(stream)
  // Node 20 throws from the write itself where the output is a file or a device.
  stream._write = (chunk, encoding, callback) => {
    const onWritten = (error?: Error | null) => {
      if (error) onFailure(error)
      callback(error)
    }
    try {
      write(chunk, encoding, onWritten)
    } catch (error) {
      onWritten(error as Error)
    }
  }
}
