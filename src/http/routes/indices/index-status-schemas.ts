import { Type } from 'typebox'
import * as answers from '../../../model/answer/index-status-answers.ts'
import { prettyParameter } from '../explore-parameters.ts'
import { entry, existing } from './index-schemas.ts'

const table = {
  ...prettyParameter,
  format: Type.Optional(
    Type.Enum(['text', 'json'], { description: 'Absent: the Accept header decides. Text is the default.' }),
  ),
  h: Type.Optional(Type.String({ description: 'Columns, separated by commas. Also short names and `*`.' })),
  v: Type.Optional(Type.Boolean({ description: 'Print the names of the columns. Without a value: true.' })),
  s: Type.Optional(Type.String({ description: 'Columns to sort by, each with `:asc` or `:desc`.' })),
  bytes: Type.Optional(
    Type.Enum(['b', 'k', 'kb', 'm', 'mb', 'g', 'gb', 't', 'tb', 'p', 'pb'], {
      description: 'Print sizes as numbers in this unit.',
    }),
  ),
}

/** An answer in text or JSON. */
const printed = <T extends ReturnType<typeof entry>>(schema: T, rows: object) => ({
  ...schema,
  response: {
    200: {
      description: 'The rows.',
      content: {
        'text/plain': { schema: Type.String() },
        'application/json': { schema: Type.Array(Type.Unsafe<object>(rows)) },
      },
    },
  },
})

const catText = 'List indices with their document counts and sizes'
export const allRows = printed(entry('listIndices', catText, answers.IndexRow, { query: table }), answers.IndexRow)
export const someRows = printed(
  entry('listSomeIndices', `${catText}, by name or pattern`, answers.IndexRow, { params: existing, query: table }),
  answers.IndexRow,
)
export const healthRows = printed(
  entry('listHealth', 'Get the health as a table', answers.HealthRow, { query: table }),
  answers.HealthRow,
)

const healthText = 'Get the health, as checked by Elasticsearch clients'
export const health = entry('getHealth', healthText, answers.ClusterHealth)
export const someHealth = entry('getIndexHealth', 'Get the health of indices', answers.ClusterHealth, {
  params: existing,
})
export const allStatistics = entry(
  'getAllStatistics',
  'Get document counts and sizes of all indices',
  answers.IndexStatistics,
)
export const statistics = entry('getStatistics', 'Get document counts and sizes', answers.IndexStatistics, {
  params: existing,
})
