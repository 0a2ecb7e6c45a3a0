import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'
import type { Settings } from '../config/settings.ts'
import { apiKeyHeaders } from './auth-credentials.ts'

/** Spec 1.7.2. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const REQUEST_HEADERS = [
  'Content-Type',
  'Accept',
  'Authorization',
  'If-None-Match',
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

/** Lets pages of other origins call the server, as the settings say. */
export async function allowOrigins(app: FastifyInstance, { server, auth }: Settings): Promise<void> {
  const settings = server.cors
  if (!settings.enabled) return
  await app.register(cors, {
    origin: settings.origins.includes('*') ? '*' : [...settings.origins],
    credentials: settings.credentials,
    methods: METHODS,
    allowedHeaders: auth.modes.includes('apikey') ? [...REQUEST_HEADERS, ...apiKeyHeaders] : REQUEST_HEADERS,
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: 86_400,
    strictPreflight: false,
  })
}
