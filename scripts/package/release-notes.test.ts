import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Packages, refusedLicenses } from './licenses.ts'
import { releaseFaults } from './release-notes.ts'

const changelog = '# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2026-01-31\n\n- New.\n'
const candidate = { version: '1.2.0', changelog, changed: '', tags: ['v1.1.0'] }

test('a version that the changelog names can be released', () => {
  expect(releaseFaults(candidate)).toEqual([])
})

test.each([
  ['another version', { version: '1.3.0' }, 'is 1.2.0, not 1.3.0'],
  ['a version that is none', { version: '1.2' }, 'not MAJOR.MINOR.PATCH'],
  ['no date', { changelog: changelog.replace(' - 2026-01-31', '') }, 'no date'],
  ['entries that belong to no version', { changelog: changelog.replace('ed]\n', 'ed]\n\n- More.\n') }, 'unreleased'],
  ['no version', { changelog: '# Changelog\n' }, 'is none'],
  ['changed files', { changed: ' M package.json' }, 'working tree'],
  ['a version that was released', { tags: ['v1.2.0'] }, 'exists'],
])('%s prevents a release', (_name, change, expected) => {
  expect(releaseFaults({ ...candidate, ...change }).join('\n')).toContain(expected)
})

test('package.json and the lock file have the newest version of the changelog', () => {
  const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')
  const [, newest] = /^## \[(\d[^\]]*)\]/m.exec(read('CHANGELOG.md')) ?? []
  expect((JSON.parse(read('package.json')) as { version: string }).version).toBe(newest)
  expect((JSON.parse(read('package-lock.json')) as { version: string }).version).toBe(newest)
})

test.each([
  ['MIT', true],
  ['(MIT OR GPL-3.0-only)', true],
  ['Apache-2.0 AND MIT', true],
  ['GPL-3.0-only', false],
  ['MIT AND GPL-3.0-only', false],
  [undefined, false],
])('the licence %s is agreed to: %s', (license, isAgreed) => {
  const one = license === undefined ? { version: '1.0.0' } : { version: '1.0.0', license }
  const packages: Packages = { 'node_modules/a': one }
  expect(refusedLicenses(packages, ['node_modules/a'])).toHaveLength(isAgreed ? 0 : 1)
})
