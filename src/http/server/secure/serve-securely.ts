import type { FastifyInstance, FastifyServerFactory } from 'fastify'
import type { Settings } from '../../../config/settings.ts'
import { type Certificate, certificateFiles, followCertificate, readCertificate } from './certificate.ts'
import { secureServers } from './secure-server.ts'

interface SecureServing {
  readonly factory: FastifyServerFactory
  readonly validTo: () => Date
  /** Uses changed files until the app is closed. */
  readonly follow: (app: FastifyInstance) => void
}

/** HTTPS, if the settings name a certificate; throws if it cannot be used. */
export function serveSecurely(
  { tls, limits }: Settings,
  onCertificate: (fingerprint: string) => void = () => {},
): SecureServing | undefined {
  const files = certificateFiles(tls)
  if (files === undefined) return undefined
  let current = readCertificate(files)
  const { factory, replace } = secureServers(current, limits)
  onCertificate(current.fingerprint)
  return {
    factory,
    validTo: () => current.validTo,
    follow: (app) => {
      warnExpired(app, current)
      const stop = followCertificate(files, {
        current,
        everyMs: tls.checkMs,
        use: (certificate) => {
          replace(certificate)
          current = certificate
          app.log.info({ validTo: current.validTo }, 'the certificate was replaced')
          warnExpired(app, current)
          onCertificate(current.fingerprint)
        },
        onFault: (error) => app.log.error({ err: error }, 'the changed certificate cannot be used; the old one stays'),
      })
      app.addHook('onClose', async () => stop())
    },
  }
}

function warnExpired(app: FastifyInstance, { validTo }: Certificate): void {
  if (validTo.getTime() < Date.now()) app.log.warn({ validTo }, 'the certificate has expired')
}
