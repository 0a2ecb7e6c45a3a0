import { type OpenApi, type Operation, type Parameter, type Resolve, resolverOf } from './openapi.ts'

export interface NamedOperation extends Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly Parameter[]
  /** The text that searches look at. */
  readonly words: string
}

export interface Group {
  readonly name: string
  readonly description: string
  readonly operations: readonly NamedOperation[]
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** The operations of the document by group, in its order. */
export function groupsOf(api: OpenApi): readonly Group[] {
  const { tags, paths } = api
  const resolve = resolverOf(api)
  const all = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      return operation === undefined ? [] : [named(method, path, operation, resolve)]
    }),
  )
  return tags
    .map(({ name, description = '' }) => ({
      name,
      description,
      operations: all.filter((operation) => operation.tags.includes(name)),
    }))
    .filter(({ operations }) => operations.length > 0)
}

function named(method: string, path: string, operation: Operation, resolve: Resolve): NamedOperation {
  const { operationId, summary = '', description = '' } = operation
  const all = (operation.parameters ?? []).map(resolve)
  const parameters = [...all.filter((one) => one.in === 'path'), ...all.filter((one) => one.in !== 'path')]
  const names = parameters.map(({ name }) => name).join(' ')
  const words = `${method} ${path} ${operationId} ${summary} ${description} ${names}`.toLowerCase()
  return { ...operation, id: operationId, method, path, parameters, words }
}

/** The operations that contain every word of a text; groups without any are left out. */
export function searchGroups(groups: readonly Group[], text: string): readonly Group[] {
  const wanted = text.toLowerCase().split(/\s+/)
  return groups
    .map((group) => ({
      ...group,
      operations: group.operations.filter(({ words }) => wanted.every((word) => words.includes(word))),
    }))
    .filter(({ operations }) => operations.length > 0)
}

const READING_POSTS = /^\/(explore|stac)\/|\/_search$|\/_count$|\/_mget$|\/_refresh$/

/** True if the operation changes something on the server. */
export const isChange = ({ method, path }: NamedOperation): boolean =>
  method !== 'get' && !(method === 'post' && READING_POSTS.test(path))
