import { EgressDenied, type EgressRule } from '../../access/egress/egress-denied.ts'
import { createEgressGuard } from '../../access/egress/egress-guard.ts'
import type { EgressSettings } from '../../config/settings.ts'
import { problem } from '../../errors.ts'

/** Throws CALLBACK_NOT_ALLOWED unless the text is a URL that may be called. */
type CallbackCheck = (callback: string) => void

/**
 * Validates a callback when a subscription is written (spec 2.1): rules 1 to 3 of the egress guard. Its addresses are
 * checked at each call.
 */
export function callbackCheck(settings: EgressSettings): CallbackCheck {
  const guard = createEgressGuard({ settings })
  return (callback) => {
    try {
      guard.read(callback)
    } catch (error) {
      if (!(error instanceof EgressDenied)) throw error
      // The value is omitted because it may contain a password.
      throw problem('CALLBACK_NOT_ALLOWED', {
        parameter: 'subscription.callback',
        reason: reasonOf(error.rule, settings),
      })
    }
  }
}

function reasonOf(rule: EgressRule, { httpsOnly }: EgressSettings): string {
  switch (rule) {
    case 'url':
      return 'must be an absolute URL'
    case 'scheme':
      return httpsOnly ? 'must be an https URL (setting egress.httpsOnly)' : 'must be an http or https URL'
    default:
      return 'must be a URL with a host and without user name, password and fragment'
  }
}
