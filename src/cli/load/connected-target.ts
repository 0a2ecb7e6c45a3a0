import type { LoadTarget } from '../../ingest/load/load-target.ts'
import { parseMapping } from '../../mapping/mapping-parser.ts'
import { isRecord } from '../../model/json/json-object.ts'
import { ask, type Connection } from '../client/connection.ts'
import { innerMapping } from './mapping-file.ts'

/** Loads through the routes of a server, or of the data directory. */
export function targetOf(connection: Connection): LoadTarget {
  const pathOf = (index: string, route = ''): string => `/index/${encodeURIComponent(index)}${route}`
  const collectionPath = (name: string): string => `/collections/${encodeURIComponent(name)}`
  return {
    where: connection.where,
    mappingOf: async (index) => {
      const path = pathOf(index, '/_mapping')
      if ((await connection.send('GET', path)).status === 404) return undefined
      return parseMapping(innerMapping(await ask(connection, 'GET', path))).mapping
    },
    countOf: async (index) => {
      const answer = await ask(connection, 'GET', pathOf(index, '/_count'))
      return isRecord(answer) && typeof answer.count === 'number' ? answer.count : 0
    },
    createIndex: async (index, mapping) => {
      await ask(connection, 'PUT', pathOf(index), { mappings: mapping })
    },
    dropIndex: async (index) => {
      await ask(connection, 'DELETE', pathOf(index))
    },
    namesLike: async (pattern) => {
      const indices = await ask(connection, 'GET', `/index/_cat/indices/${encodeURIComponent(pattern)}?format=json`)
      return Array.isArray(indices) ? indices.flatMap((one) => (isRecord(one) ? [String(one.index)] : [])) : []
    },
    replaceIndex: async (index, by) => {
      await ask(connection, 'POST', pathOf(index, `/_replace?by=${encodeURIComponent(by)}`))
    },
    referenceOf: async (collection) => {
      const path = collectionPath(collection)
      if ((await connection.send('GET', path)).status === 404) return undefined
      const answer = await ask(connection, 'GET', path)
      return isRecord(answer) && isRecord(answer.params) ? answer.params : undefined
    },
    putReference: async (collection, reference) => {
      await ask(connection, 'PUT', collectionPath(collection), reference)
    },
    write: (index, documents) => connection.write(index, documents),
    settle: (index) => connection.settle(index),
  }
}
