import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { buildPage, PAGE_PACKAGES } from '../build-web.ts'
import { bundle, NATIVE } from './bundle.ts'
import { notices, type Packages, refusedLicenses } from './licenses.ts'
import { asProduction, closureOf } from './locked-packages.ts'
import { sbomOf } from './sbom.ts'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly type: string
  readonly dependencies: Readonly<Record<string, string>>
}

interface Options {
  /** The checkout. */
  readonly root: string
  /** Folder of the tarball. */
  readonly output: string
  readonly say?: (line: string) => void
}

/** Copied as they are. The guides are for readers of the installed package. */
const COPIED = ['README.md', 'CHANGELOG.md', 'LICENSE', 'samples', 'docs']

const LEAST_NODE = '>=22.16'

/**
 * Makes the npm package: plain JavaScript with all dependencies but the native ones bundled, the explorer page, the
 * sample data, licences and a bill of materials. Returns the path of the tarball.
 */
export async function makePackage({ root, output, say = () => undefined }: Options): Promise<string> {
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Manifest
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as { packages: Packages }
  const staged = path.join(root, '.cache', `package-${process.pid}`)
  rmSync(staged, { recursive: true, force: true })
  mkdirSync(staged, { recursive: true })
  try {
    say('Building the explorer page...')
    await buildPage()
    say('Bundling the server...')
    const inServer = await bundle(root, staged)
    copyFiles(root, staged)
    const inPage = JSON.parse(readFileSync(path.join(staged, 'explorer', PAGE_PACKAGES), 'utf8')) as string[]
    const bundled = [...new Set([...inServer, ...closureOf(packages, inPage)])].sort()
    const installed = closureOf(packages, NATIVE)
    const refused = refusedLicenses(packages, [...bundled, ...installed])
    if (refused.length > 0) throw new Error(`licences that were not agreed to: ${refused.join('; ')}`)
    writeJson(path.join(staged, 'package.json'), packageManifest(manifest))
    writeJson(path.join(staged, 'npm-shrinkwrap.json'), shrinkwrap(manifest, packages, installed))
    writeFileSync(path.join(staged, 'THIRD-PARTY-LICENSES.txt'), notices(root, packages, bundled))
    const names = new Set([...bundled, ...installed].map((place) => nameAndVersion(packages, place)))
    writeJson(path.join(staged, 'sbom.cdx.json'), sbomOf(npmCommand(), root, names))
    say('Packing...')
    return pack(staged, output, manifest)
  } finally {
    rmSync(staged, { recursive: true, force: true })
  }
}

function copyFiles(root: string, staged: string): void {
  for (const name of COPIED) cpSync(path.join(root, name), path.join(staged, name), { recursive: true })
  cpSync(path.join(root, '.cache', 'explorer'), path.join(staged, 'explorer'), { recursive: true })
  mkdirSync(path.join(staged, 'bin'))
  cpSync(path.join(root, 'scripts', 'package', 'periplus.mjs'), path.join(staged, 'bin', 'periplus.mjs'))
  cpSync(path.join(root, 'scripts', 'launch.mjs'), path.join(staged, 'bin', 'launch.mjs'))
  chmodSync(path.join(staged, 'bin', 'periplus.mjs'), 0o755)
}

const nativeDependencies = ({ dependencies }: Manifest): Record<string, string> =>
  Object.fromEntries(NATIVE.map((name) => [name, dependencies[name] ?? '']))

function packageManifest(manifest: Manifest): object {
  const { name, version, description, license, type } = manifest
  return {
    ...{ name, version, description, license, type },
    keywords: ['geospatial', 'search', 'aggregation', 'elasticsearch', 'arlas', 'duckdb', 'map'],
    engines: { node: LEAST_NODE },
    bin: { periplus: 'bin/periplus.mjs' },
    dependencies: nativeDependencies(manifest),
  }
}

/** Pins the packages that npm installs beside the bundle. */
function shrinkwrap(manifest: Manifest, packages: Packages, places: readonly string[]): object {
  const { name, version, license } = manifest
  const own = { name, version, license, engines: { node: LEAST_NODE }, dependencies: nativeDependencies(manifest) }
  const entries = places.flatMap((place) => {
    const one = packages[place]
    return one === undefined ? [] : [[place, asProduction(one)] as const]
  })
  return { name, version, lockfileVersion: 3, requires: true, packages: { '': own, ...Object.fromEntries(entries) } }
}

function nameAndVersion(packages: Packages, place: string): string {
  return `${place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${packages[place]?.version}`
}

function pack(staged: string, output: string, { name, version }: Manifest): string {
  const [command, ...begin] = npmCommand()
  mkdirSync(output, { recursive: true })
  const made = path.join(staged, '..', `pack-${process.pid}`)
  mkdirSync(made)
  try {
    const args = [...begin, 'pack', '--pack-destination', made, '--loglevel=error', '--ignore-scripts']
    const { status, stderr } = spawnSync(command, args, { cwd: staged, encoding: 'utf8' })
    if (status !== 0) throw new Error(`npm pack failed: ${stderr}`)
    const file = `${name}-${version}.tgz`
    // never seen half written
    cpSync(path.join(made, file), path.join(output, `.${file}`))
    renameSync(path.join(output, `.${file}`), path.join(output, file))
    return path.join(output, file)
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}

/** The npm that runs this script, or the one in PATH. */
export function npmCommand(): readonly [string, ...string[]] {
  const script = process.env.npm_execpath
  return script === undefined ? ['npm'] : [process.execPath, script]
}

function writeJson(file: string, value: object): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
}
