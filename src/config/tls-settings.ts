import { Type } from 'typebox'

const text = (description: string, options = {}) =>
  Type.Optional(Type.String({ minLength: 1, description, ...options }))

/** Settings of HTTPS. */
export const tlsSettingsSchema = Type.Object({
  cert: text(
    'PEM file with the certificate of the server, followed by those of the intermediate authorities. If set, the ' +
      'server speaks HTTPS only, as HTTP/2 or HTTP/1.1.',
  ),
  key: text('PEM file with the private key of `tls.cert`.'),
  passphrase: text('Passphrase of `tls.key`, if the file is encrypted.', { secret: true }),
  checkMs: Type.Integer({
    minimum: 10,
    maximum: 86_400_000,
    default: 10_000,
    description:
      'Milliseconds. How often the files are checked for changes. New connections use the new certificate; no restart ' +
      'is needed.',
  }),
})
