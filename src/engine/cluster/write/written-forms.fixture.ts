/**
 * How a cluster treats a value differently from the embedded engine. `refused`: it rejects the document. `unread`: it
 * has no value. `read`: only the cluster has a value. `other`: it has a different value.
 */
export type Difference = 'refused' | 'unread' | 'read' | 'other'

/** A field, the JSON of its value, and the difference. */
export type WrittenForm = readonly [field: string, json: string, difference?: Difference]

/** Combines each of the fields with each of the values. */
export const formsOf = (fields: readonly string[], values: readonly string[]): readonly WrittenForm[] =>
  fields.flatMap((field) => values.map((value): WrittenForm => [field, value]))

const long = JSON.stringify('x'.repeat(33_000))

export const scalars: readonly WrittenForm[] = [
  ...formsOf(
    ['keyword', 'text'],
    ['"a"', '""', '" "', 'null', '[]', '[null]', '[["a",["b"]]]', '[null,"a"]', 'true', '[true,5.50]', '{"a":1}'],
  ),
  ...formsOf(
    ['keyword', 'text'],
    ['5', '5.0', '1e3', '0.1e1', '-0', '-0.0', '1.10', '12345678901234567890', '0.12345678901234567', '[{"a":1}]'],
  ),
  ['keyword', long, 'unread'],
  ['text', long],
  ['keyword', `"${'é'.repeat(10_922)}"`],
  ...formsOf(
    ['long', 'integer', 'short', 'byte'],
    ['5', '5.0', '5.7', '-5.7', '-0.5', '1e2', '127.5', '-128.9', '300', '40000', '3000000000', '1e18', '1e400'],
  ),
  ...formsOf(
    ['long', 'integer', 'short', 'byte'],
    ['"5"', '" 5"', '"5.7"', '"5."', '".5"', '"+5"', '"1e2"', '"5d"', '"5f"', '"0x10"', '"NaN"', '"abc"', '""'],
  ),
  ...formsOf(['long', 'integer', 'short', 'byte'], ['true', '{"a":1}', '[1,[2,3]]', '[1,"x"]', 'null', '[]']),
  ...formsOf(
    ['long'],
    ['9223372036854775807', '9223372036854775808', '-9223372036854775808', '"9223372036854775807"', '9007199254740993'],
  ),
  ...formsOf(
    ['double', 'float'],
    ['5', '"5"', '" 5 "', '"5."', '"+.5"', '"5d"', '"0x1p3"', '"NaN"', '"Infinity"', '""', 'true', '{"a":1}'],
  ),
  ...formsOf(
    ['double', 'float'],
    ['1e39', '1e400', '"1e400"', '3.4028235677973366e38', '-0.0', '0.1', '[1,[2.5]]', '16777217'],
  ),
  ...formsOf(
    ['date'],
    ['0', '1500000000000', '1500000000000.7', '-5', '-1000', '-12345', '-1234567890', '2024', '1e3', '1.5e12', '9e15'],
  ),
  ...formsOf(
    ['date'],
    ['"1500000000000"', '"2024"', '"2024-05"', '"2024-05-01"', '"2024-05-01T10"', '"2024-05-01T10:00Z"', '"20240501"'],
  ),
  ...formsOf(
    ['date'],
    ['"2024-05-01T10:00:00.123456Z"', '"2024-05-01T10:00:00,5+02"', '"2024-05-01T10:00:00+0200"', '"2024-05-01T24:00"'],
  ),
  ...formsOf(
    ['date'],
    [
      '"2024-05-01 10:00:00"',
      '"2024-5-1"',
      '"2024-02-30"',
      '"10000-01-01"',
      '"+10000-01-01"',
      '"-0001-01-01"',
      '"now"',
    ],
  ),
  ...formsOf(
    ['date'],
    ['""', '" 2024-05-01"', 'true', '{"a":1}', '[0,["2024"]]', '9223372036854775807', '[2024,"2024"]', 'null'],
  ),
  ['date', '-1.5', 'other'],
  ['date', '"-1000"', 'other'],
  ...formsOf(['seconds'], ['1500000000', '1500000000.5', '-5', '"1500000000.5"', '"-5"', '1e3', '"x"']),
  ...formsOf(['millis'], ['1500000000000', '-5', '-12345', '2024', '1e3', '"2024"', '"x"']),
  ...formsOf(['year', 'day'], ['2024', '"2024"', '20240501', '"20240501"', '-5', '"x"']),
  ...formsOf(
    ['named'],
    ['"02 Jan 2024"', '"Tue, 02 Jan 2024 03:04:05 +0000"', '"02 Foo 2024"', '"Mon, 02 Jan 2024 03:04:05 +0000"'],
  ),
  ...formsOf(
    ['boolean'],
    ['true', '"true"', '"false"', '""', '0', '1', '"True"', '" true"', '[true,[false]]', '{"a":1}', 'null'],
  ),
  ...formsOf(
    ['ip'],
    [
      '"10.0.0.1"',
      '"010.0.0.1"',
      '"::1"',
      '"::ffff:10.0.0.1"',
      '"10.0.0.0/8"',
      '""',
      '5',
      '"fe80::1%eth0"',
      '"FE80::A"',
    ],
  ),
  ...formsOf(
    ['ip'],
    ['["10.0.0.1",["::2"]]', '"1.2.3"', '" 10.0.0.1"', '"[::1]"', '"1::2::3"', '"::ffff:10.0.0.256"', '[]'],
  ),
  ...formsOf(
    ['object'],
    ['5', '""', 'null', '[]', '[{"a":"x"},{"a":"y"}]', '[5]', '[[{"a":"x"}]]', '[null,{"a":"x"}]'],
  ),
  ...formsOf(['object'], ['{"a":{"b":1}}', '{"a":["x",["y"]]}']),
  ...formsOf(['object.a', 'closed', 'unindexed'], ['"x"', '[{"n":"x"}]', '{"n":1}', '[5]', 'null']),
  ...formsOf(['nested'], ['[{"n":"x"}]', '{"n":1}', 'null']),
  ['object', '{"a.b":1}', 'refused'],
  ['nested', '"x"', 'refused'],
  ['nested', '[5]', 'refused'],
  ['new', '{"":1}', 'refused'],
  ['new', '{"a..b":1}', 'refused'],
]
