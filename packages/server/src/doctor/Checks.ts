import { SqlClient } from "@effect/sql"
import { objectKey } from "@switchboard/domain/objects/ObjectKey"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Finding } from "@switchboard/domain/system/SystemStatus"
import { MasterKeyCheck } from "@switchboard/services/installation/MasterKey"
import { ObjectStore } from "@switchboard/services/objects/ObjectStore"
import { MasterKey } from "@switchboard/services/SecretBox"
import { checkDatabaseSettings } from "@switchboard/store/database/DatabaseSettings"
import { type OldTransaction, oldTransactions } from "@switchboard/store/database/OldTransactions"
import { schemaState } from "@switchboard/store/migrations/Migrations"
import { Duration, Effect, Layer, Option } from "effect"
import {
  hasSecrets,
  MasterKeyCheckLive,
  masterKey,
  PreviousMasterKeyLive,
  wrongMasterKey
} from "../layers/MasterKeyLive.js"
import { Settings } from "../settings/Settings.js"
import { s3Bucket } from "../settings/StorageSettings.js"
import { domainFindings, senderFindings } from "./DoctorDomains.js"
import { smsFindings, whatsappFindings } from "./DoctorProviders.js"
import { queueFindings, webhookFindings } from "./DoctorQueues.js"
import { outgoingFindings, relayFaultFindings } from "./DoctorRelays.js"
import { failedCheck } from "./FailedCheck.js"

/** Longer than any transaction of the service. A backup of a large database can also take longer. */
const maxAge = Duration.minutes(10)

/** Warns of old transactions. They slow the queues: each lease also reads the entries deleted since they began. */
export const oldTransactionFinding = (old: ReadonlyArray<OldTransaction>): Finding =>
  old.length === 0
    ? { level: "ok", subject: "Open transactions of the database server" }
    : {
        level: "warning",
        subject: `Open transactions of the database server: ${old.length} older than ${Duration.format(maxAge)}`,
        advice: [
          "While they are open, deleted rows can't be removed, and the queues become slow. Wait until they end, or run:",
          ...old.map(
            ({ ageSeconds, name, remedy }) =>
              `${remedy}  (${name}, open for ${Duration.format(Duration.seconds(Math.floor(ageSeconds)))})`
          )
        ]
      }

/** Checks the ages of open transactions. If the database can't be read, the check has failed. */
const openTransactionFinding = oldTransactions(maxAge).pipe(
  Effect.map(oldTransactionFinding),
  Effect.catchAll((error) => Effect.succeed(failedCheck("Open transactions of the database server")(error)))
)

const subject = "Master key"

const wrongKey = Effect.map(wrongMasterKey, (advice): Finding => ({ level: "error", subject, advice: [advice] }))

/** Checks that the master key is the one of the first start. Before the first start there is no finding. */
const keyFindings = Effect.gen(function* () {
  const key = yield* masterKey
  if (Option.isNone(key)) return (yield* hasSecrets) ? [yield* wrongKey] : []
  const fits = yield* Effect.flatMap(MasterKeyCheck, (check) => check.matches).pipe(
    Effect.provide(
      MasterKeyCheckLive.pipe(Layer.provide(Layer.merge(Layer.succeed(MasterKey, key.value), PreviousMasterKeyLive)))
    )
  )
  return [fits ? { level: "ok" as const, subject } : yield* wrongKey]
}).pipe(Effect.catchAll((error) => Effect.succeed<ReadonlyArray<Finding>>([failedCheck(subject)(error)])))

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
    Effect.map(schemaState, ({ pending, refusal }) =>
      refusal !== null || pending.length === 0
        ? refusal
        : `The database lacks ${pending.length} migrations: run "switchboard migrate"`
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

/** Checks the settings, the providers and the bucket. */
export const otherFindings = Effect.gen(function* () {
  const settings = yield* Settings
  const findings: ReadonlyArray<Finding> = [
    ...(yield* outgoingFindings),
    ...(yield* smsFindings),
    ...(yield* whatsappFindings),
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
