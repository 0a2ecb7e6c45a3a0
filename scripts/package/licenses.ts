import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Licences that allow use, change and distribution in any program; only notices must be kept. */
const PERMISSIVE = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'EDL-1.0', // the text of BSD-3-Clause
  'ISC',
  'MIT',
  'Python-2.0',
  'Unlicense',
  'Zlib',
])

/** Have a library in a file of its own that can be exchanged, which its licence (LGPL) allows for any program. */
const EXCHANGEABLE = /^node_modules\/@img\/sharp-/

export interface LockedPackage {
  readonly version: string
  readonly license?: string
  readonly integrity?: string
  readonly resolved?: string
  readonly link?: boolean
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly optional?: boolean
  readonly peer?: boolean
  readonly os?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}
export type Packages = Readonly<Record<string, LockedPackage>>

/** Packages of these places whose licence is unknown or not permissive, with the licence. */
export function refusedLicenses(packages: Packages, places: readonly string[]): readonly string[] {
  return places.flatMap((place) => {
    const license = packages[place]?.license ?? 'unknown'
    const plain = EXCHANGEABLE.test(place) ? license.replace('LGPL-3.0-or-later', 'MIT') : license
    return isPermissive(plain) ? [] : [`${place}: ${license}`]
  })
}

/** Understands `A OR B` and `A AND B`, with parentheses around the whole. */
function isPermissive(license: string): boolean {
  const plain = license.replace(/^\((.*)\)$/, '$1')
  if (plain.includes(' OR ')) return plain.split(' OR ').some(isPermissive)
  return plain.split(' AND ').every((one) => PERMISSIVE.has(one))
}

/** The licences of bundled packages, which they require copies to include. */
export function notices(root: string, packages: Packages, places: readonly string[]): string {
  const texts = places.map((place) => {
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const { version = '', license = '' } = packages[place] ?? {}
    return [`${name} ${version} (${license})`, '', ...licenseTexts(path.join(root, place))].join('\n')
  })
  return ['Periplus contains code of the following packages.', ...texts].join(`\n\n${'-'.repeat(80)}\n\n`)
}

function licenseTexts(folder: string): readonly string[] {
  const files = existsSync(folder) ? readdirSync(folder) : []
  return files
    .filter((name) => /^(?:licen[cs]e|copying|notice)/i.test(name) && !/\.(?:js|ts|json)$/.test(name))
    .sort()
    .map((name) => readFileSync(path.join(folder, name), 'utf8').trim())
}
