import { randomUUID } from 'node:crypto'
import type { WireObject } from '../../cluster-client/cluster-client.ts'
import { printWire } from '../../cluster-client/wire-json.ts'
import type { FieldType } from '../../model/field-type.ts'
import type { JsonObject } from '../../model/json/document.ts'
import type { Field } from '../../query/schema/field.ts'
import type { ClusterContext } from './request/cluster-context.ts'

export const fieldOf = (path: string, type: FieldType, format?: string): Field => ({
  path,
  type,
  ...(format === undefined ? {} : { format }),
  indexed: true,
  nested: false,
})

/** Creates an index with these documents and returns its name. `_id` is the number of the document. */
export async function makeTestIndex(
  { client }: ClusterContext,
  subject: string,
  properties: WireObject,
  documents: readonly (JsonObject | WireObject)[],
  shards = 1,
): Promise<string> {
  const name = `t-${subject}-${randomUUID().slice(0, 8)}`
  const settings = { number_of_shards: shards, number_of_replicas: 0, refresh_interval: -1 }
  await client.send({ method: 'PUT', path: `/${name}`, body: { settings, mappings: { properties } } })
  for (let at = 0; at < documents.length; at += 5000) {
    const lines = documents
      .slice(at, at + 5000)
      .map((document, i) => `${printWire({ index: { _id: String(at + i) } })}\n${printWire(document as WireObject)}\n`)
    const answer = await client.send<WireObject>({ method: 'POST', path: `/${name}/_bulk`, body: lines.join('') })
    if (answer.errors !== false) {
      await client.send({ method: 'DELETE', path: `/${name}` })
      throw new Error(printWire(answer).slice(0, 2000))
    }
  }
  await client.send({ method: 'POST', path: `/${name}/_refresh` })
  return name
}

export async function dropTestIndices({ client }: ClusterContext, names: readonly string[]): Promise<void> {
  for (const name of names) await client.send({ method: 'DELETE', path: `/${name}` })
  await client.close()
}
