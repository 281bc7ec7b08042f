import { useEffect } from 'preact/hooks'
import { periodic } from '../state/periodic.js'

/** Asks for something as long as what shows it is there, and anew when what it depends on changes. */
export function usePeriodic(millis: number, work: () => Promise<void>, of: unknown): void {
  useEffect(() => periodic(millis, work), [millis, of])
}
