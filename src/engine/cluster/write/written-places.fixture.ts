import { formsOf, type WrittenForm } from './written-forms.fixture.ts'

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
  ...formsOf(
    ['point'],
    ['"48.5,2.5"', '"48.5, 2.5"', '"48.5,2.5,7"', '[2.5,48.5]', '[2.5,48.5,9]', '{"lat":48.5,"lon":2.5}', '[]', 'null'],
  ),
  ...formsOf(
    ['point'],
    [
      '{"lat":"48.5","lon":"2.5"}',
      '{"type":"Point","coordinates":[2.5,48.5,1]}',
      '"POINT (2.5 48.5)"',
      '"point(2.5 48.5)"',
    ],
  ),
  ...formsOf(
    ['point'],
    ['[[2.5,48.5],[3,4]]', '[{"lat":48.5,"lon":2.5},"3,4"]', '["bad","48.5,2.5"]', '[190,10]', '[-190,10]'],
  ),
  ...formsOf(
    ['point'],
    ['"bad"', '""', '"a,b"', '5', 'true', '{}', '{"lon":2.5}', '[[1]]', '[1]', '{"x":1,"y":2}', '[null]'],
  ),
  ...formsOf(
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
  ...formsOf(
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
  ...formsOf(
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
  ...formsOf(
    ['shape'],
    [
      '{"type":"Point","coordinates":[2,3]}',
      '{"type":"point","coordinates":[190,3,4]}',
      '{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}',
    ],
  ),
  ...formsOf(
    ['shape'],
    [
      '{"type":"LineString","coordinates":[[1,2],[3,4]]}',
      '{"type":"LineString","coordinates":[[1,2],[1,2]]}',
      '"POINT (2 3)"',
    ],
  ),
  ...formsOf(
    ['shape'],
    [
      '{"type":"LineString","coordinates":[[170,0],[190,10]]}',
      '{"type":"LineString","coordinates":[[170,0],[-170,10]]}',
      'null',
      '[]',
    ],
  ),
  ...formsOf(
    ['shape'],
    [
      '"POLYGON ((0 0,10 0,10 10,0 10,0 0))"',
      '"POLYGON ((0 0,10 0,10 10,0 10))"',
      '"MULTIPOINT (1 2,3 4)"',
      '"GEOMETRYCOLLECTION EMPTY"',
    ],
  ),
  ...formsOf(
    ['shape'],
    [
      '{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]},{"type":"LineString","coordinates":[[3,4],[5,6]]}]}',
    ],
  ),
  ...formsOf(
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
  ...formsOf(
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
