import type { CollectionReference, OpenSearch } from '../../model/collection.ts'
import type { FieldType } from '../../model/field-type.ts'
import type { Field } from '../../query/schema/field.ts'
import { ATOM_TYPE } from './atom-feed.ts'
import { element, printXml, textElement, type XmlElement } from './xml.ts'

const NAMESPACES = {
  xmlns: 'http://a9.com/-/spec/opensearch/1.1/',
  'xmlns:geo': 'http://a9.com/-/opensearch/extensions/geo/1.0/',
  'xmlns:periplus': 'urn:periplus:parameters',
}

/** Maximum length of ShortName in OpenSearch 1.1. */
const SHORT_NAME = 16

const COMPARISONS = ['eq', 'ne', 'gte', 'gt', 'lt', 'lte', 'range']

interface FieldTemplates {
  readonly operators: readonly string[]
  readonly parameter: string
}

const templates: Readonly<Partial<Record<FieldType, FieldTemplates>>> = {
  DATE: { operators: COMPARISONS, parameter: 'long' },
  LONG: { operators: COMPARISONS, parameter: 'long' },
  DOUBLE: { operators: COMPARISONS, parameter: 'double' },
  FLOAT: { operators: COMPARISONS, parameter: 'float' },
  INTEGER: { operators: COMPARISONS, parameter: 'integer' },
  SHORT: { operators: COMPARISONS, parameter: 'short' },
  BYTE: { operators: COMPARISONS, parameter: 'short' },
  TEXT: { operators: ['eq', 'like'], parameter: 'text' },
  KEYWORD: { operators: ['eq'], parameter: 'text' },
}

interface DescriptionOptions {
  readonly reference: CollectionReference
  /** Fields visible to the caller, in description order. */
  readonly fields: readonly Field[]
  /** Absolute URL that precedes the route paths. */
  readonly base: string
}

/** Prints an OpenSearch 1.1 description with templates of `_search` requests. */
export function printDescription({ reference, fields, base }: DescriptionOptions): string {
  const { collection_name: name, params } = reference
  const own: OpenSearch = params.open_search ?? {}
  const shown = params.display_names?.collection || name
  const search = `${base}/explore/${encodeURIComponent(name)}/_search?`
  const box = placeTemplate(params.geometry_path, 'geo:box')
  const geometry = placeTemplate(params.geometry_path, 'geo:geometry')
  const general = 'q={searchTerms?}&size={count?}&from={startIndex?}'
  const url = (template: string, type = ATOM_TYPE): XmlElement =>
    element('Url', { type, rel: 'results', indexOffset: '0', template: search + template })
  const filters = fields.flatMap(fieldTemplates)
  const description = element('OpenSearchDescription', NAMESPACES, [
    element('ShortName', {}, [cut(own.short_name || shown)]),
    element('Description', {}, [own.description || params.dublin_core_element_name?.description || shown]),
    url(general),
    url(general, 'application/json'),
    url(`${general}&${box}`),
    ...filters.flatMap((filter) => [url(`${filter}&${box}`), url(`${filter}&${geometry}`)]),
    ...textElement('Contact', own.contact),
    ...textElement('Tags', own.tags),
    ...textElement('LongName', own.long_name),
    ...imageOf(own),
    ...textElement('Developer', own.developer),
    ...textElement('Attribution', own.attribution),
    ...textElement('SyndicationRight', own.syndication_right),
    ...textElement('AdultContent', own.adult_content),
    ...textElement('Language', own.language),
    ...textElement('InputEncoding', own.input_encoding),
    ...textElement('OutputEncoding', own.output_encoding),
  ])
  return printXml(description, true)
}

/** Truncates by code points, not code units. */
const cut = (text: string): string => Array.from(text).slice(0, SHORT_NAME).join('')

const placeTemplate = (path: string, parameter: string): string =>
  `f=${encodeURIComponent(path)}:intersects:{${parameter}}`

function fieldTemplates(field: Field): readonly string[] {
  const known = field.indexed && !field.nested ? templates[field.type] : undefined
  if (known === undefined) return []
  const path = encodeURIComponent(field.path)
  const parameter = `periplus:${known.parameter}`
  return known.operators.map((operator) =>
    operator === 'range'
      ? `f=${path}:range:%5B{${parameter}Min}%3C{${parameter}Max}%5D`
      : `f=${path}:${operator}:{${parameter}}`,
  )
}

function imageOf({ image_url, image_height, image_width, image_type }: OpenSearch): readonly XmlElement[] {
  if (image_url === undefined || image_url === '') return []
  const size = { height: image_height || undefined, width: image_width || undefined }
  return [element('Image', { ...size, type: image_type || undefined }, [image_url])]
}
