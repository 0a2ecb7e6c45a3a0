import { Type } from 'typebox'

const text = (description: string) => Type.Optional(Type.String({ minLength: 1, description }))

const texts = (items: readonly string[], description: string) =>
  Type.Array(Type.String({ minLength: 1 }), { default: [...items], description })

const headerName = (value: string, description: string) =>
  Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$", default: value, description })

/** Authentication and authorisation. */
export const authSettingsSchema = Type.Object({
  modes: Type.Array(
    Type.Union([Type.Literal('none'), Type.Literal('header'), Type.Literal('apikey'), Type.Literal('jwt')]),
    {
      minItems: 1,
      default: ['none'],
      description:
        'Authentication methods: `none`, `header` (identity set by a trusted proxy), `apikey`, `jwt`. `apikey` and ' +
        '`jwt` can be combined.',
    },
  ),
  roles: Type.Record(Type.String(), Type.Array(Type.String()), {
    default: {},
    description: 'Roles and their permissions. A role with the name of a built-in role replaces it.',
  }),
  defaultRoles: texts([], 'Roles of callers without roles.'),
  publicPaths: texts(
    ['openapi.*:GET', 'swagger.*:GET', 'health.*:GET'],
    'Paths that require no credentials, as `expression` or `expression:verbs`. `/livez` and `/readyz` never require ' +
      'credentials.',
  ),
  failedLogins: Type.Object({
    atOnce: Type.Integer({
      minimum: 1,
      default: 20,
      description:
        'Maximum burst of invalid keys or tokens from one address (IPv6: one /64) before it is rate-limited.',
    }),
    perMinute: Type.Integer({
      minimum: 1,
      default: 20,
      description:
        'Maximum number of invalid keys or tokens per minute from a rate-limited address. Further attempts are ' +
        'rejected with 429. Keys that were accepted before and valid tokens are not rate-limited.',
    }),
  }),
  queryToken: Type.Boolean({
    default: false,
    description: 'Accept the token or key of GET requests in the query parameter `access_token`, for map clients.',
  }),
  header: Type.Object({
    user: headerName('arlas-user', 'Header in which the proxy sends the user name.'),
    groups: headerName('arlas-groups', 'Header in which the proxy sends the roles of the user.'),
  }),
  apikey: Type.Object({
    file: Type.Optional(
      Type.String({
        minLength: 1,
        defaultText: '`api-keys.json` in the data directory',
        description: 'File with the API keys, managed by `periplus keys`. Reloaded when it changes.',
      }),
    ),
  }),
  jwt: Type.Object({
    issuer: text('Issuer of the tokens. Must equal the claim `iss` exactly.'),
    audience: text('Audience of the tokens. Must be contained in the claim `aud`.'),
    jwksUri: Type.Optional(
      Type.String({
        pattern: '^(https?|file)://\\S+$',
        description:
          'URL of the JSON Web Key Set of the issuer: http, https or file. If not set, it is discovered from the ' +
          'issuer (`/.well-known/openid-configuration`).',
      }),
    ),
    algorithms: Type.Array(
      Type.String({ pattern: '^(RS256|RS384|RS512|PS256|PS384|PS512|ES256|ES384|ES512|EdDSA|Ed25519)$' }),
      {
        minItems: 1,
        default: ['RS256', 'ES256', 'EdDSA'],
        description: 'Accepted signature algorithms.',
      },
    ),
    userClaim: Type.String({ minLength: 1, default: 'sub', description: 'Claim with the user name.' }),
    rolesClaims: texts(
      ['http://arlas.io/roles', 'realm_access.roles'],
      'Claims with roles. Dots address nested objects, unless a claim with the full name exists.',
    ),
    permissionsClaim: Type.String({
      minLength: 1,
      default: 'http://arlas.io/permissions',
      description: 'Claim with permissions.',
    }),
    organisationsClaim: text(
      'Claim with the organisations of the user. If set, a token without the claim belongs to no organisation. If ' +
        'not set, organisations are not checked for tokens.',
    ),
  }),
})
