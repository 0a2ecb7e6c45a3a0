import { describe, expect, it } from 'vitest'
import { readDisplayName } from './display-name.ts'

describe('the body of a display name', () => {
  it.each([
    ['"My grid"', 'My grid'],
    ['My grid', 'My grid'],
    ['42', '42'],
    ['"unclosed', '"unclosed'],
    ['"a\\u00e9"', 'aé'],
  ])('%j is the name %j', (body, name) => {
    expect(readDisplayName(body)).toBe(name)
  })

  it.each(['', ' \n', '{}', '["a"]'])('%j is refused', (body) => {
    expect(() => readDisplayName(body)).toThrow(expect.objectContaining({ code: 'INVALID_BODY' }))
  })
})
