import { aggregated, counted, filtered, newest } from './opensearch-parts.ts'
import type { Draw, SearchBody } from './question.ts'
import { explore, f, inGroup, NEWEST, q } from './question-parts.ts'
import { countRows, topCounts } from './sql-parts.ts'

const counting = (filter: object): SearchBody => ({ ...counted, ...filtered(filter) })

const prefixOf = (d: Draw): string => d.words.other.slice(0, 3)

/** The first digits of an owner, such as `-12`, which several owners have. */
const digitsOf = (d: Draw): string => d.owner.slice('owner'.length, 'owner'.length + 3)

/** Words of the titles, and parts of keywords. */
export const textQuestions = inGroup('text', [
  {
    name: 'count of a frequent word',
    expects: 'count',
    periplus: (d) => explore('_count', q(`title:${d.words.frequent}`)),
    opensearch: (d) => counting({ match: { title: d.words.frequent } }),
  },
  {
    name: 'count of a rare word',
    expects: 'count',
    periplus: (d) => explore('_count', q(`title:${d.words.rare}`)),
    opensearch: (d) => counting({ match: { title: d.words.rare } }),
  },
  {
    name: 'count of two words',
    expects: 'count',
    periplus: (d) => explore('_count', q(`title:${d.words.frequent} ${d.words.other}`)),
    opensearch: ({ words }) =>
      counting({ match: { title: { query: `${words.frequent} ${words.other}`, operator: 'and' } } }),
  },
  {
    name: 'count of a phrase',
    expects: 'count',
    periplus: (d) => explore('_count', q(`title:"${d.words.frequent} ${d.words.other}"`)),
    opensearch: ({ words }) => counting({ match_phrase: { title: `${words.frequent} ${words.other}` } }),
  },
  {
    name: 'count of a prefix',
    expects: 'count',
    periplus: (d) => explore('_count', q(`title:${prefixOf(d)}*`)),
    opensearch: (d) => counting({ prefix: { title: prefixOf(d) } }),
  },
  {
    name: '10 newest with a frequent word',
    expects: 'ids',
    periplus: (d) => explore('_search', 'size=10', NEWEST, q(`title:${d.words.frequent}`)),
    opensearch: (d) => ({ ...newest(10), ...filtered({ match: { title: d.words.frequent } }) }),
  },
  {
    name: 'count of owners like a pattern',
    expects: 'count',
    periplus: (d) => explore('_count', f('owner', 'like', digitsOf(d))),
    opensearch: (d) => counting({ wildcard: { owner: { value: `*${digitsOf(d)}*` } } }),
    sql: (d) => countRows(`owner LIKE '%${digitsOf(d)}%'`),
  },
  {
    name: 'suggest owners',
    expects: 'buckets',
    periplus: (d) => explore('_suggest', 'field=owner', `q=owner${digitsOf(d)}`),
    opensearch: (d) => aggregated({ terms: { field: 'owner', size: 10, include: `owner${digitsOf(d)}.*` } }),
    sql: (d) => topCounts('owner', 10, { where: [`owner LIKE 'owner${digitsOf(d)}%'`] }),
  },
  {
    name: 'suggest words of titles',
    expects: 'buckets',
    periplus: (d) => explore('_suggest', 'field=title', `q=${prefixOf(d)}`),
  },
])
