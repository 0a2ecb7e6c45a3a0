import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'
import { corsOrigins } from '../../config/cors-origins.ts'
import type { Settings } from '../../config/settings.ts'
import { apiKeyHeaders } from './auth-credentials.ts'

/** Spec 1.7.2. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const REQUEST_HEADERS = [
  'Content-Type',
  'Accept',
  'Authorization',
  'If-None-Match',
  'Last-Event-ID',
  'X-Requested-With',
  'partition-filter',
  'column-filter',
  'arlas-organization',
  'arlas-org-filter',
  'arlas-user',
  'arlas-groups',
]
const EXPOSED_HEADERS = [
  'Content-Type',
  'Content-Length',
  'Content-Disposition',
  'ETag',
  'Location',
  'WWW-Authenticate',
]

/** Allows pages of other origins to call the server, as configured. */
export async function allowOrigins(app: FastifyInstance, settings: Settings): Promise<void> {
  const { server, auth } = settings
  if (!server.cors.enabled) return
  const origins = corsOrigins(settings)
  await app.register(cors, {
    // Unlike false, an empty list still answers preflights of other origins, without allowing anything.
    origin: origins.any
      ? '*'
      : (origin, answer) => answer(null, origin !== undefined && origins.allows(origin) ? true : []),
    credentials: server.cors.credentials,
    methods: METHODS,
    allowedHeaders: auth.modes.includes('apikey') ? [...REQUEST_HEADERS, ...apiKeyHeaders] : REQUEST_HEADERS,
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: 86_400,
    strictPreflight: false,
  })
}
