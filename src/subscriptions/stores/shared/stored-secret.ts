import { Type } from 'typebox'
import { parseStored } from '../../../model/json/stored-json.ts'
import type { SubscriptionSecret } from '../../record/secret-store.ts'

const Stored = Type.Object({
  secret: Type.String(),
  createdAt: Type.Number(),
  shown: Type.Boolean(),
  previous: Type.Optional(Type.Object({ secret: Type.String(), expiresAt: Type.Number() })),
})

/** Parses the decrypted text of a secret. */
export const parseSecret = (subscriptionId: string, text: string): SubscriptionSecret =>
  parseStored(Stored, text, `secret of subscription ${subscriptionId}`)
