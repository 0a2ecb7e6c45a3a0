/**
 * How a document fares on a cluster, where it is otherwise than on the embedded engine: `refused`; `unread`, it has no
 * value there; `read`, it has one there only; `other`, it has another value.
 */
export type Difference = 'refused' | 'unread' | 'read' | 'other'

/** A field, the JSON of its value, and what differs. */
export type WrittenForm = readonly [field: string, json: string, difference?: Difference]

const of = (fields: readonly string[], values: readonly string[]): readonly WrittenForm[] =>
  fields.flatMap((field) => values.map((value): WrittenForm => [field, value]))

const long = JSON.stringify('x'.repeat(33_000))

export const scalars: readonly WrittenForm[] = [
  ...of(
    ['keyword', 'text'],
    ['"a"', '""', '" "', 'null', '[]', '[null]', '[["a",["b"]]]', '[null,"a"]', 'true', '[true,5.50]', '{"a":1}'],
  ),
  ...of(
    ['keyword', 'text'],
    ['5', '5.0', '1e3', '0.1e1', '-0', '-0.0', '1.10', '12345678901234567890', '0.12345678901234567', '[{"a":1}]'],
  ),
  ['keyword', long, 'unread'],
  ['text', long],
  ['keyword', `"${'é'.repeat(10_922)}"`],
  ...of(
    ['long', 'integer', 'short', 'byte'],
    ['5', '5.0', '5.7', '-5.7', '-0.5', '1e2', '127.5', '-128.9', '300', '40000', '3000000000', '1e18', '1e400'],
  ),
  ...of(
    ['long', 'integer', 'short', 'byte'],
    ['"5"', '" 5"', '"5.7"', '"5."', '".5"', '"+5"', '"1e2"', '"5d"', '"5f"', '"0x10"', '"NaN"', '"abc"', '""'],
  ),
  ...of(['long', 'integer', 'short', 'byte'], ['true', '{"a":1}', '[1,[2,3]]', '[1,"x"]', 'null', '[]']),
  ...of(
    ['long'],
    ['9223372036854775807', '9223372036854775808', '-9223372036854775808', '"9223372036854775807"', '9007199254740993'],
  ),
  ...of(
    ['double', 'float'],
    ['5', '"5"', '" 5 "', '"5."', '"+.5"', '"5d"', '"0x1p3"', '"NaN"', '"Infinity"', '""', 'true', '{"a":1}'],
  ),
  ...of(
    ['double', 'float'],
    ['1e39', '1e400', '"1e400"', '3.4028235677973366e38', '-0.0', '0.1', '[1,[2.5]]', '16777217'],
  ),
  ...of(
    ['date'],
    ['0', '1500000000000', '1500000000000.7', '-5', '-1000', '-12345', '-1234567890', '2024', '1e3', '1.5e12', '9e15'],
  ),
  ...of(
    ['date'],
    ['"1500000000000"', '"2024"', '"2024-05"', '"2024-05-01"', '"2024-05-01T10"', '"2024-05-01T10:00Z"', '"20240501"'],
  ),
  ...of(
    ['date'],
    ['"2024-05-01T10:00:00.123456Z"', '"2024-05-01T10:00:00,5+02"', '"2024-05-01T10:00:00+0200"', '"2024-05-01T24:00"'],
  ),
  ...of(
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
  ...of(
    ['date'],
    ['""', '" 2024-05-01"', 'true', '{"a":1}', '[0,["2024"]]', '9223372036854775807', '[2024,"2024"]', 'null'],
  ),
  ['date', '-1.5', 'other'],
  ['date', '"-1000"', 'other'],
  ...of(['seconds'], ['1500000000', '1500000000.5', '-5', '"1500000000.5"', '"-5"', '1e3', '"x"']),
  ...of(['millis'], ['1500000000000', '-5', '-12345', '2024', '1e3', '"2024"', '"x"']),
  ...of(['year', 'day'], ['2024', '"2024"', '20240501', '"20240501"', '-5', '"x"']),
  ...of(
    ['named'],
    ['"02 Jan 2024"', '"Tue, 02 Jan 2024 03:04:05 +0000"', '"02 Foo 2024"', '"Mon, 02 Jan 2024 03:04:05 +0000"'],
  ),
  ...of(
    ['boolean'],
    ['true', '"true"', '"false"', '""', '0', '1', '"True"', '" true"', '[true,[false]]', '{"a":1}', 'null'],
  ),
  ...of(
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
  ...of(
    ['ip'],
    ['["10.0.0.1",["::2"]]', '"1.2.3"', '" 10.0.0.1"', '"[::1]"', '"1::2::3"', '"::ffff:10.0.0.256"', '[]'],
  ),
  ...of(['object'], ['5', '""', 'null', '[]', '[{"a":"x"},{"a":"y"}]', '[5]', '[[{"a":"x"}]]', '[null,{"a":"x"}]']),
  ...of(['object'], ['{"a":{"b":1}}', '{"a":["x",["y"]]}']),
  ...of(['object.a', 'closed', 'unindexed'], ['"x"', '[{"n":"x"}]', '{"n":1}', '[5]', 'null']),
  ...of(['nested'], ['[{"n":"x"}]', '{"n":1}', 'null']),
  ['object', '{"a.b":1}', 'refused'],
  ['nested', '"x"', 'refused'],
  ['nested', '[5]', 'refused'],
  ['new', '{"":1}', 'refused'],
  ['new', '{"a..b":1}', 'refused'],
]

const polygon = (...rings: readonly (readonly (readonly number[])[])[]): string =>
  JSON.stringify({ type: 'Polygon', coordinates: rings })
const square = [
  [0, 0],
  [10, 0],
  [10, 10],
  [0, 10],
  [0, 0],
]

export const places: readonly WrittenForm[] = [
  ...of(
    ['point'],
    ['"48.5,2.5"', '"48.5, 2.5"', '"48.5,2.5,7"', '[2.5,48.5]', '[2.5,48.5,9]', '{"lat":48.5,"lon":2.5}', '[]', 'null'],
  ),
  ...of(
    ['point'],
    [
      '{"lat":"48.5","lon":"2.5"}',
      '{"type":"Point","coordinates":[2.5,48.5,1]}',
      '"POINT (2.5 48.5)"',
      '"point(2.5 48.5)"',
    ],
  ),
  ...of(
    ['point'],
    ['[[2.5,48.5],[3,4]]', '[{"lat":48.5,"lon":2.5},"3,4"]', '["bad","48.5,2.5"]', '[190,10]', '[-190,10]'],
  ),
  ...of(
    ['point'],
    ['"bad"', '""', '"a,b"', '5', 'true', '{}', '{"lon":2.5}', '[[1]]', '[1]', '{"x":1,"y":2}', '[null]'],
  ),
  ...of(
    ['point'],
    ['"LINESTRING (0 0,1 1)"', '{"type":"Point","coordinates":[]}', polygon(square), '[180,10]', '[-180,10]'],
  ),
  ['point', '"POINT EMPTY"', 'refused'],
  ['point', '[10,95]', 'refused'],
  ['point', '{"lat":-90.5,"lon":1}', 'refused'],
  ['point', '"95,10"', 'refused'],
  ['point', '[370,10]', 'refused'],
  ['point', '[{"lat":95,"lon":1},{"lat":1,"lon":1}]', 'refused'],
  ['point', '{"lat":48.5,"lon":2.5,"alt":3}', 'unread'],
  ['point', '{"type":"Point","coordinates":[2.5,48.5],"bbox":[1,2,3,4]}', 'unread'],
  ['point', '"POINT Z (2.5 48.5 1)"', 'unread'],
  ['point', '["48.5,2.5","bad"]', 'unread'],
  ['point', '"U09"', 'unread'],
  ['point', '"u09tvw0f6"', 'other'],
  ['point', '{"geohash":"u09tvw0f6"}', 'read'],
  ...of(
    ['shape'],
    [
      polygon(square),
      polygon(square.toReversed()),
      polygon(square.slice(0, 4)),
      polygon([
        [0, 0],
        [10, 0],
        [10, 10],
        [5, 0],
        [0, 10],
        [0, 0],
      ]),
    ],
  ),
  ...of(
    ['shape'],
    [
      polygon([
        [170, 0],
        [190, 0],
        [190, 10],
        [170, 10],
        [170, 0],
      ]),
      polygon([
        [-190, 0],
        [-170, 0],
        [-170, 10],
        [-190, 10],
        [-190, 0],
      ]),
      polygon([
        [170, 0],
        [-170, 0],
        [-170, 10],
        [170, 10],
        [170, 0],
      ]),
      polygon([
        [-100, 0],
        [100, 0],
        [100, 10],
        [-100, 10],
        [-100, 0],
      ]),
      polygon([
        [-180, -90],
        [180, -90],
        [180, 90],
        [-180, 90],
        [-180, -90],
      ]),
      polygon(square, [
        [2, 2],
        [2, 4],
        [4, 4],
        [4, 2],
        [2, 2],
      ]),
    ],
  ),
  ...of(
    ['shape'],
    [
      '{"type":"Point","coordinates":[2,3]}',
      '{"type":"point","coordinates":[190,3,4]}',
      '{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}',
    ],
  ),
  ...of(
    ['shape'],
    [
      '{"type":"LineString","coordinates":[[1,2],[3,4]]}',
      '{"type":"LineString","coordinates":[[1,2],[1,2]]}',
      '"POINT (2 3)"',
    ],
  ),
  ...of(
    ['shape'],
    [
      '{"type":"LineString","coordinates":[[170,0],[190,10]]}',
      '{"type":"LineString","coordinates":[[170,0],[-170,10]]}',
      'null',
      '[]',
    ],
  ),
  ...of(
    ['shape'],
    [
      '"POLYGON ((0 0,10 0,10 10,0 10,0 0))"',
      '"POLYGON ((0 0,10 0,10 10,0 10))"',
      '"MULTIPOINT (1 2,3 4)"',
      '"GEOMETRYCOLLECTION EMPTY"',
    ],
  ),
  ...of(
    ['shape'],
    [
      '{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]},{"type":"LineString","coordinates":[[3,4],[5,6]]}]}',
    ],
  ),
  ...of(
    ['shape'],
    [
      '"bad"',
      '""',
      '5',
      'true',
      '{}',
      '[2.5,48.5]',
      '{"lat":1,"lon":2}',
      '"48.5,2.5"',
      '{"type":"Polygon","coordinates":[]}',
    ],
  ),
  ...of(
    ['shape'],
    [
      '{"type":"GeometryCollection","geometries":[]}',
      '{"type":"circle","coordinates":[0,0],"radius":"10km"}',
      '["POINT (1 2)","bad"]',
    ],
  ),
  ['shape', '"POINT EMPTY"', 'refused'],
  ['shape', '{"type":"Point","coordinates":[10,95]}', 'refused'],
  ['shape', '{"type":"MultiPoint","coordinates":[[1,2],[3,95]]}', 'refused'],
  ['shape', '"LINESTRING (0 0,10 95)"', 'refused'],
  ['shape', '{"type":"LineString","coordinates":[[350,0],[370,10]]}', 'refused'],
  ['shape', '[{"type":"Point","coordinates":[1,2]},{"type":"Point","coordinates":[3,4]}]', 'refused'],
  ['shape', '{"type":"envelope","coordinates":[[0,10],[10,0]]}', 'read'],
  ['shape', '"BBOX (0,10,10,0)"', 'read'],
  [
    'shape',
    polygon([
      [0, 0],
      [10, 10],
      [10, 0],
      [0, 10],
      [0, 0],
    ]),
    'unread',
  ],
  [
    'shape',
    polygon([
      [0, 0],
      [5, 5],
      [10, 10],
      [0, 0],
    ]),
    'unread',
  ],
  [
    'shape',
    polygon([
      [0, 0],
      [10, 0],
      [10, 0],
      [10, 10],
      [0, 10],
      [0, 0],
    ]),
    'unread',
  ],
  [
    'shape',
    polygon(square, [
      [20, 20],
      [20, 24],
      [24, 24],
      [24, 20],
      [20, 20],
    ]),
    'unread',
  ],
  ['shape', '{"type":"LineString","coordinates":[[1,2]]}', 'unread'],
  ['shape', '"LINESTRING Z (0 0 1,10 0 2)"', 'unread'],
  ['shape', '"MULTIPOINT ((1 2),(3 4))"', 'unread'],
]
