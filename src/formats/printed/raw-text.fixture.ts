import fc from 'fast-check'

/*
 * Random JSON texts as clients send them: with spaces, escapes, numbers in any form, keys that occur twice, keys of
 * digits and with dots.
 */

const numbers = fc.oneof(
  fc.constantFrom('0', '-0', '1.0', '1e3', '1E3', '-0.0', '0.10', '1e-7', '0.0000001', '0.000001', '1e21', '1e+21'),
  fc.constantFrom('9007199254740993', '-9223372036854775808', '123456789012345678901', '1e400', '5e-324', '0.1e1'),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.integer({ min: -200, max: 200 }).map(String),
)

const strings = fc.oneof(
  fc.constantFrom(
    '""',
    '"a"',
    '"\\u0041"',
    '"\\/"',
    '"\\n\\t\\u001f"',
    '"\\u001F"',
    '"\\u000a"',
    '"\\ud800"',
    '"é\u2028"',
  ),
  fc.constantFrom('"\\"\\\\"', '"\\u00e9"', '"😀"', '"\\ud83d\\ude00"', '"7f"', '"\x7f"'),
  fc.string().map((value) => JSON.stringify(value)),
)

const key = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('"id"', '"at"', '"place"', '"centre"', '"in"', '"a"', '"b"') },
  fc.constantFrom('"1"', '"0"', '"__proto__"', '"toString"', '"a.b"', '"in.place"', '"md"', '"feature_type"', '""'),
  fc.constantFrom('"\\u0061"', '"é"', '"geometry_path"', '"10"', '"rawJSON"', '"toJSON"'),
)

const ordinate = fc.constantFrom('0', '-0', '12.5', '89.9', '-180', '400', '1.50', '"7"', 'null', '12.345678901234567')

/** Places in the forms of the specification, and what is none. */
export const places = fc.oneof(
  fc
    .tuple(ordinate, ordinate)
    .chain(([x, y]) =>
      fc.constantFrom(
        ...[`{"lat":${y},"lon":${x}}`, `{"lon":${x},"lat":${y}}`, `{"lat":${y},"lon":${x},"z":1}`, `[${x},${y}]`],
        ...[`{"type":"Point","coordinates":[${x},${y}]}`, `{"coordinates":[${x},${y}],"type":"Point"}`],
        ...[`{"type":"point","coordinates":[${x},${y},1,2]}`, `[{"lat":${y},"lon":${x}}]`, `[[${x},${y}],[1,2]]`],
        `{"type":"Polygon","coordinates":[[[0,0],[${x},0],[1,1],[0,0]]]}`,
      ),
    ),
  fc.constantFrom('"7,12.5"', '"u09"', '"POINT (1 2)"', '{"lat":[1],"lon":true}', '{"lat":"","lon":1}', 'null', '{}'),
  fc.constantFrom('{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]}]}', '[]', '[null]'),
)

const space = fc.oneof({ weight: 12, arbitrary: fc.constant('') }, fc.constantFrom(' ', '\n', '\t'))

const { value } = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.oneof(numbers, strings, fc.constantFrom('true', 'false', 'null'), places),
    tie('object'),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
  ),
  object: objectOf(fc.array(fc.tuple(key, tie('value')), { maxLength: 5 })),
}))

function objectOf(members: fc.Arbitrary<readonly (readonly [string, string])[]>): fc.Arbitrary<string> {
  return fc.tuple(members, space).map(([all, gap]) => {
    const texts = all.map(([name, text]) => `${name}:${gap}${text}`)
    return `{${gap}${texts.join(`,${gap}`)}}`
  })
}

/** Values for the names of the collection paths. */
const named = (name: string, of: fc.Arbitrary<string>) => fc.option(of.map((text) => [name, text] as const))

/** Texts of documents with `id`, `at`, `place`, `centre` and `in.place`. */
const rawTexts: fc.Arbitrary<string> = fc
  .tuple(
    named('"id"', fc.oneof(strings, numbers, fc.constantFrom('true', 'null', '["x"]', '{}'))),
    named('"at"', fc.oneof(numbers, fc.constantFrom('1700000000000', '"2024-01-02T03:04:05Z"', '[1]', 'null', '1.5'))),
    named('"place"', places),
    named('"centre"', places),
    named(
      '"in"',
      fc.oneof(objectOf(fc.array(fc.tuple(fc.constantFrom('"place"', '"n"'), places), { maxLength: 2 })), value),
    ),
    fc.array(fc.tuple(key, value), { maxLength: 3 }),
  )
  .chain(([id, at, place, centre, inner, others]) => {
    const members = [id, at, place, centre, inner, ...others].filter((member) => member !== null)
    return objectOf(fc.shuffledSubarray(members, { minLength: members.length }))
  })

/** Also the same documents as `JSON.stringify` prints them. */
export const documentTexts: fc.Arbitrary<string> = fc.oneof(
  rawTexts,
  rawTexts.map((text) => JSON.stringify(JSON.parse(text))),
)
