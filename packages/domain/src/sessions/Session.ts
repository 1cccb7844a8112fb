import { Schema } from "effect"
import { Permissions, RoleName } from "../apiKeys/Permission.js"
import { OrganizationId } from "../organizations/Organization.js"
import { Timestamp } from "../Timestamp.js"

/** A login. The key's format is not validated here: any invalid key gets a 401. */
export const CreateSession = Schema.Struct({
  apiKey: Schema.String.annotations({ description: "an API key" })
}).annotations({ identifier: "CreateSession" })

/** The session of a web page. The session cookie itself is not readable by scripts. */
export class Session extends Schema.Class<Session>("Session")({
  csrfToken: Schema.String.annotations({
    description: "the value of the header X-CSRF-Token of every request that changes data"
  }),
  expiresAt: Timestamp
}) {}

/** A session with the organization and the permissions of its key. */
export class SessionDetails extends Session.extend<SessionDetails>("SessionDetails")({
  organization: Schema.Struct({ id: OrganizationId, name: Schema.String }),
  permissions: Permissions,
  roleName: Schema.optional(RoleName)
}) {}
