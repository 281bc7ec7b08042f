const rolePattern = /^(core|journal|snapshot|read-model|history|push|(gateway|matcher)-\d{1,2})$/
const coreMax = 1023

/** Core numbers by thread role. */
export type Pinning = Readonly<Record<string, number>>

/** Allowed values of `pinning`, in words. */
export const pinningAllowed =
  'a table of role = CPU number; roles: core, journal, snapshot, read-model, history, push, gateway-<n>, matcher-<n>'

/** Validates the `pinning` table of the file; null if a role or core is not allowed. */
export function takePinning(value: unknown): Pinning | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const pinning: Record<string, number> = {}
  for (const [role, core] of Object.entries(value)) {
    const isCore =
      typeof core === 'number' && Number.isInteger(core) && core >= 0 && core <= coreMax
    if (!rolePattern.test(role) || !isCore) return null
    pinning[role] = core
  }
  return pinning
}
