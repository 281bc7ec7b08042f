/**
 * Runs work periodically, never concurrently, and not while the page is hidden. After a failure it continues with the next
 * period.
 * @returns a function that stops it.
 */
export function periodic(millis: number, work: () => Promise<void>): () => void {
  let isWorking = false
  const run = async () => {
    if (isWorking || document.hidden) return
    isWorking = true
    try {
      await work()
    } catch {
      // The stream shows whether the venue is reachable.
    }
    isWorking = false
  }
  const timer = setInterval(run, millis)
  void run()
  return () => clearInterval(timer)
}

/** Coalesces calls: many calls in a row cause one run of work. A call during a run causes another run after it. */
export function gathered(millis: number, work: () => Promise<void>): () => void {
  let isWanted = false
  let isWorking = false
  const run = async () => {
    isWanted = false
    isWorking = true
    try {
      await work()
    } catch {
      // The next call runs it again.
    }
    isWorking = false
    if (isWanted) setTimeout(run, millis)
  }
  return () => {
    if (isWanted) return
    isWanted = true
    if (!isWorking) setTimeout(run, millis)
  }
}
