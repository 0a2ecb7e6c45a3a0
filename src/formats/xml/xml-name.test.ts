import { expect, it } from 'vitest'
import { xmlName, xmlNames } from './xml-name.ts'

it.each([
  ['plain', 'plain'],
  ['été', 'été'],
  ['eo:cloud cover', 'eo_cloud_cover'],
  ['2nd', '_2nd'],
  ['-x', '_-x'],
  ['%x', '_x'],
  ['a.b-c', 'a.b-c'],
  ['', '_'],
  ['\u{1f30d}', '_'],
  ['ひと', 'ひと'],
  ['\u0301', '_\u0301'],
  ['a\u0301', 'a\u0301'],
  ['a\u0000b<c>', 'a_b_c_'],
  ['xml', 'xml'],
  ['\ud800', '_'],
])('xmlName(%j) is %j', (key, name) => {
  expect(xmlName(key)).toBe(name)
})

it.each([
  [
    ['a b', 'a_b', 'a:b'],
    ['a_b_1', 'a_b', 'a_b_2'],
  ],
  [
    ['a b', 'a_b_1', 'a_b'],
    ['a_b_2', 'a_b_1', 'a_b'],
  ],
  [
    ['1', '_1', ' 1'],
    ['_1_1', '_1', '_1_2'],
  ],
  [
    ['', ' ', '_'],
    ['__1', '__2', '_'],
  ],
])('the names of %j are %j', (keys, names) => {
  expect(xmlNames(keys)).toEqual(names)
})
