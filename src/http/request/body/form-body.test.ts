import type { FastifyRequest } from 'fastify'
import { describe, expect, test } from 'vitest'
import { readFormField } from './form-body.ts'

const field = async (
  type: string | undefined,
  body: string | Uint8Array,
  name = 'file',
): Promise<string | undefined> => {
  const headers = type === undefined ? {} : { 'content-type': type }
  const request = { headers, body: Buffer.from(body) } as unknown as FastifyRequest
  const bytes = await readFormField(request, name)
  return bytes === undefined ? undefined : Buffer.from(bytes).toString()
}

const part = (head: string, content: string): string => `--b\r\n${head}\r\n\r\n${content}\r\n`
const multipart = (...parts: string[]): string => `${parts.join('')}--b--\r\n`

describe('multipart', () => {
  const type = 'multipart/form-data; boundary=b'

  test.each([
    ['a file', 'Content-Disposition: form-data; name="file"; filename="c.json"\r\nContent-Type: application/json'],
    ['a field', 'Content-Disposition: form-data; name="file"'],
    ['lower case', 'content-disposition: form-data; name="file"; filename="c.json"'],
    ['a quoted name with blanks', 'Content-Disposition: form-data; name="file"; filename="my file.json"'],
    [
      'an octet stream',
      'Content-Disposition: form-data; name="file"; filename="c"\r\nContent-Type: application/octet-stream',
    ],
  ])('%s', async (_name, head) => {
    const other = part('Content-Disposition: form-data; name="note"', 'x')
    expect(await field(type, multipart(other, part(head, '[{"é":1}]')))).toBe('[{"é":1}]')
  })

  test('a quoted boundary', async () => {
    const body = multipart(part('Content-Disposition: form-data; name="file"', '[]'))
    expect(await field('multipart/form-data; boundary="b"', body)).toBe('[]')
  })

  test('without the field', async () => {
    expect(await field(type, multipart(part('Content-Disposition: form-data; name="other"', 'x')))).toBeUndefined()
  })

  test.each([
    ['cut short', type, '--b\r\nContent-Disposition: form-data; name="file"\r\n\r\n[]'],
    ['without boundary', 'multipart/form-data', 'x'],
    ['empty', type, ''],
  ])('%s is INVALID_BODY', async (_name, contentType, body) => {
    await expect(field(contentType, body)).rejects.toMatchObject({ code: 'INVALID_BODY' })
  })
})

test('urlencoded', async () => {
  const type = 'application/x-www-form-urlencoded;charset=utf-8'
  expect(await field(type, `a=1&file=${encodeURIComponent('[{"a":"b&c é"}]')}`)).toBe('[{"a":"b&c é"}]')
  expect(await field(type, 'a=1')).toBeUndefined()
  expect(await field(type, '')).toBeUndefined()
})

test.each([undefined, 'application/json', 'application/json;charset=utf-8'])(
  'a body of type %s has no fields',
  async (type) => {
    expect(await field(type, '{"file":[]}')).toBeUndefined()
  },
)
