import { SqlClient } from "@effect/sql"
import { objectKey } from "@switchboard/domain/objects/ObjectKey"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Finding } from "@switchboard/domain/system/Finding"
import { RelayFaults } from "@switchboard/services/messages/delivery/RelayFaults"
import { ObjectStore } from "@switchboard/services/objects/ObjectStore"
import { checkDatabaseSettings } from "@switchboard/store/database/DatabaseSettings"
import { schemaState } from "@switchboard/store/migrations/Migrations"
import { Effect, Layer, Option } from "effect"
import { relayAt } from "../layers/RelayLive.js"
import { s3Bucket } from "../settings/S3Settings.js"
import { Settings } from "../settings/Settings.js"
import { domainFindings } from "./DoctorDomains.js"
import { keyFindings } from "./DoctorKey.js"
import { queueFindings } from "./DoctorQueues.js"
import { relayFindings } from "./DoctorRelay.js"
import { relayFaultFindings } from "./DoctorRelayFaults.js"
import { senderFindings } from "./DoctorSenders.js"
import { openTransactionFinding } from "./DoctorTransactions.js"
import { webhookFindings } from "./DoctorWebhooks.js"
import { failedCheck } from "./FailedCheck.js"

const nilId = "00000000-0000-0000-0000-000000000000"

/** Runs one check; its result is the advice, or null if nothing is wrong. */
const check = <E extends { readonly _tag: string; readonly message: string }, R>(
  subject: string,
  effect: Effect.Effect<string | null, E, R>
) =>
  Effect.match(effect, {
    onSuccess: (advice): Finding =>
      advice === null ? { level: "ok", subject } : { level: "error", subject, advice: [advice] },
    onFailure: failedCheck(subject)
  })

/** Checks the database, and if its schema is compatible, the master key, queues, webhooks, senders and domains. */
export const databaseFindings = Effect.gen(function* () {
  const { databaseUrl } = yield* Settings
  const sql = yield* SqlClient.SqlClient
  const connection = yield* check(
    Option.isSome(databaseUrl) ? "Database (DATABASE_URL)" : "Database (embedded PostgreSQL)",
    Effect.as(sql`SELECT 1`, null)
  )
  if (connection.level === "error") return [connection]
  const schema = yield* check(
    "Database schema",
    Effect.map(schemaState, ({ isCompatible, pending }) =>
      !isCompatible
        ? "The database has the schema of a newer release: run that release"
        : pending.length > 0
          ? `The database lacks ${pending.length} migrations: run "switchboard migrate"`
          : null
    )
  )
  return [
    connection,
    yield* check("Settings of the database", Effect.as(checkDatabaseSettings, null)),
    yield* openTransactionFinding,
    schema,
    ...(schema.level === "ok"
      ? [
          ...(yield* keyFindings),
          ...(yield* queueFindings),
          ...(yield* webhookFindings),
          ...(yield* senderFindings),
          ...(yield* relayFaultFindings),
          ...(yield* domainFindings)
        ]
      : [])
  ]
})

/** Checks the bucket by a request for an object that does not exist. */
const bucketFindings = Effect.gen(function* () {
  const store = yield* ObjectStore
  const finding = yield* check(
    "S3 bucket",
    Effect.as(store.get(objectKey(OrganizationId.make(nilId), "doctor", nilId)), null)
  )
  return [
    finding.level === "ok"
      ? finding
      : { ...finding, advice: ["The request failed with the response logged above: check the settings S3_*"] }
  ]
})

/** Checks the settings, the relay and the bucket. */
export const otherFindings = Effect.gen(function* () {
  const settings = yield* Settings
  const findings: ReadonlyArray<Finding> = [
    ...(yield* Option.match(settings.smtpUrl, {
      onNone: () =>
        Effect.succeed<ReadonlyArray<Finding>>([
          { level: "ok", subject: "Relay: the local mailbox, since SMTP_URL is not set" }
        ]),
      onSome: (url) => Effect.provide(relayFindings(url), Layer.provide(relayAt(url), RelayFaults.Unrecorded))
    })),
    ...(Option.isSome(s3Bucket(settings)) ? yield* bucketFindings : []),
    ...(Option.isSome(settings.databaseUrl) && Option.isNone(settings.masterKey)
      ? [
          {
            level: "error" as const,
            subject: "MASTER_KEY",
            advice: [
              "Processes that share a database need the same key.",
              `Set MASTER_KEY to the content of master.key in DATA_DIR; before the first start, to the output of "openssl rand -base64 32".`
            ]
          }
        ]
      : [])
  ]
  return findings
})
