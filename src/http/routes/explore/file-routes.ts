import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OpenCollection } from '../../../collections/open-collection.ts'
import type { Operation } from '../../../explore/operation.ts'
import { aggregateShapefiles, searchShapefiles } from '../../../explore/shapefile.ts'
import { DESCRIPTION_TYPE } from '../../../formats/xml/atom-feed.ts'
import { printDescription } from '../../../formats/xml/search-description.ts'
import type { Field } from '../../../query/schema/field.ts'
import { sendArchive } from '../../answer/send-archive.ts'
import { sendXml } from '../../answer/send-xml.ts'
import { preferredType } from '../../request/accept.ts'
import { liftTimeLimit } from '../../request/request-lifetime.ts'
import { requestUrl } from '../../request/request-url.ts'
import { formats, varyByAccept } from '../../request/response-format.ts'
import type { Services } from '../../services.ts'
import { beginOperation } from '../begin-operation.ts'
import { readAggregation } from './aggregation-request.ts'
import { readAnswerForm, readSearch } from './explore-request.ts'
import * as schemas from './file-schemas.ts'

/** The generic XML type by default, the specific type on request. */
const DESCRIPTION_TYPES = ['application/xml', DESCRIPTION_TYPE] as const

interface Named {
  Params: { readonly collection: string }
}

/** Routes that return files (spec 5 of files). GET and POST share their handlers. */
export function fileRoutes(app: FastifyInstance, services: Services): void {
  const { limits } = services.settings
  const begin = (request: FastifyRequest<Named>): Promise<Operation> =>
    beginOperation(services, request, request.params.collection)
  const config = { produces: [formats.shapefile.type], readOnly: true }

  app.get<Named>('/explore/:collection/_shapesearch', { schema: schemas.shapesearch, config }, shapesearch)
  app.post<Named>('/explore/:collection/_shapesearch', { schema: schemas.shapesearchPost, config }, shapesearch)

  async function shapesearch(request: FastifyRequest<Named>, reply: FastifyReply): Promise<FastifyReply> {
    const operation = await begin(request)
    const { value, form } = readSearch(request, limits)
    // The operation limits the duration of each of its steps.
    liftTimeLimit(request)
    const archive = await searchShapefiles(value, operation)
    return sendArchive(request, reply, archive, { name: `${request.params.collection}_shapesearch`, ...form })
  }

  app.get<Named>('/explore/:collection/_shapeaggregate', { schema: schemas.shapeaggregate, config }, shapeaggregate)
  app.post<Named>(
    '/explore/:collection/_shapeaggregate',
    { schema: schemas.shapeaggregatePost, config },
    shapeaggregate,
  )

  async function shapeaggregate(request: FastifyRequest<Named>, reply: FastifyReply): Promise<FastifyReply> {
    const operation = await begin(request)
    const { value, form } = readAggregation(request)
    const archive = await aggregateShapefiles(value, operation)
    return sendArchive(request, reply, archive, { name: `${request.params.collection}_shapeaggregate`, ...form })
  }

  app.get<Named>(
    '/explore/ogc/opensearch/:collection',
    { schema: schemas.searchDescription, config: { produces: DESCRIPTION_TYPES } },
    async (request, reply) => {
      const { collection } = await begin(request)
      const { base } = requestUrl(request, services.settings)
      const fields = visibleFields(collection)
      const xml = printDescription({ reference: collection.reference, fields, base })
      const type = preferredType(request.headers.accept, DESCRIPTION_TYPES) ?? DESCRIPTION_TYPES[0]
      varyByAccept(reply)
      return sendXml(request, reply, xml, type, readAnswerForm(request))
    },
  )
}

/** Fields visible to the caller, in the order of the description. */
function visibleFields({ schema, hidden }: OpenCollection): readonly Field[] {
  return schema.fields.filter((field) => !hidden.selects(field.path))
}
