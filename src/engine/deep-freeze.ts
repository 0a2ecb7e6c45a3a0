/** Freezes a value of plain data with everything in it, so that one caller cannot change what another one gets. */
export function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  Object.freeze(value)
  for (const member of Array.isArray(value) ? value : Object.values(value)) deepFreeze(member)
}
