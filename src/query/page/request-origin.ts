/** Where the values of a request come from, so that messages name parameters as the caller wrote them. */
export type RequestOrigin = 'query' | 'body'

const bodyPaths = {
  f: 'filter',
  size: 'page.size',
  from: 'page.from',
  sort: 'page.sort',
  after: 'page.after',
  before: 'page.before',
  include: 'projection.includes',
  exclude: 'projection.excludes',
  returned_geometries: 'returned_geometries',
} as const

type RequestParameter = keyof typeof bodyPaths

/** `size` in a query, `page.size` in a body. */
export const nameIn = (origin: RequestOrigin, parameter: RequestParameter): string =>
  origin === 'query' ? parameter : bodyPaths[parameter]

/** Blank strings count as absent in both forms (spec 1.2.2). */
export const presentText = (text: string | undefined): string | undefined =>
  text === undefined || text.trim() === '' ? undefined : text
