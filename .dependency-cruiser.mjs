import { layers } from './scripts/layers.ts'

/** Tests may use anything. */
const TESTS = '\\.(test|fixture)\\.ts$'

const pathOf = (folder, room) => {
  if (room === '.') return `^${folder}/[^/]+$`
  return room.endsWith('.ts') ? `^${folder}/${room.replace('.', '\\.')}$` : `^${folder}/${room}/`
}

const directions = Object.entries(layers).flatMap(([folder, levels]) =>
  levels.flatMap((folders, level) =>
    folders.map((room) => ({
      name: `${folder}/${room}`,
      comment: 'It may import from lower layers only: see scripts/layers.ts.',
      severity: 'error',
      from: { path: pathOf(folder, room), pathNot: TESTS },
      to: {
        path: levels
          .slice(level)
          .flat()
          .filter((other) => other !== room)
          .map((other) => pathOf(folder, other)),
      },
    })),
  ),
)

/** A folder without a layer would have no rule. */
const unknown = Object.entries(layers).map(([folder, levels]) => ({
  name: `${folder}: folder without a layer`,
  comment: 'Give it a layer in scripts/layers.ts and in ARCHITECTURE.md.',
  severity: 'error',
  from: { path: `^${folder}/`, pathNot: [...levels.flat().map((room) => pathOf(folder, room)), TESTS] },
  to: {},
}))

export default {
  forbidden: [
    ...directions.filter(({ to }) => to.path.length > 0),
    ...unknown,
    {
      name: 'duckdb bindings',
      comment: 'The bindings write memory unchecked: see the comment in the only file that may import them.',
      severity: 'error',
      from: { pathNot: '^src/engine/duckdb/columns/column-vector\\.ts$' },
      to: { path: 'node_modules/@duckdb/node-bindings/' },
    },
    {
      name: 'pure',
      comment: 'Queries and geometry read and write nothing.',
      severity: 'error',
      from: { path: '^src/(query|geo|model)/', pathNot: TESTS },
      to: { dependencyTypes: ['core'], path: '^(node:)?(fs|net|http|https|child_process|worker_threads)' },
    },
  ],
  options: {
    // TypeScript 7 has no interface for other programs yet.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts'] },
  },
}
