import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { problem } from '../../errors.ts'
import type { LoadAnswer, LoadEvent } from '../../loading/load-report.ts'
import type { Loads, UploadRequest } from '../../loading/loads.ts'
import { sendJson } from '../answer/send-json.ts'
import { sendStream } from '../answer/send-stream.ts'
import { noteLoad } from '../auth/audit-log.ts'
import { preferredType } from '../request/accept.ts'
import { callerAccess, requestSignal } from '../request/caller.ts'
import { readParameters } from '../request/parameters.ts'
import { bodyTooLarge, requestProblem } from '../request/request-problem.ts'
import { varyByAccept } from '../request/response-format.ts'
import { ANY_FILE, JSON_TYPE } from '../route-config.ts'
import type { Routes } from '../services.ts'
import { loadRights, readLoadRequest } from './load-request.ts'
import * as schemas from './load-schemas.ts'

const TYPES = [JSON_TYPE, schemas.LINES_TYPE]

/** Loads a file that is the body of a request. */
export const loadRoutes =
  (loads: Loads): Routes =>
  (app: FastifyInstance, { settings }) => {
    const { limits } = settings
    const load = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      readParameters(request).boolean('pretty')
      const { body } = request
      if (!isStream(body)) throw problem('INVALID_BODY', { parameter: 'body', reason: 'is required: a file' })
      const upload: UploadRequest = {
        ...readLoadRequest(request),
        content: body,
        access: callerAccess(request),
        signal: requestSignal(request),
        tooLarge: () => bodyTooLarge(request, limits),
      }
      varyByAccept(reply)
      if (preferredType(request.headers.accept, TYPES) === JSON_TYPE) {
        return sendJson(request, reply, noted(request, await loads.load(upload)))
      }
      reply.header('content-type', schemas.LINES_TYPE)
      return sendStream(request, reply, lines(request, upload))
    }

    /** An error after the first line is the last line. */
    async function* lines(request: FastifyRequest, upload: UploadRequest): AsyncGenerator<string> {
      const held: LoadEvent[] = []
      let wake = Promise.withResolvers<void>()
      let isOver = false
      const work = loads.load(upload, (event) => {
        held.push(event)
        // errors of the plan are an error answer: nothing is sent before it is made
        if (event.type === 'progress') wake.resolve()
      })
      const over = work.then(
        () => undefined,
        () => undefined,
      )
      over.then(() => {
        isOver = true
        wake.resolve()
      })
      let hasBegun = false
      while (!isOver) {
        await wake.promise
        wake = Promise.withResolvers<void>()
        if (isOver) break
        hasBegun = true
        yield printed(held)
      }
      try {
        const answer = noted(request, await work)
        yield `${printed(held)}${JSON.stringify({ type: 'report', ...answer })}\n`
      } catch (error) {
        if (!hasBegun) throw error
        const found = requestProblem(error, request, limits)
        if (found === undefined) throw error
        if (found.status >= 500) request.log.error({ err: error }, 'a load failed')
        yield `${printed(held)}${JSON.stringify({ type: 'error', ...found.toBody() })}\n`
      }
    }

    const config = { accepts: [ANY_FILE], produces: TYPES, timeLimit: false, rights: loadRights }
    app.addHook('onListen', () => loads.sweep())
    app.register(async (scope) => {
      // the body is read by the handler, while it arrives
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', (_request, body, done) => done(null, body))
      const options = { bodyLimit: limits.loadBytes, config }
      scope.post('/load', { schema: schemas.load, ...options }, load)
      scope.put('/load/:file', { schema: schemas.putFile, ...options }, load)
    })
  }

const isStream = (body: unknown): body is Readable => typeof body === 'object' && body !== null && 'pipe' in body

const printed = (events: LoadEvent[]): string =>
  events
    .splice(0)
    .map((event) => `${JSON.stringify(event)}\n`)
    .join('')

function noted(request: FastifyRequest, answer: LoadAnswer): LoadAnswer {
  if (answer.loaded !== undefined) noteLoad(request, answer.index, { ...answer.loaded })
  return answer
}
