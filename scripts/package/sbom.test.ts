import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import type { Packages } from './licenses.ts'
import { npmCommand } from './make-package.ts'
import { sbomOf } from './sbom.ts'

const root = path.resolve(import.meta.dirname, '..', '..')
const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as { packages: Packages }

afterEach(() => vi.unstubAllEnvs())

it.each(['production', ''])('describes packages that development tools need too, with NODE_ENV "%s"', (value) => {
  vi.stubEnv('NODE_ENV', value)
  const names = ['@types/geojson', 'ajv', 'sax'].map((name) => `${name}@${packages[`node_modules/${name}`]?.version}`)
  const { components, metadata } = sbomOf(npmCommand(), root, new Set(names))
  expect(components.map(({ name, version }) => `${name}@${version}`).sort()).toEqual(names)
  expect(metadata.component.name).toBe('periplus')
})
