/**
 * Does something now and again, never twice at once, and not while nobody looks at the page. What fails is tried again the
 * next time.
 * @returns a function that ends it.
 */
export function periodic(millis: number, work: () => Promise<void>): () => void {
  let isWorking = false
  const run = async () => {
    if (isWorking || document.hidden) return
    isWorking = true
    try {
      await work()
    } catch {
      // The stream shows whether the venue is there.
    }
    isWorking = false
  }
  const timer = setInterval(run, millis)
  void run()
  return () => clearInterval(timer)
}

/** Has many reasons in a row cause one turn of work, which comes behind the last reason that it may have missed. */
export function gathered(millis: number, work: () => Promise<void>): () => void {
  let isWanted = false
  let isWorking = false
  const run = async () => {
    isWanted = false
    isWorking = true
    try {
      await work()
    } catch {
      // Its next reason comes.
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
