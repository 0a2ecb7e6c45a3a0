import { globSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

const TYPES_ONLY = /^(?:import|export) type [^']*'[^']*'/gm
const IMPORT = /\bfrom '(\.[^']+\.ts)'/g
/** Importing this module waits for the cluster. */
const ASKS_FOR_CLUSTER = 'test/support/cluster-url.ts'
/** This module also refers to a cluster, but skips its tests if none is available. */
const LEAVES_OUT = 'test/support/engines.ts'

interface ClusterTests {
  /** Files without any test that runs without a cluster. */
  readonly whole: readonly string[]
  /** Files that run on several engines. */
  readonly partly: readonly string[]
}

/** Finds the test files that need a cluster, by following their imports. */
export function findClusterTests(root: string, patterns: readonly string[]): ClusterTests {
  const leavesOut = resolve(root, LEAVES_OUT)
  const cluster = resolve(root, ASKS_FOR_CLUSTER)
  const modules = new Map<string, { readonly asks: boolean; readonly imports: readonly string[] }>()
  const read = (file: string) => {
    const known = modules.get(file)
    if (known !== undefined) return known
    const text = readFileSync(file, 'utf8')
    const imports = [...text.replace(TYPES_ONLY, '').matchAll(IMPORT)].map(([, path = '']) =>
      resolve(dirname(file), path),
    )
    const module = { asks: imports.includes(cluster), imports }
    modules.set(file, module)
    return module
  }
  const reached = (start: string): ReadonlySet<string> => {
    const seen = new Set([start])
    for (const file of seen) for (const imported of read(file).imports) seen.add(imported)
    return seen
  }
  const whole: string[] = []
  const partly: string[] = []
  for (const name of globSync([...patterns], { cwd: root })) {
    const asking = [...reached(resolve(root, name))].filter((file) => read(file).asks)
    if (asking.some((file) => file !== leavesOut)) whole.push(name)
    else if (asking.length > 0) partly.push(name)
  }
  return { whole, partly }
}
