import type { Assertion, Step, Vector } from './vector.ts'

/**
 * Vectors whose responses may differ on a cluster according to the specification, with the expectations for clusters:
 * one value of a geo_shape per document, rounded coordinates, and paging up to the result window.
 */
const adapted: Readonly<Record<string, (step: Step) => Step>> = {
  'U1.2': collectShapes,
  'U1.4': collectShapes,
  'U10.1': expectRoundedCoordinates,
  'U21.1': expectResultWindow,
}

export function forCluster(vector: Vector): Vector {
  const adapt = adapted[vector.id]
  return adapt === undefined ? vector : { ...vector, steps: vector.steps?.map(adapt) ?? [] }
}

function withAssertions(step: Step, change: (assertion: Assertion) => readonly Assertion[]): Step {
  const json = step.expect?.json
  return json === undefined ? step : { ...step, expect: { ...step.expect, json: json.flatMap(change) } }
}

/** Several shapes count as one collection, so documents with the collection match the same filters. */
function collectShapes(step: Step): Step {
  const rawBody = step.rawBody?.replace(
    /"shape":(\[\{.*?\}\])/g,
    '"shape":{"type":"GeometryCollection","geometries":$1}',
  )
  const collected = rawBody === undefined ? step : { ...step, rawBody }
  // These are the bounds of the first shape of the array, not of the collection.
  return withAssertions(collected, (assertion) => (assertion.at === '/md/geometry' ? [] : [assertion]))
}

function expectRoundedCoordinates(step: Step): Step {
  return withAssertions(step, (assertion) => {
    const { at, equals } = assertion
    if (typeof equals !== 'object' || equals === null || !('geo_params_centroid_geobbox_' in equals)) return [assertion]
    return Object.entries(equals).map(([name, value]) =>
      name.startsWith('geo_params_centroid_')
        ? { at: `${at}/${name}`, matches: roundedNumbers(String(value)) }
        : { at: `${at}/${name}`, equals: value },
    )
  })
}

/** Returns a pattern for comma-separated integers, each exact or within 1e-6. */
function roundedNumbers(text: string): string {
  const numbers = text.split(',').map((part) => {
    const n = Math.abs(Number(part))
    const sign = part.startsWith('-') ? '-' : '-?'
    const below = n === 0 ? '0\\.00000' : `${n - 1}\\.99999`
    return `${sign}(${n}|${n}\\.00000\\d+|${below}\\d+|\\d(\\.\\d+)?e-\\d+)`
  })
  return `^${numbers.join(',')}$`
}

function expectResultWindow(step: Step): Step {
  const beyond = step.query?.some(([name, value]) => name === 'from' && value === '2147483647') === true
  return beyond ? { ...step, expect: { status: 400, error: 'LIMIT_EXCEEDED', message: 'limits\\.window' } } : step
}
