import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import { SettingsFault } from '../../../config/setting-value.ts'
import type { Settings } from '../../../config/settings.ts'

type TlsSettings = Settings['tls']

/** The files of `tls.cert` and `tls.key`. */
export interface CertificateFiles {
  readonly certFile: string
  readonly keyFile: string
  readonly passphrase: string | undefined
}

/** A certificate that fits its key. */
export interface Certificate {
  readonly cert: Buffer
  readonly key: Buffer
  readonly passphrase: string | undefined
  /** SHA-256 of the certificate, in pairs of hexadecimal digits. */
  readonly fingerprint: string
  readonly validTo: Date
}

/** Undefined if the server does not use TLS. */
export function certificateFiles({ cert, key, passphrase }: TlsSettings): CertificateFiles | undefined {
  return cert === undefined || key === undefined ? undefined : { certFile: cert, keyFile: key, passphrase }
}

/** Reads and checks the certificate. Throws a SettingsFault that names the file and the reason. */
export function readCertificate(files: CertificateFiles): Certificate {
  const cert = reading('tls.cert', files.certFile, () => readFileSync(files.certFile))
  const key = reading('tls.key', files.keyFile, () => readFileSync(files.keyFile))
  return checkCertificate(files, cert, key)
}

interface Following {
  readonly current: Certificate
  readonly everyMs: number
  readonly use: (certificate: Certificate) => void
  /** Called once per content of the files that cannot be used. */
  readonly onFault: (error: unknown) => void
}

/**
 * Reads the files again and again, since events of the file system miss changes behind links, and reports a new
 * certificate that can be used. Returns a function that stops it.
 */
export function followCertificate(files: CertificateFiles, { current, everyMs, use, onFault }: Following): () => void {
  let known = Buffer.concat([current.cert, current.key])
  let fault = ''
  const look = async (): Promise<void> => {
    try {
      const [cert, key] = await Promise.all([readFile(files.certFile), readFile(files.keyFile)])
      const content = Buffer.concat([cert, key])
      if (content.equals(known)) return
      known = content
      use(checkCertificate(files, cert, key))
      fault = ''
    } catch (error) {
      const text = String(error)
      if (text !== fault) onFault(error)
      fault = text
    }
  }
  let next: NodeJS.Timeout
  let isStopped = false
  const wait = (): void => {
    if (!isStopped) next = setTimeout(() => void look().then(wait), everyMs).unref()
  }
  wait()
  return () => {
    isStopped = true
    clearTimeout(next)
  }
}

function checkCertificate({ certFile, keyFile, passphrase }: CertificateFiles, cert: Buffer, key: Buffer): Certificate {
  const parsed = reading('tls.cert', certFile, () => new X509Certificate(cert))
  const privateKey = reading('tls.key', keyFile, () => readKey(key, passphrase))
  if (!parsed.checkPrivateKey(privateKey)) {
    throw new SettingsFault(`tls.key: ${keyFile} is not the key of the certificate ${certFile}`)
  }
  // Checks the rest of the chain, and that the key is long enough.
  reading('tls.cert', certFile, () => createSecureContext({ cert, key, ...(passphrase && { passphrase }) }))
  return { cert, key, passphrase, fingerprint: parsed.fingerprint256, validTo: parsed.validToDate }
}

function readKey(key: Buffer, passphrase: string | undefined): KeyObject {
  return createPrivateKey({ key, ...(passphrase === undefined ? {} : { passphrase }) })
}

function reading<T>(setting: 'tls.cert' | 'tls.key', file: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new SettingsFault(`${setting}: ${file} ${reasonOf(error)}`)
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ENOENT') return 'does not exist'
  if (code === 'EACCES') return 'cannot be read: permission denied'
  if (code === 'EISDIR') return 'is a directory'
  if (/MISSING_PASSPHRASE|INTERRUPTED_OR_CANCELLED/.test(code)) return 'is encrypted: set tls.passphrase'
  if (code.includes('BAD_DECRYPT')) return 'cannot be decrypted with tls.passphrase'
  if (/UNSUPPORTED|NO_START_LINE/.test(code)) return 'is not in PEM format'
  return `cannot be used: ${error instanceof Error ? error.message : String(error)}`
}
