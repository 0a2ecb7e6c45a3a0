import { expect, it } from 'vitest'
import type { WriteResult } from '../engine/engine.ts'
import type { BulkItem } from './bulk-request.ts'
import { bulkResponse, printBulkResponse } from './bulk-response.ts'

it('prints what it says', () => {
  const content = { kind: 'nothing' } as const
  const items: BulkItem[] = [
    { action: 'index', index: 'a', id: '1', content },
    { action: 'index', index: 'a', id: '"é\n', content },
    { action: 'create', index: 'b"', content },
    { action: 'delete', index: 'a', id: '3', content },
    { action: 'delete', index: 'a', id: '4', content },
    { action: 'index', index: 'a', content },
    { action: 'index', index: 'a', id: '6', content },
  ]
  const results: WriteResult[] = [
    { ok: true, id: '1', result: 'created' },
    { ok: true, id: '"é\n', result: 'updated' },
    { ok: true, id: 'made', result: 'created', version: 3 },
    { ok: true, id: '3', result: 'deleted' },
    { ok: false, id: '4', status: 404, type: 'not_found', reason: 'document missing' },
    { ok: false, status: 400, type: 'document_parsing_exception', reason: 'no' },
  ]
  expect(printBulkResponse(items, results, 5)).toBe(JSON.stringify(bulkResponse(items, results, 5)))
  expect(JSON.parse(printBulkResponse(items.slice(0, 4), results.slice(0, 4), 5)).errors).toBe(false)
})
