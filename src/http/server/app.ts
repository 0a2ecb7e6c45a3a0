import { constants, type ZlibOptions, type ZstdOptions } from 'node:zlib'
import compress from '@fastify/compress'
import fastify, { type FastifyInstance, type FastifyServerFactory, LogController } from 'fastify'
import type { DestinationStream } from 'pino'
import { hideCredentials } from '../../config/hidden-secret.ts'
import type { Limits } from '../../config/settings.ts'
import { Problem } from '../../errors.ts'
import { answerPlainOptions, watchMethods } from '../allowed-methods.ts'
import { sendProblem } from '../answer/send-problem.ts'
import { refuseNarrowed } from '../auth/access-headers.ts'
import { auditWrites } from '../auth/audit-log.ts'
import { authenticate, keepPrivate, markCallers } from '../auth/auth.ts'
import { limitCallers, markReadingCallers } from '../auth/caller-limits.ts'
import { allowOrigins } from '../auth/cors.ts'
import { refuseForeignChanges } from '../auth/foreign-requests.ts'
import { checkHosts } from '../auth/host-check.ts'
import { securityHeaders } from '../auth/security-headers.ts'
import { healthRoutes } from '../health/health-routes.ts'
import { exposeMetrics } from '../health/metrics.ts'
import { trackRequests } from '../health/stop-server.ts'
import { pageRoutes } from '../pages/page-routes.ts'
import { acceptBodies } from '../request/body/request-body.ts'
import { CODINGS, COMPRESSIBLE, LEAST_ENCODED_BYTES } from '../request/content-coding.ts'
import { earlyAnswerResponse, holdInvitations } from '../request/early-answer.ts'
import { CLIENT_LEFT_STATUS } from '../request/request-end.ts'
import { requestId } from '../request/request-id.ts'
import { limitLifetimes } from '../request/request-lifetime.ts'
import { logRequest, logRequests } from '../request/request-log.ts'
import { sendNotices } from '../request/request-notices.ts'
import { requestProblem } from '../request/request-problem.ts'
import { sendProfiles } from '../request/request-profile.ts'
import { logSlowRequests } from '../request/slow-requests.ts'
import { JSON_TYPE } from '../route-config.ts'
import { routePrefixes } from '../route-prefixes.ts'
import type { Routes, Services } from '../services.ts'
import { answerClientError, answerSpecialRequests } from './client-errors.ts'
import { separateLargeRequests } from './large-requests.ts'
import { describeRoutes, openapiRoutes } from './openapi.ts'
import { skipOutages } from './outage-lines.ts'
import { checkRequests, checkRoutes, limitBodies, markAnswers } from './request-checks.ts'
import { serveSecurely } from './secure/serve-securely.ts'

/** Routes with relative paths, registered under each prefix. */
interface AliasedRoutes {
  readonly prefixes: readonly string[]
  readonly routes: readonly Routes[]
}

interface RouteSets {
  /** Registered at the root and under the prefixes; answers are JSON unless a route overrides it. */
  readonly aliased: readonly AliasedRoutes[]
  readonly root: readonly Routes[]
}

export interface AppOptions {
  /** Destination of the log; standard output by default. */
  readonly log?: DestinationStream
  /** Called with the SHA-256 of each certificate that the server uses, from the first. */
  readonly onCertificate?: (fingerprint: string) => void
}

/** Maximum size compressed on the main thread: a quarter of a millisecond, less than a round trip to another thread. */
const COMPRESSED_HERE_BYTES = 64 * 1024

/** Answers are large and sent once: higher levels take twice the time to save a tenth of the bytes. For gzip and zstd. */
const QUICK: ZlibOptions & ZstdOptions = { level: 1, params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** Builds a server with everything but its routes: protocol rules, limits, errors, logs, metrics, pages. */
export async function buildApp(
  services: Services,
  routes: RouteSets,
  options: AppOptions = {},
): Promise<FastifyInstance> {
  const { settings } = services
  const { limits } = settings
  const secure = serveSecurely(settings, options.onCertificate)
  const app = createFastify(services, options, secure?.factory)
  const security = securityHeaders(settings)
  answerSpecialRequests(app.server, limits, security)
  holdInvitations(app.server)
  answerErrors(app, limits)
  const completeMethods = watchMethods(app)
  const document = describeRoutes(app, services)
  // Hooks run in this order. Those that track requests and set CORS headers come before those that refuse.
  trackRequests(app)
  markAnswers(app, security)
  markCallers(app, settings)
  limitLifetimes(app, limits.timeMs)
  logRequests(app)
  logSlowRequests(app, settings)
  auditWrites(app, settings)
  exposeMetrics(app, services, secure?.validTo)
  checkHosts(app, settings)
  answerPlainOptions(app)
  await allowOrigins(app, settings)
  checkRequests(app, limits)
  refuseForeignChanges(app, settings)
  authenticate(app, {
    settings,
    now: services.now,
    admit: limitCallers(app, settings, services.now),
    onCaller: (writer) => services.notifications?.rights?.note(writer),
  })
  keepPrivate(app, settings)
  checkRoutes(app)
  refuseNarrowed(app, routePrefixes(settings))
  sendProfiles(app, services.engine)
  sendNotices(app)
  limitBodies(app, limits)
  acceptBodies(app, limits)
  separateLargeRequests(app)
  markReadingCallers(app, settings.server.trustedProxies)
  await app.register(compress, {
    globalDecompression: false,
    encodings: [...CODINGS],
    threshold: LEAST_ENCODED_BYTES,
    syncThreshold: COMPRESSED_HERE_BYTES,
    customTypes: COMPRESSIBLE,
    zlibOptions: QUICK,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
  })
  await registerRoutes(app, services, routes)
  await app.register(async (scope) => openapiRoutes(scope, document))
  completeMethods()
  secure?.follow(app)
  return app
}

function createFastify(
  services: Services,
  options: AppOptions,
  serverFactory: FastifyServerFactory | undefined,
): FastifyInstance {
  const { limits, log } = services.settings
  const security = securityHeaders(services.settings)
  const app: FastifyInstance = fastify({
    logger: {
      level: log.level,
      // `streamWrite`: last step of every log line, so that credentials in errors or client input are hidden.
      hooks: { streamWrite: hideCredentials, logMethod: skipOutages },
      ...(options.log === undefined ? {} : { stream: options.log }),
    },
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.arrivalMs,
    return503OnClosing: false,
    // Larger than the limits, so that a request slightly above one gets an answer that names it.
    http: {
      maxHeaderSize: 4 * (limits.urlBytes + limits.headerBytes),
      requireHostHeader: false,
      ServerResponse: earlyAnswerResponse(limits),
    },
    ...(serverFactory === undefined ? {} : { serverFactory }),
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: limits.urlBytes,
      // readParameters parses the raw query instead.
      querystringParser: () => ({}),
    },
    clientErrorHandler(error, socket) {
      answerClientError({ log: app.log, error, socket, limits, security })
    },
    frameworkErrors(error, request, reply) {
      const found = requestProblem(error, request, limits)
      if (found === undefined) return
      // Hooks do not run for these requests.
      sendProblem(request, reply.headers(security), found)
      logRequest(request, reply, found.status)
    },
  })
  // Schemas only feed the OpenAPI document. The operations validate requests, the same way for GET and POST.
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
  return app
}

function answerErrors(app: FastifyInstance, limits: Limits): void {
  app.setErrorHandler((error, request, reply) => {
    const found = requestProblem(error, request, limits)
    if (found === undefined) return reply.code(CLIENT_LEFT_STATUS).send()
    if (!(error instanceof Problem) && found.status >= 500) request.log.error({ err: error }, 'request failed')
    else if (found.status >= 500) request.log.warn({ err: error }, 'request could not be served')
    return sendProblem(request, reply, found)
  })
}

async function registerRoutes(app: FastifyInstance, services: Services, routes: RouteSets): Promise<void> {
  for (const { prefixes, routes: some } of routes.aliased) {
    for (const prefix of ['', ...prefixes]) {
      await app.register(
        async (scope) => {
          scope.addHook('onRoute', (route) => {
            route.config = { produces: [JSON_TYPE], ...route.config }
          })
          for (const register of some) register(scope, services)
        },
        { prefix },
      )
    }
  }
  await app.register(async (scope) => {
    for (const register of [...routes.root, healthRoutes, pageRoutes]) register(scope, services)
  })
}
