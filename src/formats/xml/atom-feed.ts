import type { Hit, Hits } from '../../model/answer/responses.ts'
import type { CollectionReference, Feed } from '../../model/collection.ts'
import type { Json, JsonObject } from '../../model/json/document.ts'
import { removeAt, sourcePath } from '../../model/source-path.ts'
import { flatten } from '../../query/value/flatten.ts'
import { gmlOf } from './gml.ts'
import { element, printXml, textElement, type XmlElement } from './xml.ts'
import { xmlNames } from './xml-name.ts'

export const ATOM_TYPE = 'application/atom+xml'
export const DESCRIPTION_TYPE = 'application/opensearchdescription+xml'

const NAMESPACES = {
  xmlns: 'http://www.w3.org/2005/Atom',
  'xmlns:opensearch': 'http://a9.com/-/spec/opensearch/1.1/',
  'xmlns:georss': 'http://www.georss.org/georss',
  'xmlns:gml': 'http://www.opengis.net/gml',
}
const DOCUMENT_NAMESPACE = 'urn:periplus:document'

interface FeedOptions {
  readonly reference: CollectionReference
  /** Absolute URL that precedes the route paths. */
  readonly base: string
  readonly size: number
  readonly from: number
  readonly flat: boolean
  readonly pretty: boolean
  /** Milliseconds since the epoch; date of the feed if no entry has a time. */
  readonly now: number
}

/** Prints a page of hits with nested data as a feed (RFC 4287, GeoRSS). */
export function printFeed(hits: Hits, options: FeedOptions): string {
  const { reference, base, size, from, now, pretty } = options
  const { collection_name: name, params } = reference
  const times = hits.hits.flatMap(({ md }) => md.timestamp ?? [])
  const updated = printTime(times.length === 0 ? now : times.reduce((a, b) => Math.max(a, b)), now)
  const address = `${base}/explore/${encodeURIComponent(name)}`
  const description = `${base}/explore/ogc/opensearch/${encodeURIComponent(name)}`
  const feed = element('feed', NAMESPACES, [
    element('id', {}, [`${address}/_search`]),
    element('title', {}, [params.display_names?.collection || name]),
    element('updated', {}, [updated]),
    ...describeFeed(params.atom_feed ?? {}),
    link('self', ATOM_TYPE, hits.links.self.href),
    ...(hits.links.next === undefined ? [] : [link('next', ATOM_TYPE, hits.links.next.href)]),
    ...(hits.links.previous === undefined ? [] : [link('previous', ATOM_TYPE, hits.links.previous.href)]),
    link('search', DESCRIPTION_TYPE, description),
    element('opensearch:totalResults', {}, [String(hits.totalnb)]),
    element('opensearch:itemsPerPage', {}, [String(size)]),
    element('opensearch:startIndex', {}, [String(from)]),
    ...hits.hits.map((hit, i) => entryOf(hit, i, address, updated, options)),
  ])
  return printXml(feed, pretty)
}

const link = (rel: string, type: string, href: string): XmlElement => element('link', { rel, type, href })

/** Years 0000 to 9999, the range of RFC 3339. */
const FIRST_MS = Date.parse('0000-01-01T00:00:00.000Z')
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')

const printTime = (ms: number, otherwise: number): string =>
  new Date(ms >= FIRST_MS && ms <= LAST_MS ? ms : otherwise).toISOString()

function describeFeed({ author, contributor, icon, logo, rights, subtitle, generator }: Feed): readonly XmlElement[] {
  const named = { ...author, name: author?.name || 'Periplus' }
  return [
    element('author', {}, personParts(named)),
    ...(contributor?.name ? [element('contributor', {}, personParts(contributor))] : []),
    ...textElement('icon', icon),
    ...textElement('logo', logo),
    ...textElement('rights', rights),
    ...textElement('subtitle', subtitle),
    element('generator', { uri: generator?.uri || undefined, version: generator?.version || undefined }, [
      generator?.name || 'Periplus',
    ]),
  ]
}

interface Person {
  readonly name?: string
  readonly email?: string
  readonly uri?: string
}

const personParts = ({ name, email, uri }: Person): readonly XmlElement[] => [
  ...textElement('name', name),
  ...textElement('uri', uri),
  ...textElement('email', email),
]

function entryOf(hit: Hit, place: number, address: string, updated: string, options: FeedOptions): XmlElement {
  const { md } = hit
  const id = md.id === undefined ? `${address}/_search#${options.from + place}` : `${address}/${encodeId(md.id)}`
  const geometry = md.geometry ?? md.centroid
  return element('entry', {}, [
    element('id', {}, [id]),
    element('title', {}, [md.id ?? '']),
    element('updated', {}, [md.timestamp === undefined ? updated : printTime(md.timestamp, options.now)]),
    ...(md.id === undefined ? [] : [link('alternate', 'application/json', id)]),
    ...(geometry === undefined ? [] : [element('georss:where', {}, [gmlOf(geometry)])]),
    element('content', { type: 'application/xml' }, [
      element('document', { xmlns: DOCUMENT_NAMESPACE }, documentParts(hit.data, options)),
    ]),
  ])
}

const encodeId = (id: string): string => encodeURIComponent(id.toWellFormed())

function documentParts(data: JsonObject, { reference, flat }: FeedOptions): readonly XmlElement[] {
  const rest = removeAt(data, sourcePath(reference.params.geometry_path))
  return memberElements(flat ? flatten(rest) : rest)
}

function memberElements(object: JsonObject): readonly XmlElement[] {
  const entries = Object.entries(object)
  const names = xmlNames(entries.map(([key]) => key))
  return entries.flatMap(([key, value], i) => valueElements({ key, name: names[i] ?? '' }, value))
}

interface Member {
  readonly key: string
  readonly name: string
}

/** An array becomes a repeated element, at any depth. A key that is not an XML name becomes an attribute. */
function valueElements(member: Member, value: Json): readonly XmlElement[] {
  if (value === null) return []
  if (isArray(value)) return value.flatMap((item) => valueElements(member, item))
  const { key, name } = member
  const attributes = name === key ? {} : { name: key }
  return [element(name, attributes, typeof value === 'object' ? memberElements(value) : [String(value)])]
}

const isArray = (value: Json): value is readonly Json[] => Array.isArray(value)
