import { call, must } from './http-client.ts'

/** Recreates an index and loads documents into it with a bulk request. */
export async function createIndex(base: string, name: string, mappings: unknown, bulk: string): Promise<void> {
  const path = `/index/${encodeURIComponent(name)}`
  await call(base, { method: 'DELETE', path })
  await must(base, { method: 'PUT', path, body: { mappings } })
  await loadBulk(base, name, bulk)
}

/** Loads NDJSON. Throws if a line is rejected. */
export async function loadBulk(base: string, name: string, bulk: string): Promise<void> {
  const answer = await must(base, {
    method: 'POST',
    path: `/index/${encodeURIComponent(name)}/_bulk?refresh=true`,
    headers: { 'content-type': 'application/x-ndjson' },
    body: bulk,
  })
  if (typeof answer === 'object' && answer !== null && 'errors' in answer && answer.errors === true) {
    throw new Error(`_bulk of ${name} reported errors: ${JSON.stringify(answer).slice(0, 500)}`)
  }
}

export async function putCollection(base: string, name: string, params: unknown): Promise<unknown> {
  return must(base, { method: 'PUT', path: `/collections/${encodeURIComponent(name)}`, body: params })
}

export async function dropIndex(base: string, name: string): Promise<void> {
  await call(base, { method: 'DELETE', path: `/index/${encodeURIComponent(name)}` })
}

export async function deleteCollection(base: string, name: string): Promise<void> {
  await call(base, { method: 'DELETE', path: `/collections/${encodeURIComponent(name)}` })
}
