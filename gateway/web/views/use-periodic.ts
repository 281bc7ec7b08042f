import { useEffect } from 'preact/hooks'
import { periodic } from '../state/periodic.js'

/** Runs periodic work while the component is mounted, and restarts it when `of` changes. */
export function usePeriodic(millis: number, work: () => Promise<void>, of: unknown): void {
  useEffect(() => periodic(millis, work), [millis, of])
}
