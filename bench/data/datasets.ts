import type { DatasetName, TimeRange } from '../questions/question.ts'
import { collection, documents, FIRST_DAY, LAST_DAY, mapping } from './documents.ts'
import { FIRST_FLIGHT, flightCollection, flightMapping, flights, LAST_FLIGHT } from './flights.ts'
import { shapeCollection, shapeMapping, shapes } from './shapes.ts'

/** Documents and how systems store them. */
export interface Dataset {
  readonly name: DatasetName
  /** Indices to create, all with the mapping. */
  readonly indices: readonly string[]
  /** In the syntax of Elasticsearch. */
  readonly mapping: object
  /** Returns the index of a document; only if there are several. */
  readonly indexOf?: (id: string) => string
  /** Name of the collection of Periplus. */
  readonly collection: string
  /** Its parameters; `index_name` is also what other systems search in. */
  readonly reference: { readonly index_name: string; readonly [name: string]: string }
  /** Dates of the generated documents. */
  readonly time: TimeRange
  /** Generates `count` documents, or as many as there are. */
  readonly documents: (count: number, seed: number) => Iterable<Identified> | AsyncIterable<Identified>
}

interface Identified {
  readonly id: string
}

const QUARTERS = ['bench-q0', 'bench-q1', 'bench-q2', 'bench-q3'] as const

const points: Dataset = {
  name: 'points',
  indices: ['bench'],
  mapping,
  collection: 'bench',
  reference: collection,
  time: { from: FIRST_DAY, to: LAST_DAY },
  documents,
}

/** The names of all datasets and what is known of them. */
export const datasets: Readonly<Record<DatasetName, Dataset>> = {
  points,
  quarters: {
    ...points,
    name: 'quarters',
    indices: QUARTERS,
    // By the last digits, so that every index has ids and dates of the whole range.
    indexOf: (id) => QUARTERS[Number(id.slice(-4)) % QUARTERS.length] ?? QUARTERS[0],
    collection: 'quarters',
    reference: { ...collection, index_name: 'bench-q*' },
  },
  shapes: {
    name: 'shapes',
    indices: ['shapes'],
    mapping: shapeMapping,
    collection: 'shapes',
    reference: shapeCollection,
    time: { from: FIRST_DAY, to: LAST_DAY },
    documents: shapes,
  },
  flights: {
    name: 'flights',
    indices: ['flights'],
    mapping: flightMapping,
    collection: 'flights',
    reference: flightCollection,
    time: { from: FIRST_FLIGHT, to: LAST_FLIGHT },
    documents: flights,
  },
}
