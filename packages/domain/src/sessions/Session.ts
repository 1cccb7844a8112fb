import { Schema } from "effect"
import { Permissions, RoleName } from "../apiKeys/Permission.js"
import { SubmissionAddress } from "../email/submission/SubmissionAddress.js"
import { narrowedTo, oneOf } from "../Fields.js"
import { OrganizationId } from "../organizations/Organization.js"
import { Timestamp } from "../Timestamp.js"

const Key = Schema.String.annotations({ description: "an API key" })
const LoginToken = Schema.String.annotations({ description: "the token of a log-in link" })
const none = Schema.optional(Schema.Undefined)

type Credentials =
  | { readonly apiKey: string; readonly loginToken?: undefined }
  | { readonly apiKey?: undefined; readonly loginToken: string }

const Validated = Schema.Struct({ apiKey: Schema.optional(Key), loginToken: Schema.optional(LoginToken) })
  .pipe(
    Schema.filter(({ apiKey, loginToken }) => {
      if (apiKey === undefined && loginToken === undefined) {
        return { path: ["apiKey"], message: "is required without loginToken" }
      }
      return apiKey === undefined || loginToken === undefined
        ? undefined
        : { path: ["loginToken"], message: "must be left out where apiKey is given" }
    })
  )
  .annotations({
    identifier: "CreateSession",
    jsonSchema: oneOf(Schema.Struct({ apiKey: Key }), Schema.Struct({ loginToken: LoginToken })),
    ...narrowedTo(
      Schema.Union(
        Schema.Struct({ apiKey: Key, loginToken: none }),
        Schema.Struct({ apiKey: none, loginToken: LoginToken })
      )
    )
  })

/**
 * A log-in with an API key or the token of a log-in link. Their formats are not validated here: any invalid one gets a 401.
 * The filter enforces the type at run time.
 */
export const CreateSession = Schema.make<Credentials>(Validated.ast)

/** The session of a web page. The session cookie itself is not readable by scripts. */
export class Session extends Schema.Class<Session>("Session")({
  csrfToken: Schema.String.annotations({
    description: "the value of the header X-CSRF-Token of every request that changes data"
  }),
  expiresAt: Timestamp
}) {}

/** A session with the organization and the permissions of its key, and the address for mail of programs. */
export class SessionDetails extends Session.extend<SessionDetails>("SessionDetails")({
  organization: Schema.Struct({ id: OrganizationId, name: Schema.String }),
  permissions: Permissions,
  roleName: Schema.optional(RoleName),
  submission: Schema.optional(SubmissionAddress)
}) {}
