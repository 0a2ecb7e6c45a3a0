import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { firstSecret, rotateSecret, secretKey, signingSecrets } from './webhook-secret.ts'
import { signWebhook, verifyWebhook } from './webhook-signature.ts'

const OLD = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='
const NEW = 'whsec_//79/Pv6+fj39vX08/Lx8O/u7ezr6uno5+bl5OPi4eA='
const ID = 'msg_5338da2448c447976e67c9707b87ce9d'
const AT = 1_794_736_801
const BODY =
  '{"type":"hit.update","timestamp":"2026-11-15T10:00:00.000Z","id":"evt-1","collection":"geodata","event":"UPDATE",' +
  '"time":"2026-11-15T10:00:00.000Z","object":{"id":"ID__10__30DI","geometry":{"type":"Point","coordinates":[-10,-30]},' +
  '"job":"Brain Scientist"},"data":{"id":"ID__10__30DI","params":{"job":"Brain Scientist","country":"Angola",' +
  '"startdate":960300},"geo_params":{"geometry":{"type":"Polygon","coordinates":[[[-11,-29],[-9,-29],[-9,-31],' +
  '[-11,-31],[-11,-29]]]},"centroid":"-30,-10"}},"subscription":{"id":"1234",' +
  '"callback":"https://hooks.example.com/periplus"},"user_metadata":{"correlationId":"my-correlation-id"}}'

describe('signatures', () => {
  it('are those of the worked example, also after a rotation', () => {
    expect(Buffer.byteLength(BODY)).toBe(619)
    const first = 'v1,Kk06+Qx6baqTrP+ki4ZWu5PRvUmbNUdCuraSUbtEzMA='
    expect(signWebhook([OLD], ID, AT, BODY)).toBe(first)
    const rotated = rotateSecret(
      { secret: OLD, createdAt: AT - 9, shown: true },
      { secret: NEW, overlap: 60, nowS: AT },
    )
    expect(signWebhook(signingSecrets(rotated, AT), ID, AT, BODY)).toBe(
      `v1,X9u5JbnUUxahaWMD8vgW4rwMMRpEuHzue7YITqI8T3M= ${first}`,
    )
  })

  it('are verified by the public library, with the old and the new secret while both sign', () => {
    const now = Math.floor(Date.now() / 1000)
    const old = { ...firstSecret(now), shown: true }
    const rotated = rotateSecret(old, { overlap: 60, nowS: now })
    const verify = (secret: string, at: number): unknown =>
      new Webhook(secret).verify('{"a":"ü"}', {
        'webhook-id': ID,
        'webhook-timestamp': String(now),
        'webhook-signature': signWebhook(signingSecrets(rotated, at), ID, now, '{"a":"ü"}'),
      })
    expect(verify(rotated.secret, now + 59)).toEqual({ a: 'ü' })
    expect(verify(old.secret, now + 59)).toEqual({ a: 'ü' })
    expect(verify(rotated.secret, now + 60)).toEqual({ a: 'ü' })
    expect(() => verify(old.secret, now + 60)).toThrow()
    expect(() => verify(firstSecret(now).secret, now)).toThrow()
  })
})

describe('a receiver', () => {
  const headers = {
    'webhook-id': ID,
    'webhook-timestamp': String(AT),
    'webhook-signature': signWebhook([NEW, OLD], ID, AT, BODY),
  }

  it('knows what was signed with its secret, within five minutes', () => {
    expect([NEW, OLD].map((secret) => verifyWebhook(secret, headers, BODY, AT + 300))).toEqual(['right', 'right'])
    expect(verifyWebhook(OLD, headers, BODY, AT + 301)).toBe('old')
    expect(verifyWebhook(OLD, headers, BODY, AT - 301)).toBe('old')
    expect(verifyWebhook(firstSecret(AT).secret, headers, BODY, AT)).toBe('wrong')
    expect(verifyWebhook(OLD, headers, `${BODY} `, AT)).toBe('wrong')
    expect(verifyWebhook(OLD, { ...headers, 'webhook-id': 'msg_1' }, BODY, AT)).toBe('wrong')
    expect(verifyWebhook(OLD, { ...headers, 'webhook-signature': 'v1,x v2,y' }, BODY, AT)).toBe('wrong')
    expect(verifyWebhook(OLD, {}, BODY, AT)).toBe('wrong')
  })
})

describe('secrets', () => {
  it('are 32 random bytes when they are made here', () => {
    const { secret, shown } = firstSecret(AT)
    expect(secretKey(secret)?.length).toBe(32)
    expect(shown).toBe(false)
    expect(firstSecret(AT).secret).not.toBe(secret)
  })

  it.each<readonly [string, number | undefined]>([
    [`whsec_${Buffer.alloc(23).toString('base64')}`, undefined],
    [`whsec_${Buffer.alloc(24).toString('base64')}`, 24],
    [`whsec_${Buffer.alloc(64).toString('base64')}`, 64],
    [`whsec_${Buffer.alloc(65).toString('base64')}`, undefined],
    [Buffer.alloc(32).toString('base64'), undefined],
    ['whsec_', undefined],
    [`whsec_${'!'.repeat(44)}`, undefined],
    [`whsec_${Buffer.alloc(32, 255).toString('base64url')}`, undefined],
    [`whsec_${Buffer.alloc(32).toString('base64').slice(0, -1)}`, undefined],
  ])('of others are base64 of 24 to 64 bytes: %s', (secret, length) => {
    expect(secretKey(secret)?.length).toBe(length)
  })

  it('that nobody saw are replaced at once', () => {
    expect(rotateSecret(firstSecret(AT), { overlap: 60, nowS: AT })).not.toHaveProperty('previous')
    expect(rotateSecret(undefined, { overlap: 60, nowS: AT })).not.toHaveProperty('previous')
  })

  it('drop the oldest when they rotate again, and the former without an overlap', () => {
    const first = rotateSecret(undefined, { overlap: 0, nowS: AT })
    const second = rotateSecret(first, { overlap: 600, nowS: AT + 1 })
    const third = rotateSecret(second, { overlap: 600, nowS: AT + 2 })
    expect(third.previous).toEqual({ secret: second.secret, expiresAt: AT + 602 })
    expect(rotateSecret(third, { overlap: 0, nowS: AT + 3 })).not.toHaveProperty('previous')
  })
})
