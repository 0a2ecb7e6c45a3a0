import type { FastifyRequest } from 'fastify'
import { problem } from '../../errors.ts'
import type { LoadOptions } from '../../ingest/load/load-files.ts'
import { inputFormats } from '../../ingest/read/shared/input-format.ts'
import { titleOf } from '../../ingest/source/open-sources.ts'
import { readParameters } from '../request/parameters.ts'
import type { Right } from '../route-config.ts'

/** What a request to load a file asks for. */
export interface LoadRequest {
  /** Name of the file. */
  readonly name: string
  /** Name of the index and the collection. */
  readonly title?: string
  readonly options: LoadOptions
}

const DATE_ORDERS = ['day-first', 'month-first'] as const
/** Options that are texts, by their names in the request. */
const TEXTS = [
  'idPath',
  'geometryPath',
  'centroidPath',
  'timestampPath',
  'delimiter',
  'encoding',
  'layer',
  'crs',
  'lon',
  'lat',
  'rowId',
] as const

const DEFAULT_NAME = 'upload'
const LONGEST_NAME = 255

export function readLoadRequest(request: FastifyRequest): LoadRequest {
  const parameters = readParameters(request)
  const title = parameters.text('name')
  const flag = (name: 'replace' | 'append' | 'dryRun') => (parameters.boolean(name) === true ? { [name]: true } : {})
  const format = oneOf(request, 'format', inputFormats)
  const dateOrder = oneOf(request, 'dateOrder', DATE_ORDERS)
  const options: LoadOptions = {
    ...Object.fromEntries(TEXTS.flatMap((name) => pair(name, parameters.text(name)))),
    ...(format === undefined ? {} : { format }),
    ...(dateOrder === undefined ? {} : { dateOrder }),
    ...(parameters.boolean('collection') === false ? { collection: false } : {}),
    ...{ ...flag('replace'), ...flag('append'), ...flag('dryRun') },
  }
  if (options.replace === true && options.append === true) {
    throw problem('INVALID_PARAMETER', { parameter: 'append', reason: 'cannot be combined with replace' })
  }
  if ((options.lon === undefined) !== (options.lat === undefined)) {
    const [given, missing] = options.lon === undefined ? ['lat', 'lon'] : ['lon', 'lat']
    throw problem('INVALID_PARAMETER', { parameter: missing, reason: `is required with ${given}` })
  }
  return { name: fileNameOf(request), ...(title === undefined ? {} : { title }), options }
}

const pair = (name: string, value: string | undefined) => (value === undefined ? [] : [[name, value] as const])

function oneOf<T extends string>(request: FastifyRequest, name: string, allowed: readonly T[]): T | undefined {
  const value = readParameters(request).text(name)
  const found = allowed.find((one) => one === value)
  if (value === undefined || found !== undefined) return found
  throw problem('INVALID_PARAMETER', { parameter: name, value, reason: `must be one of ${allowed.join(', ')}` })
}

/** The parameter `file`, the last part of the path, or the header Content-Disposition. */
function fileNameOf(request: FastifyRequest): string {
  const { file }: { file?: string } = Object(request.params)
  const given = readParameters(request).text('file') ?? file ?? dispositionName(request) ?? DEFAULT_NAME
  return given.slice(-LONGEST_NAME)
}

function dispositionName({ headers }: FastifyRequest): string | undefined {
  const stated = headers['content-disposition'] ?? ''
  const encoded = /filename\*=utf-8''([^;\s]+)/i.exec(stated)?.[1]
  if (encoded !== undefined && !/%(?![0-9a-f]{2})/i.test(encoded)) {
    // a sequence of bytes that is not UTF-8 becomes the replacement character
    return Buffer.from(
      encoded.replaceAll(/%([0-9a-f]{2})/gi, (_whole, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
      'latin1',
    ).toString()
  }
  return /filename="?([^";]+)"?/i.exec(stated)?.[1]
}

/**
 * The rights to do what a load does with other routes. A request whose parameters cannot be read needs the right to use
 * any index.
 */
export function loadRights(request: FastifyRequest): readonly Right[] {
  const { name, title, options } = rightsRequest(request)
  const index = segment(title ?? titleOf(name))
  return [
    { method: 'PUT', path: `index/${index}` },
    { method: 'POST', path: `index/${index}/_bulk` },
    ...(options.replace === true ? [{ method: 'DELETE', path: `index/${index}` }] : []),
    ...(options.collection === false ? [] : [{ method: 'PUT', path: `collections/${index}` }]),
  ]
}

function rightsRequest(request: FastifyRequest): LoadRequest {
  try {
    return readLoadRequest(request)
  } catch {
    // the handler refuses it again, and says why
    return { name: '*', title: '*', options: { replace: true } }
  }
}

const segment = (name: string): string => name.replaceAll('/', '%2F')
