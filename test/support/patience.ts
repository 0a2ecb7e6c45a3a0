/** Maximum time to wait for an expected condition: much longer than needed, because the machine may be busy. */
export const PATIENT = { timeout: 180_000, interval: 50 }
