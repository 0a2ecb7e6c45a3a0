import type { EgressGuard } from '../../access/egress/egress-guard.ts'
import type { SecretStore } from '../record/secret-store.ts'
import type { Channel } from './delivery-channel.ts'
import type { DeliveryFigures } from './delivery-figures.ts'
import { nextWait } from './delivery-schedule.ts'
import { attemptWebhook, type WebhookOptions } from './webhook-attempt.ts'
import type { WebhookConsents } from './webhook-consent.ts'
import { firstSecret, signingSecrets } from './webhook-secret.ts'

interface WebhookChannelOptions extends WebhookOptions {
  readonly guard: EgressGuard
  readonly secrets: SecretStore
  readonly random: () => number
  readonly now: () => number
  readonly figures: DeliveryFigures
  /** Absent: no consent is required. */
  readonly consents?: WebhookConsents
}

/** Sends signed requests to callbacks. */
export function webhookChannel(options: WebhookChannelOptions): Channel {
  const { guard, secrets, random, now, figures, consents } = options

  /** A secret is created with each subscription. If that was interrupted, it is created here. */
  const secretsOf = async (subscriptionId: string, nowS: number): Promise<readonly string[]> => {
    const known = await secrets.get(subscriptionId)
    if (known !== undefined) return signingSecrets(known, nowS)
    const made = firstSecret(nowS)
    await secrets.put(subscriptionId, made)
    return signingSecrets(made, nowS)
  }

  return {
    name: 'webhook',
    hostOf: (callback) => hostOf(guard, callback),
    ...(consents === undefined
      ? {}
      : {
          mayCall: (callback, nowMs) => consents.mayCall(callback, nowMs),
          called: (callback, nowMs) => consents.called(callback, nowMs),
        }),
    wait: (failures) => nextWait(failures, random()),
    async send(delivery, { id, subscription }, nowMs, signal) {
      const signing = await secretsOf(id, Math.floor(nowMs / 1000))
      const call = { callback: subscription.callback, delivery, secrets: signing, nowMs, signal }
      const result = await attemptWebhook(call, options)
      figures.attempted(result.error ?? 'DELIVERED', (now() - nowMs) / 1000)
      return result
    },
  }
}

/** Invalid callbacks share one queue and fail when they are called. */
function hostOf(guard: EgressGuard, callback: string): string {
  try {
    return guard.read(callback).url.host
  } catch {
    return ''
  }
}
