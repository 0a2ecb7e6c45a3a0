import type { EgressRule } from '../../access/egress/egress-denied.ts'
import type { DeliveryError } from '../record/delivery-record.ts'

type WebhookOutcome = DeliveryError | 'DELIVERED'

/** Counters of attempts since the start, for the metrics (spec 5.3). */
export class DeliveryFigures {
  readonly #attempts = new Map<WebhookOutcome, number>()
  readonly #denied = new Map<EgressRule, number>()
  readonly #listeners: ((seconds: number) => void)[] = []

  /** `periplus_webhook_attempts_total{outcome}` */
  attempts(): ReadonlyMap<WebhookOutcome, number> {
    return this.#attempts
  }

  /** `periplus_egress_denied_total{rule}` */
  denied(): ReadonlyMap<EgressRule, number> {
    return this.#denied
  }

  /** `periplus_webhook_seconds`: duration of each attempt. */
  onAttempt(listener: (seconds: number) => void): void {
    this.#listeners.push(listener)
  }

  attempted(outcome: WebhookOutcome, seconds: number): void {
    this.#attempts.set(outcome, (this.#attempts.get(outcome) ?? 0) + 1)
    for (const listener of this.#listeners) listener(seconds)
  }

  countDenied(rule: EgressRule): void {
    this.#denied.set(rule, (this.#denied.get(rule) ?? 0) + 1)
  }
}
