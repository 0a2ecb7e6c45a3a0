import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
// @ts-expect-error plain JavaScript that runs before anything is installed
import { judgeAudit as judge } from './audit.mjs'
// @ts-expect-error plain JavaScript that runs before anything is installed
import { matchesLock as matches } from './install.mjs'

interface Package {
  readonly version: string
  readonly integrity?: string
  readonly resolved?: string
  readonly optional?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}
type Packages = Readonly<Record<string, Package>>

const matchesLock = matches as (lock: string, installed: string, kind?: 'server' | 'all') => boolean
const judgeAudit = judge as (printed: string) => { readonly code: number; readonly lines: readonly string[] }

const read = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
const { packages } = JSON.parse(read('package-lock.json')) as { readonly packages: Packages }

/** True if Node would resolve the package from `location`. */
function isLocked(name: string, location: string): boolean {
  const place = location === '' ? `node_modules/${name}` : `${location}/node_modules/${name}`
  if (packages[place] !== undefined) return true
  return location !== '' && isLocked(name, location.slice(0, Math.max(0, location.lastIndexOf('/node_modules/'))))
}

test('the lock file is whole, so that "npm ci" takes it on every platform', () => {
  const missing = Object.entries(packages).flatMap(([location, one]) =>
    Object.keys({ ...one.dependencies, ...one.devDependencies, ...one.optionalDependencies })
      .filter((name) => !isLocked(name, location))
      .map((name) => `${name} of ${location}`),
  )
  expect(missing).toEqual([])
})

test('every package has a digest, unless it is for a platform whose packages could not be looked at', () => {
  const unchecked = Object.entries(packages).filter(([location, one]) => location !== '' && one.integrity === undefined)
  const isForLinux = ({ os = [], cpu = [] }: Package) => os.includes('linux') && /^(?:x64|arm64)$/.test(String(cpu[0]))
  for (const [, one] of unchecked) expect(one).toMatchObject({ optional: true, os: [expect.any(String)] })
  expect(unchecked.filter(([, one]) => isForLinux(one))).toEqual([])
})

test('no package is bound to a registry', () => {
  expect(Object.entries(packages).filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
})

test('what is installed is the lock file, no more and no less', () => {
  const lock = (more: Record<string, object> = {}) =>
    JSON.stringify({
      packages: {
        '': { name: 'x', version: '1.0.0' },
        'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
        'node_modules/b': { version: '1.0.0', integrity: 'sha512-b', optional: true },
        ...more,
      },
    })
  const installed = (a: object, more: Record<string, object> = {}) =>
    JSON.stringify({ packages: { 'node_modules/a': a, ...more } })
  const a = { version: '1.0.0', integrity: 'sha512-a' }
  expect(matchesLock(lock(), installed(a))).toBe(true)
  expect(matchesLock(lock(), installed(a, { 'node_modules/b': { version: '1.0.0', integrity: 'sha512-b' } }))).toBe(
    true,
  )
  expect(matchesLock(lock(), JSON.stringify({ packages: {} }))).toBe(false)
  expect(matchesLock(lock(), installed({ ...a, version: '1.0.1' }))).toBe(false)
  expect(matchesLock(lock(), installed({ ...a, integrity: 'sha512-other' }))).toBe(false)
  expect(matchesLock(lock(), installed(a, { 'node_modules/b': { version: '2.0.0' } }))).toBe(false)
  expect(matchesLock(lock(), installed(a, { 'node_modules/c': { version: '1.0.0' } }))).toBe(false)
})

test('the server needs no development tools, and does not mind them', () => {
  const a = { version: '1.0.0', integrity: 'sha512-a' }
  const b = { version: '1.0.0', integrity: 'sha512-b' }
  const locked = { '': { name: 'x' }, 'node_modules/a': a, 'node_modules/b': { ...b, dev: true } }
  const lock = JSON.stringify({ packages: locked })
  const server = JSON.stringify({ packages: { 'node_modules/a': a } })
  const all = JSON.stringify({ packages: { 'node_modules/a': a, 'node_modules/b': b } })
  expect(matchesLock(lock, server, 'server')).toBe(true)
  expect(matchesLock(lock, server, 'all')).toBe(false)
  expect(matchesLock(lock, all, 'server')).toBe(true)
  expect(matchesLock(lock, all, 'all')).toBe(true)
  expect(matchesLock(lock, JSON.stringify({ packages: { 'node_modules/b': b } }), 'server')).toBe(false)
})

test.each([
  ['nothing', '', 2, 'NOT CHECKED'],
  ['no JSON', '<html>', 2, 'NOT CHECKED'],
  ['a refusal', '{"statusCode":405,"message":"405"}', 2, 'status 405'],
  ['a clean report', '{"auditReportVersion":2,"vulnerabilities":{}}', 0, 'No known'],
  [
    'a report',
    '{"vulnerabilities":{"a":{"name":"a","severity":"high","range":"<2","via":[{"title":"bad"}]}}}',
    1,
    'high: a <2: bad',
  ],
])('an audit that answers %s', (_name, printed, code, text) => {
  const judged = judgeAudit(printed)
  expect(judged.code).toBe(code)
  expect(judged.lines.join('\n')).toContain(text)
})
