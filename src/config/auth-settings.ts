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
        'How callers show who they are: `none`, `header` (a trusted proxy tells it), `apikey`, `jwt`; the last two may be ' +
        'combined.',
    },
  ),
  roles: Type.Record(Type.String(), Type.Array(Type.String()), {
    default: {},
    description: 'Roles and their permissions; a role named like a built-in one replaces it.',
  }),
  defaultRoles: texts([], 'Roles of callers that have none.'),
  publicPaths: texts(
    ['openapi.*:GET', 'swagger.*:GET', 'health.*:GET'],
    'Paths that need no credentials, as `expression` or `expression:verbs`. `/livez` and `/readyz` never need any.',
  ),
  failedLogins: Type.Object({
    atOnce: Type.Integer({
      minimum: 1,
      default: 20,
      description: 'Wrong keys or tokens that may come from one address (IPv6: one /64) before it is slowed down.',
    }),
    perMinute: Type.Integer({
      minimum: 1,
      default: 20,
      description:
        'Wrong keys or tokens that may come from it in a minute then; beyond it the answer is 429. Keys that were ' +
        'right before and valid tokens are not slowed.',
    }),
  }),
  queryToken: Type.Boolean({
    default: false,
    description: 'Whether GET requests may carry the token or key as `access_token` in the query, for map clients.',
  }),
  header: Type.Object({
    user: headerName('arlas-user', 'Header in which the proxy names the user.'),
    groups: headerName('arlas-groups', 'Header in which the proxy lists the roles of the user.'),
  }),
  apikey: Type.Object({
    file: Type.Optional(
      Type.String({
        minLength: 1,
        defaultText: '`api-keys.json` in the data directory',
        description: 'File of the API keys, kept by `periplus keys`; read again when it changes.',
      }),
    ),
  }),
  jwt: Type.Object({
    issuer: text('Issuer of the tokens, exactly as their claim `iss` has it.'),
    audience: text('What the claim `aud` of the tokens must contain.'),
    jwksUri: Type.Optional(
      Type.String({
        pattern: '^(https?|file)://\\S+$',
        description:
          'Where the keys of the issuer are: an http, https or file URL. Without it the issuer is asked for its address ' +
          '(`/.well-known/openid-configuration`).',
      }),
    ),
    algorithms: Type.Array(
      Type.String({ pattern: '^(RS256|RS384|RS512|PS256|PS384|PS512|ES256|ES384|ES512|EdDSA|Ed25519)$' }),
      {
        minItems: 1,
        default: ['RS256', 'ES256', 'EdDSA'],
        description: 'Signature algorithms that count.',
      },
    ),
    userClaim: Type.String({ minLength: 1, default: 'sub', description: 'Claim with the name of the user.' }),
    rolesClaims: texts(
      ['http://arlas.io/roles', 'realm_access.roles'],
      'Claims with roles; dots lead into objects, unless a claim has the whole name.',
    ),
    permissionsClaim: Type.String({
      minLength: 1,
      default: 'http://arlas.io/permissions',
      description: 'Claim with permissions.',
    }),
    organisationsClaim: text(
      'Claim with the organisations of the user. When it is set, a token without it belongs to no organisation; when it ' +
        'is not, organisations are not checked for tokens.',
    ),
  }),
})
