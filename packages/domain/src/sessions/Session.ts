import { Schema } from "effect"
import { Permissions, RoleName } from "../apiKeys/Permission.js"
import { SubmissionAddress } from "../email/submission/SubmissionAddress.js"
import { narrowedTo, oneOf } from "../Fields.js"
import { OrganizationId } from "../organizations/Organization.js"
import { Timestamp } from "../Timestamp.js"
import { SessionUser } from "../users/User.js"

const Key = Schema.String.annotations({ description: "an API key" })
const LoginToken = Schema.String.annotations({ description: "the token of a log-in link" })
const Email = Schema.String.annotations({ description: "an email address" })
const Password = Schema.String.annotations({ description: "a password" })
const Code = Schema.String.annotations({ description: "a code of the second factor" })
const none = Schema.optional(Schema.Undefined)

/** The fields of each kind of log-in. The first field of a kind selects it; all fields of the kind are required. */
const credentialFields = {
  apiKey: { apiKey: Key },
  loginToken: { loginToken: LoginToken },
  email: { email: Email, password: Password }
} as const
const { apiKey, email, loginToken } = credentialFields
/** The optional fields of a log-in with `email`. */
const secondFactor = { code: Schema.optional(Code) }
const absent = { apiKey: none, loginToken: none, email: none, password: none, code: none }

const ByApiKey = Schema.Struct({ ...absent, ...apiKey })
const ByLoginToken = Schema.Struct({ ...absent, ...loginToken })
const ByPassword = Schema.Struct({ ...absent, ...email, ...secondFactor })
const Credentials = Schema.Union(ByApiKey, ByLoginToken, ByPassword)

/** The fields that a log-in lacks, or that its kind does not have. */
const wrongFields = (given: { readonly [Name in keyof typeof absent]?: string | undefined }) => {
  const names = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  const kind = Object.entries(credentialFields).find(([name]) => names.includes(name))
  if (kind === undefined) return [{ path: ["apiKey"], message: "is required without loginToken or email" }]
  const [first, fields] = kind
  const allowed = first === "email" ? { ...fields, ...secondFactor } : fields
  return [
    ...names
      .filter((name) => !(name in allowed))
      .map((name) => ({ path: [name], message: `must be left out where ${first} is given` })),
    ...Object.keys(fields)
      .filter((name) => !names.includes(name))
      .map((name) => ({ path: [name], message: `is required with ${first}` }))
  ]
}

const Validated = Schema.Struct({
  apiKey: Schema.optional(Key),
  loginToken: Schema.optional(LoginToken),
  email: Schema.optional(Email),
  password: Schema.optional(Password),
  ...secondFactor
})
  .pipe(Schema.filter(wrongFields))
  .annotations({
    identifier: "CreateSession",
    jsonSchema: oneOf(Schema.Struct(apiKey), Schema.Struct(loginToken), Schema.Struct({ ...email, ...secondFactor })),
    ...narrowedTo(Credentials)
  })

/**
 * A log-in with an API key, the token of a log-in link, or an address and a password. Their formats are not validated
 * here: any invalid one gets a 401. The filter enforces the type at run time.
 */
export const CreateSession = Schema.make<typeof Credentials.Type>(Validated.ast)
export type CreateSession = typeof CreateSession.Type

/** The session of a web page. The session cookie itself is not readable by scripts. */
export class Session extends Schema.Class<Session>("Session")({
  csrfToken: Schema.String.annotations({
    description: "the value of the header X-CSRF-Token of every request that changes data"
  }),
  expiresAt: Timestamp
}) {}

/** A session with its organization, its permissions, its user if it has one, and the address for mail of programs. */
export class SessionDetails extends Session.extend<SessionDetails>("SessionDetails")({
  organization: Schema.Struct({ id: OrganizationId, name: Schema.String }),
  permissions: Permissions,
  roleName: Schema.optional(RoleName),
  user: Schema.optional(SessionUser),
  submission: Schema.optional(SubmissionAddress)
}) {}

/** The ways to log in that depend on the settings of the installation. */
export class SessionMethods extends Schema.Class<SessionMethods>("SessionMethods")({
  oidc: Schema.optional(Schema.Struct({ name: Schema.String }))
}) {}
