import { spawnSync } from 'node:child_process'

interface Component {
  readonly 'bom-ref': string
  readonly name: string
  readonly version: string
  readonly properties?: readonly object[]
}

/** CycloneDX 1.5 as npm prints it; only the members that are used here. */
interface Sbom {
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

/**
 * With NODE_ENV=production, which the build of the page sets, npm leaves out development packages and also packages of
 * the server that they need too.
 */
const EVERYTHING = ['--include=dev', '--include=optional', '--include=peer']

/**
 * Software bill of materials of the package: of all components of the lock file that npm describes, those in `names`
 * (`name@version`).
 */
export function sbomOf(npm: readonly [string, ...string[]], root: string, names: ReadonlySet<string>): Sbom {
  const [command, ...begin] = npm
  const args = [...begin, 'sbom', '--sbom-format=cyclonedx', '--package-lock-only', ...EVERYTHING]
  const { stdout, stderr, status } = spawnSync(command, args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`npm sbom failed: ${stderr}`)
  return onlyWith(JSON.parse(stdout) as Sbom, names)
}

export function onlyWith(whole: Sbom, names: ReadonlySet<string>): Sbom {
  const own = whole.metadata.component
  const components = whole.components.filter(({ name, version }) => names.has(`${name}@${version}`))
  const found = new Set(components.map(({ name, version }) => `${name}@${version}`))
  const missing = [...names].filter((name) => !found.has(name))
  if (missing.length > 0) throw new Error(`npm sbom does not describe ${missing.join(', ')}`)
  const kept = new Set([own['bom-ref'], ...components.map((component) => component['bom-ref'])])
  return {
    ...whole,
    metadata: { ...whole.metadata, component: { ...own, name: 'periplus', properties: [] } },
    components,
    dependencies: whole.dependencies
      .filter(({ ref }) => kept.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) })),
  }
}
