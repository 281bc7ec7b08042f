import { useEffect, useState } from 'preact/hooks'

const tickMillis = 250

/**
 * Redraws the component until a time has passed.
 * @param untilMillis Unix milliseconds; null: no countdown.
 * @returns milliseconds until then, 0 afterwards.
 */
export function useCountdown(untilMillis: number | null): number {
  const [, draw] = useState(0)
  const leftMillis = untilMillis === null ? 0 : Math.max(0, untilMillis - Date.now())
  const isRunning = leftMillis > 0
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => draw((ticks) => ticks + 1), tickMillis)
    return () => clearInterval(timer)
  }, [untilMillis, isRunning])
  return leftMillis
}
