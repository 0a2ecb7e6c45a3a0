import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startGuardedServer } from '../http/access/guarded-server.ts'
import { checkers } from './checkers.ts'
import { runModule } from './run-checkers.ts'

const KEYS = { 'auth.modes': 'apikey', 'auth.queryToken': 'true' }

/** Whether `openapi-spec-validator`, which knows nothing of this server, takes a text for an OpenAPI document. */
async function validate(document: string): Promise<{ readonly exitCode: number; readonly output: string }> {
  if (checkers === undefined) throw new Error('the validator is not there')
  const directory = await mkdtemp(join(tmpdir(), 'periplus-openapi-'))
  try {
    const file = join(directory, 'openapi.json')
    await writeFile(file, document)
    return await runModule(checkers, ['openapi_spec_validator', '--schema', '3.1', file], { directory })
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

describe.skipIf(checkers === undefined)('the OpenAPI document is one', () => {
  test.each([{}, KEYS])('of a server with %j', async (settings) => {
    const server = await startGuardedServer({ 'log.level': 'error', ...settings })
    try {
      const { text } = await server.ask('/openapi.json')
      const { exitCode, output } = await validate(text)
      expect(exitCode, output).toBe(0)
    } finally {
      await server.stop()
    }
  })

  test('the validator finds two operations of one name', async () => {
    const operation = { operationId: 'same', responses: { 200: { description: 'Fine.' } } }
    const info = { title: 'Spoilt', version: '1' }
    const document = { openapi: '3.1.0', info, paths: { '/a': { get: operation }, '/b': { get: operation } } }
    expect((await validate(JSON.stringify(document))).exitCode).not.toBe(0)
  })
})
