/** How long a test waits for what must come: far longer than it takes, because the machine may be busy with others. */
export const PATIENT = { timeout: 180_000, interval: 50 }
