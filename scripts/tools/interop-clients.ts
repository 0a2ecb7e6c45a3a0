import { join } from 'node:path'
import { ensurePythonModules, type PythonModules } from './python-modules.ts'

/** Clients of the standards under /ogc and /stac, and an independent implementation of CQL2. */
export const ensureInteropClients = (say?: (line: string) => void): Promise<PythonModules> =>
  ensurePythonModules({
    cache: 'interop-clients',
    packages: [
      'cql2==0.6.0',
      ...['OWSLib==0.35.0', 'pyogrio==0.13.0'],
      ...['pystac-client==0.9.1', 'pystac==1.15.2', 'stac-api-validator==0.6.8'],
    ],
    purpose: 'to run clients of OGC API and STAC',
    ...(say === undefined ? {} : { say }),
  })

/** JSON Schemas of STAC 1.0.0. Later versions of the package have those of STAC 1.1.0 only. */
export const ensureStacSchemas = async (say?: (line: string) => void): Promise<string> => {
  const { modules } = await ensurePythonModules({
    cache: 'stac-schemas',
    packages: ['pystac==1.10.1'],
    purpose: 'to validate STAC items',
    ...(say === undefined ? {} : { say }),
  })
  return join(modules, 'pystac', 'validation', 'jsonschemas')
}
