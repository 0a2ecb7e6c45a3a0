import { LRUCache } from 'lru-cache'
import type { EgressClient } from '../../access/egress/egress-client.ts'
import type { Clock } from './clock.ts'

interface ConsentOptions {
  readonly client: EgressClient
  readonly clock: Clock
  readonly timeoutMs: number
  /** Host of this server's public URL. */
  readonly origin: () => string
  /** Called when deliveries to a callback may continue. */
  readonly onChange: (callback: string) => void
}

interface Consent {
  isGranted: boolean
  isAsking: boolean
  refusals: number
  /** Calls per minute. Absent: unlimited. */
  rate?: number
  /** Start times of the calls of the last minute, in milliseconds. */
  calls: number[]
}

const MINUTE = 60_000
/** Milliseconds before a callback without consent is asked again. Doubled each time, up to LONGEST_WAIT_MS. */
const FIRST_WAIT_MS = 5_000
const LONGEST_WAIT_MS = 60 * MINUTE
/** Number of callbacks remembered. The least recently used are evicted. */
const MOST_REMEMBERED = 100_000

/**
 * Consent of callbacks (`delivery.handshake`). Each callback is asked once with OPTIONS, and called at the rate it
 * allows. Kept in memory, so callbacks are asked again after a restart.
 */
export class WebhookConsents {
  readonly #options: ConsentOptions
  /** Bounded by size, because `max` would allocate all entries at once. */
  readonly #consents = new LRUCache<string, Consent>({ maxSize: MOST_REMEMBERED, sizeCalculation: () => 1 })

  constructor(options: ConsentOptions) {
    this.#options = options
  }

  /** True if the callback may be called now. Asks for consent if it was never asked. */
  mayCall(callback: string, nowMs: number): boolean {
    const consent = this.#of(callback)
    if (!consent.isGranted) {
      if (consent.refusals === 0) void this.#ask(callback, consent)
      return false
    }
    return consent.rate === undefined || recent(consent, nowMs).length < consent.rate
  }

  /** Records the start of a call. */
  called(callback: string, nowMs: number): void {
    const consent = this.#of(callback)
    if (consent.rate === undefined) return
    consent.calls = [...recent(consent, nowMs), nowMs]
    if (consent.calls.length >= consent.rate) {
      const { clock, onChange } = this.#options
      clock.after((consent.calls[0] ?? nowMs) + MINUTE - nowMs, () => onChange(callback))
    }
  }

  /** Asks at once unless consent was given, even after a refusal. */
  async ask(callback: string): Promise<boolean> {
    const consent = this.#of(callback)
    if (!consent.isGranted) await this.#ask(callback, consent)
    return consent.isGranted
  }

  async #ask(callback: string, consent: Consent): Promise<void> {
    if (consent.isAsking) return
    consent.isAsking = true
    const { client, clock, timeoutMs, origin, onChange } = this.#options
    const allowed = await readConsent(client, callback, origin(), timeoutMs)
    consent.isAsking = false
    if (allowed !== undefined) {
      consent.isGranted = true
      if (allowed.rate !== undefined) consent.rate = allowed.rate
      onChange(callback)
      return
    }
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** consent.refusals)
    consent.refusals += 1
    clock.after(wait, () => void this.#ask(callback, consent))
  }

  #of(callback: string): Consent {
    let consent = this.#consents.get(callback)
    if (consent === undefined) {
      consent = { isGranted: false, isAsking: false, refusals: 0, calls: [] }
      this.#consents.set(callback, consent)
    }
    return consent
  }
}

const recent = ({ calls }: Consent, nowMs: number): number[] => calls.filter((at) => at > nowMs - MINUTE)

/** Returns what the callback allows, undefined if it does not consent. */
async function readConsent(
  client: EgressClient,
  url: string,
  origin: string,
  timeoutMs: number,
): Promise<{ readonly rate?: number } | undefined> {
  try {
    const headers = { 'webhook-request-origin': origin }
    const answer = await client.request({ url, method: 'OPTIONS', headers, timeoutMs })
    const allowed = answer.headers['webhook-allowed-origin']
    if (allowed !== '*' && allowed !== origin) return undefined
    const rate = Number(answer.headers['webhook-allowed-rate'])
    return Number.isInteger(rate) && rate > 0 ? { rate } : {}
  } catch {
    // Unreachable, refused or too slow: no consent.
    return undefined
  }
}
