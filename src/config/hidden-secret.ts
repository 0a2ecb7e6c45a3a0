import type { Setting } from './setting-list.ts'

const HIDDEN = '***'

/** A value of a setting as it may be shown: no password, key or token, nor the credentials in a URL. */
export function hideSecret(setting: Setting, value: unknown): unknown {
  if (setting.schema.secret === true) return HIDDEN
  return setting.key === 'cluster.urls' ? hideCredentials(value) : value
}

/** Also in what is not a URL, since it may have been meant as one. */
function hideCredentials(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hideCredentials)
  return typeof value === 'string' ? value.replace(/^([a-z]+:\/\/)?[^/]*@/i, `$1${HIDDEN}@`) : value
}
