import type { EgressClient } from '../../access/egress/egress-client.ts'
import type { Clock } from './clock.ts'

export interface ConsentOptions {
  readonly client: EgressClient
  readonly clock: Clock
  readonly timeoutMs: number
  /** Host of this server's public address. */
  readonly origin: () => string
  /** Told when deliveries to a callback may go on. */
  readonly onChange: (callback: string) => void
}

interface Consent {
  isGranted: boolean
  isAsking: boolean
  refusals: number
  /** Per minute; absent: as many as we like. */
  rate?: number
  /** ms; when the calls of the last minute began. */
  calls: number[]
}

const MINUTE = 60_000
/** Before a callback that did not agree is asked again: doubled each time, up to the longest. */
const FIRST_WAIT_MS = 5_000
const LONGEST_WAIT_MS = 60 * MINUTE
const MOST_REMEMBERED = 100_000

/**
 * Whether callbacks agreed to be called (`delivery.handshake`): each is asked once with OPTIONS, and called at the rate it
 * allows. Held in memory: after a restart it is asked again.
 */
export class WebhookConsents {
  readonly #options: ConsentOptions
  readonly #consents = new Map<string, Consent>()

  constructor(options: ConsentOptions) {
    this.#options = options
  }

  /** Whether it may be called now; one that was never asked is asked. */
  mayCall(callback: string, nowMs: number): boolean {
    const consent = this.#of(callback)
    if (!consent.isGranted) {
      if (consent.refusals === 0) void this.#ask(callback, consent)
      return false
    }
    return consent.rate === undefined || recent(consent, nowMs).length < consent.rate
  }

  /** A call begins. */
  called(callback: string, nowMs: number): void {
    const consent = this.#of(callback)
    if (consent.rate === undefined) return
    consent.calls = [...recent(consent, nowMs), nowMs]
    if (consent.calls.length >= consent.rate) {
      const { clock, onChange } = this.#options
      clock.after((consent.calls[0] ?? nowMs) + MINUTE - nowMs, () => onChange(callback))
    }
  }

  /** Asks now, whatever it said before. */
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
      const [oldest] = this.#consents.keys()
      if (oldest !== undefined && this.#consents.size >= MOST_REMEMBERED) this.#consents.delete(oldest)
      consent = { isGranted: false, isAsking: false, refusals: 0, calls: [] }
      this.#consents.set(callback, consent)
    }
    return consent
  }
}

const recent = ({ calls }: Consent, nowMs: number): number[] => calls.filter((at) => at > nowMs - MINUTE)

/** What the callback allows; undefined: nothing, for whatever reason. */
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
    // Unreachable, refused or slow: it has not agreed.
    return undefined
  }
}
