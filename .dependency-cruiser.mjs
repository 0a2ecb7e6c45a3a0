/**
 * The rooms of each folder, from the lowest floor to the highest. A room imports from itself and from lower floors; rooms
 * of the same floor do not import each other. '.' stands for the files of the folder itself.
 */
export const house = {
  src: [
    ['errors.ts', 'turn.ts'],
    ['model', 'cluster-client'],
    ['config', 'geo', 'storage'],
    ['query'],
    ['access', 'mapping'],
    ['engine'],
    ['formats', 'ingest'],
    ['collections'],
    ['explore', 'tagging'],
    ['subscriptions'],
    ['http'],
    ['cli'],
  ],
  'src/model': [['.'], ['tag']],
  'src/geo': [['.'], ['polygon'], ['shape'], ['area', 'grid']],
  'src/query': [
    ['date', 'pattern', 'schema', 'text'],
    ['access', 'plan'],
    ['value'],
    ['evaluate', 'filter'],
    ['page'],
    ['aggregation'],
    ['request'],
  ],
  'src/engine': [['.'], ['cluster', 'duckdb']],
  'src/engine/duckdb': [
    ['database'],
    ['files'],
    ['index'],
    ['columns', 'condition'],
    ['shortcut'],
    ['search', 'write'],
    ['aggregate', 'tag'],
    ['arrange'],
    ['.'],
  ],
  'src/engine/cluster': [
    ['request'],
    ['catalog'],
    ['condition'],
    ['selection', 'write'],
    ['scanned', 'tag'],
    ['aggregate', 'changes', 'search'],
    ['.'],
  ],
  'src/formats': [
    ['.', 'tile'],
    ['export', 'mvt', 'shapefile'],
  ],
  'src/explore': [['.'], ['tile']],
  'src/tagging': [['log'], ['.']],
  'src/subscriptions': [
    ['record', 'trigger'],
    ['hits', 'stores'],
    ['watched'],
    ['events', 'rights'],
    ['check', 'delivery', 'matching'],
    ['.', 'operations'],
  ],
  'src/subscriptions/stores': [['shared'], ['cluster', 'sqlite'], ['.']],
  'src/http': [['.'], ['request'], ['answer', 'auth'], ['openapi', 'pages', 'routes'], ['health'], ['server']],
  'src/http/routes': [['.'], ['explore', 'subscriptions']],
  'src/cli': [['terminal'], ['serve'], ['client'], ['load'], ['command'], ['.']],
}

/** Tests may use anything. */
const TESTS = '\\.(test|fixture)\\.ts$'

const pathOf = (folder, room) => {
  if (room === '.') return `^${folder}/[^/]+$`
  return room.endsWith('.ts') ? `^${folder}/${room.replace('.', '\\.')}$` : `^${folder}/${room}/`
}

const floors = Object.entries(house).flatMap(([folder, levels]) =>
  levels.flatMap((rooms, level) =>
    rooms.map((room) => ({
      name: `${folder}/${room}`,
      comment: 'It may import from lower floors only: see `house` in .dependency-cruiser.mjs.',
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

/** A folder that is not in the house yet would have no rule. */
const unknown = Object.entries(house).map(([folder, levels]) => ({
  name: `${folder}: room without a floor`,
  comment: 'Give it a floor in `house` of .dependency-cruiser.mjs.',
  severity: 'error',
  from: { path: `^${folder}/`, pathNot: [...levels.flat().map((room) => pathOf(folder, room)), TESTS] },
  to: {},
}))

export default {
  forbidden: [
    ...floors.filter(({ to }) => to.path.length > 0),
    ...unknown,
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
