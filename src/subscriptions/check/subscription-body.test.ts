import { describe, expect, it } from 'vitest'
import { Problem } from '../../errors.ts'
import { exactInteger } from '../../model/json/exact-integer.ts'
import { readSubscriptionBody } from './subscription-body.ts'
import { checkSubscriptionValues } from './subscription-values.ts'

const body = {
  created_by: 'gisaia',
  active: true,
  starts_at: 1564578988,
  expires_at: 2145913200,
  title: 'title',
  subscription: {
    trigger: { event: ['UPDATE'] },
    callback: 'https://hooks.example.com/periplus',
    hits: { filter: 'f=a:eq:b', projection: 'include=a' },
  },
  userMetadatas: { correlationId: 'my-correlation-id' },
}
const { subscription } = body

function faultOf(work: () => unknown): { code: string; message: string } {
  try {
    work()
  } catch (error) {
    if (error instanceof Problem) return { code: error.code, message: error.message }
    throw error
  }
  return { code: 'none', message: '' }
}
const refusalOf = (value: unknown) => faultOf(() => readSubscriptionBody(value))

describe('the body of a subscription', () => {
  it('is read as it is', () => {
    expect(readSubscriptionBody(body)).toEqual(body)
  })

  it('may repeat what the server makes, whatever it says', () => {
    const own = { id: 5, created_at: 'x', modified_at: [], created_by_admin: 'yes', deleted: {}, _links: 1 }
    expect(readSubscriptionBody({ ...own, ...body })).toEqual(body)
  })

  it('has defaults', () => {
    const { userMetadatas: _left, ...rest } = body
    const hits = { filter: '' }
    expect(readSubscriptionBody({ ...rest, subscription: { ...subscription, hits } })).toEqual({
      ...body,
      subscription: { ...subscription, hits: { filter: '', projection: '' } },
      userMetadatas: {},
    })
  })

  it('may spell userMetadatas as a public client does, but not twice', () => {
    const { userMetadatas, ...rest } = body
    expect(readSubscriptionBody({ ...rest, user_metadatas: userMetadatas })).toEqual(body)
    expect(readSubscriptionBody({ ...body, user_metadatas: null })).toEqual(body)
    expect(refusalOf({ ...body, user_metadatas: {} })).toEqual({
      code: 'INVALID_BODY',
      message: 'user_metadatas must not be given together with userMetadatas',
    })
  })

  it('takes null for absent, at every depth', () => {
    const trigger = JSON.parse('{"event":null,"__proto__":{"a":null,"b":1},"list":[null,{"c":null}]}')
    const read = readSubscriptionBody({ ...body, subscription: { ...subscription, trigger }, userMetadatas: null })
    expect(JSON.stringify(read.subscription.trigger)).toBe('{"__proto__":{"b":1},"list":[null,{}]}')
    expect(read.userMetadatas).toEqual({})
    expect(refusalOf({ ...body, title: null }).message).toBe('Missing required keys: title')
  })

  it('names every missing key', () => {
    expect(refusalOf({ created_by: 'John Doe' })).toEqual({
      code: 'INVALID_BODY',
      message: 'Missing required keys: active, starts_at, expires_at, title, subscription',
    })
    expect(refusalOf({ ...body, subscription: { hits: {} } }).message).toBe(
      'Missing required keys: subscription.trigger, subscription.callback, subscription.hits.filter',
    )
  })

  it('names all that is wrong at once', () => {
    const { active: _left, ...rest } = body
    const hits = { filter: 3, extra: 1 }
    const { message } = refusalOf({ ...rest, foo: 1, starts_at: '12', subscription: { ...subscription, hits } })
    expect(message).toBe(
      'Missing required keys: active; unknown keys: subscription.hits.extra, foo; ' +
        'keys of the wrong type: starts_at (must be an integer), subscription.hits.filter (must be a string)',
    )
  })

  it.each([
    ['active', 'true'],
    ['starts_at', 1.9],
    ['expires_at', '2145913200'],
    ['created_by', 7],
    ['title', ['a']],
    ['subscription', []],
    ['userMetadatas', 'x'],
  ])('%s %j is of a wrong type', (key, value) => {
    const { code, message } = refusalOf({ ...body, [key]: value })
    expect(code).toBe('INVALID_BODY')
    expect(message).toContain(`Keys of the wrong type: ${key}`)
  })

  it.each(['9007199254740993', '9223372036854775807'])('a time of %s stays what it is', (digits) => {
    const sent = { ...body, expires_at: exactInteger(digits), userMetadatas: { n: exactInteger(digits) } }
    const { expires_at, userMetadatas } = readSubscriptionBody(sent)
    expect(JSON.stringify([expires_at, userMetadatas])).toBe(`[${digits},{"n":${digits}}]`)
  })

  it('an object that looks like a large integer is none', () => {
    expect(refusalOf({ ...body, expires_at: { rawJSON: '9007199254740993' } }).message).toContain('expires_at')
    expect(refusalOf({ ...body, subscription: exactInteger('9007199254740993') }).message).toContain('subscription')
  })

  it.each([[[]], ['text'], [null], [3]])('%j is no body', (value) => {
    expect(refusalOf(value).message).toContain('body must be an object')
  })
})

describe('values of a subscription', () => {
  const check = (changes: object, inside: object = {}) =>
    faultOf(() =>
      checkSubscriptionValues(
        readSubscriptionBody({ ...body, ...changes, subscription: { ...subscription, ...inside } }),
      ),
    )

  it.each<[string, object, object, string]>([
    ['empty created_by', { created_by: '' }, {}, "created_by must have 1 to 256 characters, but has 0, got ''"],
    ['long created_by', { created_by: 'a'.repeat(257) }, {}, 'created_by must have 1 to 256'],
    ['empty title', { title: '' }, {}, 'title must have 1 to 1000'],
    ['long title', { title: 'a'.repeat(1001) }, {}, 'title'],
    ['empty callback', {}, { callback: '' }, 'subscription.callback must have 1 to 2048'],
    ['long callback', {}, { callback: `https://u:secret@a/${'a'.repeat(2048)}` }, 'subscription.callback'],
    ['time before 1970', { starts_at: -1 }, {}, 'starts_at must be seconds since 1970'],
    ['time beyond 64 bits', { expires_at: exactInteger('9223372036854775808') }, {}, "got '9223372036854775808'"],
    ['time far beyond', { expires_at: 1e19 }, {}, 'expires_at must be seconds'],
    ['time that lost digits', { expires_at: JSON.parse('9.007199254740993e15') }, {}, 'in digits'],
    [
      'large times in the wrong order',
      { starts_at: exactInteger('9007199254740993'), expires_at: exactInteger('9007199254740993') },
      {},
      'expires_at must be later than starts_at 9007199254740993',
    ],
    ['end before start', { starts_at: 7, expires_at: 6 }, {}, "expires_at must be later than starts_at 7, got '6'"],
    ['end at start', { starts_at: 7, expires_at: 7 }, {}, 'expires_at must be later'],
    ['large trigger', {}, { trigger: { k: 'a'.repeat(512 * 1024) } }, 'subscription.trigger must have at most 524288'],
    [
      'large userMetadatas',
      { userMetadatas: { k: '\u00e9'.repeat(8 * 1024) } },
      {},
      'userMetadatas must have at most 16384',
    ],
  ])('%s: INVALID_SUBSCRIPTION', (_name, changes, inside, message) => {
    const fault = check(changes, inside)
    expect(fault.code).toBe('INVALID_SUBSCRIPTION')
    expect(fault.message).toContain(message)
    expect(fault.message).not.toContain('secret')
  })

  it.each<[string, object, object]>([
    ['characters beyond the first plane count once', { created_by: '\u{1f600}'.repeat(256) }, {}],
    ['the longest title', { title: 'a'.repeat(1000) }, {}],
    ['the longest callback', {}, { callback: 'a'.repeat(2048) }],
    ['the past, and the far future', { starts_at: 0, expires_at: exactInteger('9223372036854775807') }, {}],
    ['10.0', { starts_at: 10.0 }, {}],
    ['the largest trigger', {}, { trigger: { k: 'a'.repeat(512 * 1024 - 8) } }],
    ['the largest userMetadatas', { userMetadatas: { k: 'a'.repeat(16 * 1024 - 8) } }, {}],
  ])('%s will do', (_name, changes, inside) => {
    expect(check(changes, inside)).toEqual({ code: 'none', message: '' })
  })
})
