import path from 'node:path'
import { rolldown } from 'rolldown'
import { ownFiles } from './own-files.ts'

/** Packages with compiled code for one platform each; npm installs the right one. */
export const NATIVE = ['@duckdb/node-api', '@duckdb/node-bindings', '@napi-rs/canvas', 'sharp']

/**
 * Bundles the sources and their dependencies, except the native ones, into plain JavaScript in `lib`. Returns the names
 * of the bundled packages.
 */
export async function bundle(root: string, target: string): Promise<readonly string[]> {
  const build = await rolldown({
    cwd: root,
    input: { main: path.join(root, 'src', 'cli', 'main.ts') },
    platform: 'node',
    external: [/^node:/, ...NATIVE],
    transform: { target: 'node22' },
    treeshake: true,
    plugins: [ownFiles({ root, target })],
    onLog(level, log, handle) {
      if (level === 'warn' && log.code !== 'EVAL') handle('error', log)
    },
  })
  try {
    const { output } = await build.write({
      dir: path.join(target, 'lib'),
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
      comments: { legal: true, annotation: false, jsdoc: false },
      minify: false,
    })
    const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
    return packagesOf(root, modules)
  } finally {
    await build.close()
  }
}

/** Places of the packages of these modules, as the lock file names them. */
function packagesOf(root: string, modules: readonly string[]): readonly string[] {
  const places = modules.flatMap((id) => {
    const [, place] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path.relative(root, id)) ?? []
    return place === undefined ? [] : [place]
  })
  return [...new Set(places)].sort()
}
