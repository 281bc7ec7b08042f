import type { VenueStatus } from '../../schemas/interface/venue.js'

/** State of a venue without acknowledgements and halts. */
export const quietStatus: VenueStatus = {
  role: 'single',
  uptime_ms: 0,
  halts: { count: 0, rows: [] },
  acknowledgements: { window_ms: 0, count: 0, p50_ms: null, p99_ms: null, p999_ms: null },
}
