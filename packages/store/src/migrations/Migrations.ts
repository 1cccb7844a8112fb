import { Effect } from "effect"
import { forRequest, orUnavailable } from "../database/Unavailable.js"
import { createPartitions } from "../retention/Partitions.js"
import { Conversations } from "../schema/Conversations.js"
import { Email } from "../schema/Email.js"
import { Events } from "../schema/Events.js"
import { Functions } from "../schema/Functions.js"
import { Messages } from "../schema/Messages.js"
import { Organizations } from "../schema/Organizations.js"
import { Participants } from "../schema/Participants.js"
import { Queues } from "../schema/Queues.js"
import { Receiving } from "../schema/Receiving.js"
import { Rollups } from "../schema/Rollups.js"
import { Texts } from "../schema/Texts.js"
import { Voice } from "../schema/Voice.js"
import { Webhooks } from "../schema/Webhooks.js"
import { applyMigrations, type ReleaseSchema, schemaOf } from "./ApplyMigrations.js"
import { M0077Upgrade } from "./M0077Upgrade.js"
import { M0078Texts } from "./M0078Texts.js"
import { M0079Voice } from "./M0079Voice.js"
import { M0080Uploads } from "./M0080Uploads.js"
import { M0081Submission } from "./M0081Submission.js"
import { M0082Clicks } from "./M0082Clicks.js"
import { M0083MtaSts } from "./M0083MtaSts.js"
import { M0084MailReports } from "./M0084MailReports.js"
import { M0085Users } from "./M0085Users.js"
import { M0086Audit } from "./M0086Audit.js"
import { M0087DraftReplies } from "./M0087DraftReplies.js"
import { M0088DomainPauses } from "./M0088DomainPauses.js"
import { M0089OidcLogins } from "./M0089OidcLogins.js"
import { M0090SecondFactors } from "./M0090SecondFactors.js"

/** The schema of this release. A change of the schema is in a file of `schema/` and in a migration. */
export const releaseSchema: ReleaseSchema = {
  baseline: [
    Functions,
    Organizations,
    Participants,
    Messages,
    Conversations,
    Events,
    Webhooks,
    Email,
    Receiving,
    Voice,
    Queues,
    Rollups,
    Texts
  ].join("\n"),
  upgradesFrom: { id: 76, release: "0.2.0" },
  /**
   * Forward only. A released migration never changes; a later one corrects it. What a release stops using is removed by
   * a migration of a later release, which `requires` the newest migration of the former.
   */
  migrations: [
    { id: 77, name: "0.3.0", sql: M0077Upgrade, requires: 77 },
    { id: 78, name: "text messages", sql: M0078Texts },
    { id: 79, name: "voice", sql: M0079Voice, requires: 79 },
    { id: 80, name: "uploads", sql: M0080Uploads, requires: 80 },
    { id: 81, name: "submission", sql: M0081Submission },
    { id: 82, name: "clicks", sql: M0082Clicks },
    { id: 83, name: "MTA-STS policies", sql: M0083MtaSts },
    { id: 84, name: "mail reports", sql: M0084MailReports },
    { id: 85, name: "users", sql: M0085Users },
    { id: 86, name: "audit log", sql: M0086Audit },
    { id: 87, name: "draft replies", sql: M0087DraftReplies },
    { id: 88, name: "pauses of domains", sql: M0088DomainPauses },
    { id: 89, name: "OpenID Connect", sql: M0089OidcLogins },
    { id: 90, name: "second factors", sql: M0090SecondFactors }
  ]
}

/** The schema of the database, as this release sees it. */
export const schemaState = forRequest(schemaOf(releaseSchema))

/** Makes the schema of this release, or applies its pending migrations, and creates the first partitions. */
export const migrate = Effect.tap(applyMigrations(releaseSchema), (applied) =>
  applied.length === 0 ? Effect.void : orUnavailable(createPartitions)
)
