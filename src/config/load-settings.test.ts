import { mkdtempSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadSettings, type SettingsSources } from './load-settings.ts'
import { printConfig } from './print-settings.ts'
import { settingList } from './setting-list.ts'
import { SettingsFault } from './setting-value.ts'

const empty = mkdtempSync(join(tmpdir(), 'periplus-settings-'))

function directoryWith(content: string, name = 'periplus.yaml'): string {
  const cwd = mkdtempSync(join(tmpdir(), 'periplus-settings-'))
  writeFileSync(join(cwd, name), content)
  return cwd
}

function fault(sources: SettingsSources): string {
  try {
    loadSettings({ cwd: empty, ...sources })
  } catch (error) {
    if (error instanceof SettingsFault) return error.message
    throw error
  }
  throw new Error('the settings were accepted')
}

test('the defaults', () => {
  expect(loadSettings({ cwd: empty })).toEqual({
    server: {
      host: '127.0.0.1',
      port: 9999,
      aliases: ['/arlas'],
      trustedProxies: [],
      allowedHosts: [],
      cors: { enabled: true, credentials: false },
    },
    tls: { checkMs: 10_000 },
    data: { directory: './data' },
    engine: { kind: 'embedded', memoryMiB: 1536, threads: availableParallelism(), concurrency: 8 },
    cluster: {
      urls: ['http://127.0.0.1:9200'],
      connections: 64,
      compress: false,
      timeoutMs: 120_000,
      referenceIndex: '.periplus-collections',
      referenceMs: 1000,
      prefix: 'periplus-',
    },
    cache: { enabled: true, maxBytes: 64 * 1024 * 1024 },
    limits: {
      size: 10_000,
      vertices: 5_000,
      filterVertices: 20_000,
      crossings: 2_000,
      patternLength: 1_000,
      expressions: 10_000,
      bodyBytes: 16 * 1024 * 1024,
      bulkBytes: 128 * 1024 * 1024,
      loadBytes: 2 * 1024 ** 3,
      loadUnpackedBytes: 8 * 1024 ** 3,
      loads: 2,
      liveStreams: 100,
      liveMs: 600_000,
      loadMemoryMiB: 1024,
      exploreBytes: 2 * 1024 * 1024,
      jsonNodes: 100_000,
      fields: 500,
      filterCost: 50_000,
      stacAggregations: 50,
      stacBuckets: 10_000,
      stacTerms: 100,
      stacSummaryFields: 16,
      stacSummaryTerms: 20,
      filterDepth: 100,
      queryLength: 32_000,
      ogcItems: 10_000,
      discardBytes: 256 * 1024 * 1024,
      discardMs: 10_000,
      arrivalMs: 300_000,
      urlBytes: 65_536,
      headerBytes: 65_536,
      timeMs: 30_000,
      buckets: 65_535,
      aggregationDepth: 5,
      geotileDepth: 6,
      fetchHits: 100,
      bucketHits: 100_000,
      shapefileColumns: 255,
      scan: 100_000,
      exactDistinct: 100_000,
      concurrentRequests: 256,
    },
    auth: {
      modes: ['none'],
      roles: {},
      defaultRoles: [],
      publicPaths: ['openapi.*:GET', 'swagger.*:GET', 'health.*:GET'],
      failedLogins: { atOnce: 20, perMinute: 20 },
      queryToken: false,
      header: { user: 'arlas-user', groups: 'arlas-groups' },
      apikey: {},
      jwt: {
        algorithms: ['RS256', 'ES256', 'EdDSA'],
        userClaim: 'sub',
        rolesClaims: ['http://arlas.io/roles', 'realm_access.roles'],
        permissionsClaim: 'http://arlas.io/permissions',
      },
    },
    access: { checkOrganisations: true },
    client: {},
    tagging: {
      aliases: ['/arlas_tagger'],
      log: { retention: 'forever' },
      kafka: { brokers: [], topic: 'tagref_log' },
      maxPending: 10_000,
      walLimit: 128 * 1024 * 1024,
      batch: { start: 10_000, min: 100, max: 50_000, targetMs: 250 },
      cluster: {
        bulkActions: 1_000,
        bulkBytes: 5 * 1024 * 1024,
        inFlight: 4,
        conflictRetries: 10,
        leaseSeconds: 30,
        activeShards: 'all',
      },
    },
    subscriptions: {
      aliases: ['/arlas-subscriptions-manager'],
      admin: true,
      quota: 1_000,
      identity: { header: '', admin: 'admin' },
      trigger: {
        keys: { geometry: 'geometry', centroid: 'centroid', collections: 'collections', event: 'event' },
      },
    },
    events: {
      fromLoads: true,
      fromTags: true,
      dedupeWindow: '24h',
      maxBacklog: 1_000_000,
      kafka: { brokers: [], topic: 'subscription_events', group: 'periplus_subscription_events' },
    },
    delivery: {
      mode: 'webhook',
      retention: '30d',
      maxPending: 10_000_000,
      maxPayload: 256 * 1024,
      cloudEvents: false,
      handshake: false,
      connectTimeout: '5s',
      timeout: '15s',
      claim: '60s',
      concurrency: 64,
      perHost: 8,
      perSubscription: 4,
      kafka: { brokers: [], topic: 'notification_orders' },
    },
    egress: { httpsOnly: false, ports: ['80', '443', '1024-65535'], allow: [], only: false },
    secrets: {},
    explorer: {},
    tiles: {
      maxCandidates: 50,
      maxElements: 10_000,
      color: '#1f6feb',
      upstreamHosts: [],
      upstreamTimeoutMs: 10_000,
      upstreamMaxBytes: 10 * 1024 * 1024,
      upstreamCacheBytes: 64 * 1024 * 1024,
    },
    inspire: { required: false },
    log: { level: 'info', audit: true, slowMs: 1_000 },
  })
})

test('flags beat the environment, which beats the file, which beats the defaults', () => {
  const cwd = directoryWith('limits: { size: 1, vertices: 1, expressions: 1 }\n')
  const env = { PERIPLUS_LIMITS_SIZE: '2', PERIPLUS_LIMITS_VERTICES: '2', PATH: '/bin' }
  const { limits } = loadSettings({ cwd, env, flags: { 'limits.size': '3', 'server.port': undefined } })
  expect([limits.size, limits.vertices, limits.expressions, limits.timeMs]).toEqual([3, 2, 1, 30_000])
})

describe('the environment', () => {
  test('variables are the path in upper snake case', () => {
    const name = (key: string): string | undefined => settingList.find((setting) => setting.key === key)?.variable
    expect(name('limits.bodyBytes')).toBe('PERIPLUS_LIMITS_BODY_BYTES')
    expect(name('server.cors.origins')).toBe('PERIPLUS_SERVER_CORS_ORIGINS')
    expect(name('engine.memoryMiB')).toBe('PERIPLUS_ENGINE_MEMORY_MIB')
    expect(new Set(settingList.map((setting) => setting.variable)).size).toBe(settingList.length)
  })

  test('values have the type of their setting', () => {
    const env = {
      PERIPLUS_SERVER_ALIASES: '/a, /b/c',
      PERIPLUS_SERVER_CORS_ENABLED: 'FALSE',
      PERIPLUS_SERVER_TRUSTED_PROXIES: '',
      PERIPLUS_LOG_LEVEL: 'Debug',
      PERIPLUS_SERVER_PUBLIC_URL: 'https://maps.example.org/api',
    }
    const { server, log } = loadSettings({ cwd: empty, env })
    expect(server.aliases).toEqual(['/a', '/b/c'])
    expect(server.trustedProxies).toEqual([])
    expect([server.cors.enabled, server.publicUrl, log.level]).toEqual([false, 'https://maps.example.org/api', 'debug'])
  })

  test('variables of tests and scripts are let be', () => {
    expect(loadSettings({ cwd: empty, env: { PERIPLUS_TEST_ENGINE: 'x' } }).server.port).toBe(9999)
  })
})

describe('mistakes name the key, where it was written and what was meant', () => {
  test.each<[SettingsSources, string]>([
    [
      { env: { PERIPLUS_LIMIT_SIZE: '1' } },
      'PERIPLUS_LIMIT_SIZE is not a setting (environment); did you mean PERIPLUS_LIMITS_SIZE?',
    ],
    [{ flags: { 'limits.sise': '1' } }, 'limits.sise is not a setting (command line); did you mean limits.size?'],
    [
      { cwd: directoryWith('limits: { bodybytes: 1 }') },
      'limits.bodybytes is not a setting (periplus.yaml); did you mean limits.bodyBytes?',
    ],
    [{ cwd: directoryWith('zzzzzzzzzzzzzzzzzz: 1') }, 'zzzzzzzzzzzzzzzzzz is not a setting (periplus.yaml)'],
    [{ cwd: directoryWith('limits: 5') }, 'limits must contain keys and values (periplus.yaml)'],
    [
      { cwd: directoryWith('limits: { size: "5" }') },
      "limits.size must be an integer of at least 1, got '5' (periplus.yaml)",
    ],
    [
      { env: { PERIPLUS_LIMITS_SIZE: 'many' } },
      "limits.size must be an integer of at least 1, got 'many' (environment variable PERIPLUS_LIMITS_SIZE)",
    ],
    [
      { flags: { 'server.port': '70000' } },
      "server.port must be an integer from 0 to 65535, got '70000' (flag --server.port)",
    ],
    [{ flags: { 'server.cors.enabled': 'yes' } }, "server.cors.enabled must be true or false, got 'yes'"],
    [
      { flags: { 'log.level': 'loud' } },
      "log.level must be one of fatal, error, warn, info, debug, trace, silent, got 'loud'",
    ],
    [{ flags: { 'server.aliases': 'arlas' } }, 'server.aliases must be a list of prefixes'],
    [{ flags: { 'server.publicUrl': 'maps.example.org' } }, 'server.publicUrl must be an http or https URL'],
    [{ flags: { 'server.trustedProxies': '10.0.0.0/8,proxy' } }, "CIDR ranges, got 'proxy'"],
    [{ flags: { 'server.cors.credentials': 'true', 'server.cors.origins': '*' } }, 'requires explicit origins'],
    [{ flags: { 'server.cors.credentials': 'true', 'auth.modes': 'apikey' } }, 'requires explicit origins'],
    [{ flags: { 'server.publicUrl': 'http://[' } }, 'server.publicUrl must be an http or https URL'],
    [{ flags: { 'server.allowedHosts': 'a:80' } }, 'must be a list of host names or addresses without port'],
    [{ flags: { 'server.allowedHosts': 'a%' } }, "must be a list of host names or addresses, got 'a%'"],
    [{ flags: { 'engine.kind': 'elastic' } }, "engine.kind must be one of embedded, cluster, got 'elastic'"],
    [{ flags: { 'cluster.urls': 'host:9200' } }, 'cluster.urls must be a list of http or https URLs'],
    [{ flags: { 'cluster.urls': '' } }, 'cluster.urls must be a list of http or https URLs'],
    [{ flags: { 'cluster.urls': 'http://a:b%@host' } }, 'cluster.urls must be URLs; item 1 is not'],
    [
      { flags: { 'egress.proxy': 'proxy:3128' } },
      "egress.proxy must be the URL of a proxy, such as http://proxy:3128, got 'proxy:3128'",
    ],
    [{ flags: { 'cluster.referenceIndex': 'a,b' } }, 'cluster.referenceIndex must be the name of an index'],
    [{ flags: { 'cluster.password': 'x' } }, 'cluster.password requires cluster.username'],
    [{ flags: { 'cluster.username': 'u', 'cluster.apiKey': 'k' } }, 'must not be set together'],
    [{ flags: { 'tls.cert': 'c' } }, 'tls.cert and tls.key must be set together'],
    [{ flags: { 'tls.passphrase': 'p' } }, 'tls.passphrase requires tls.key'],
    [{ flags: { 'cluster.certFile': 'c' } }, 'cluster.certFile and cluster.keyFile must be set together'],
    [{ flags: { 'auth.modes': 'oauth' } }, 'auth.modes must be a list of none, header, apikey or jwt'],
    [{ flags: { 'auth.modes': 'none,jwt' } }, 'auth.modes must not combine none with others'],
    [{ flags: { 'auth.modes': 'header,apikey' } }, 'auth.modes must not combine header with others'],
    [{ flags: { 'auth.modes': 'header' } }, 'auth.modes header requires server.trustedProxies'],
    [
      { flags: { 'auth.modes': 'jwt', 'auth.jwt.issuer': 'http://a' } },
      'requires auth.jwt.issuer and auth.jwt.audience',
    ],
    [
      { flags: { 'auth.modes': 'jwt', 'auth.jwt.issuer': 'me', 'auth.jwt.audience': 'b' } },
      'auth.jwt.jwksUri is required if auth.jwt.issuer is not a URL',
    ],
    [{ flags: { 'auth.jwt.algorithms': 'HS256' } }, 'auth.jwt.algorithms must be a list of RSA, EC or EdDSA'],
    [{ flags: { 'auth.jwt.algorithms': 'none' } }, 'auth.jwt.algorithms must be a list of RSA, EC or EdDSA'],
    [{ flags: { 'auth.roles': 'x' } }, 'auth.roles must be a map of names to lists of strings'],
    [{ cwd: directoryWith('auth: { roles: { a: b } }') }, 'auth.roles must be a map of names to lists of strings'],
    [{ flags: { 'delivery.timeout': '60s' } }, 'delivery.claim must be longer than delivery.timeout'],
    [{ flags: { 'delivery.mode': 'both' } }, 'delivery.mode both requires delivery.kafka.brokers'],
    [{ file: 'absent.yaml' }, 'The settings file absent.yaml cannot be read'],
    [{ cwd: directoryWith('a: [') }, 'The settings file periplus.yaml cannot be read'],
    [{ cwd: directoryWith('- a') }, 'must contain keys and values'],
  ])('%j', (sources, message) => {
    expect(fault(sources)).toContain(message)
  })
})

describe('files', () => {
  test('an empty file and an empty section change nothing', () => {
    expect(loadSettings({ cwd: directoryWith('') })).toEqual(loadSettings({ cwd: empty }))
    expect(loadSettings({ cwd: directoryWith('limits:\nserver:\n  cors:\n') })).toEqual(loadSettings({ cwd: empty }))
  })

  test('the file given replaces the default one', () => {
    const cwd = directoryWith('log: { level: warn }', 'other.yaml')
    expect(loadSettings({ cwd, file: 'other.yaml' }).log.level).toBe('warn')
  })

  test('lists by name are written as such, or as JSON', () => {
    const roles = { 'role/a': ['rule:a,b:GET'], b: [] }
    expect(
      loadSettings({ cwd: directoryWith('auth:\n  roles:\n    role/a: ["rule:a,b:GET"]\n    b: []') }).auth.roles,
    ).toEqual(roles)
    expect(loadSettings({ cwd: empty, flags: { 'auth.roles': JSON.stringify(roles) } }).auth.roles).toEqual(roles)
  })

  test('what is printed reads back to the same settings', () => {
    const flags = { 'server.publicUrl': 'http://a/b', 'server.aliases': '', 'auth.roles': '{"a":["rule:.*:*"]}' }
    const settings = loadSettings({ cwd: empty, flags })
    const printed = printConfig(settings)
    expect(parse(printed)).toEqual(settings)
    expect(loadSettings({ cwd: directoryWith(printed) })).toEqual(settings)
  })
})

describe('secrets', () => {
  const flags = {
    'cluster.urls': 'http://user:pa%40ss@one:9200,https://two',
    'cluster.username': 'someone',
    'cluster.password': 'hush',
  }

  test('are not printed', () => {
    const settings = loadSettings({ cwd: empty, flags })
    expect(settings.cluster.password).toBe('hush')
    const printed = parse(printConfig(settings))
    expect(printed.cluster.password).toBe('***')
    expect(printed.cluster.urls).toEqual(['http://***@one:9200', 'https://two'])
    expect(printed.cluster.username).toBe('someone')
  })

  test('are not in messages', () => {
    for (const urls of ['user:hush@one:9200', 'http://user:hush@o ne', 'ftp://user:hush@one']) {
      const message = fault({ flags: { 'cluster.urls': urls } })
      expect(message).toContain('cluster.urls must be')
      expect(message).not.toContain('hush')
    }
    expect(fault({ cwd: directoryWith('cluster: { password: [hush] }') })).toContain("got '***'")
  })
})
