import { SqlClient } from "@effect/sql"
import { objectKey } from "@switchboard/domain/objects/ObjectKey"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { ObjectStore } from "@switchboard/services/objects/ObjectStore"
import { checkDatabaseSettings } from "@switchboard/store/database/DatabaseSettings"
import { pendingMigrations } from "@switchboard/store/migrations/Migrations"
import { Console, Effect, Option } from "effect"
import { ObjectStoreLive } from "../layers/Ports.js"
import { relayAt } from "../layers/RelayLive.js"
import { DatabaseLive } from "../layers/Storage.js"
import { s3Bucket } from "../settings/S3Settings.js"
import { Settings } from "../settings/Settings.js"
import { domainFindings } from "./DoctorDomains.js"
import { keyFindings } from "./DoctorKey.js"
import { queueFindings } from "./DoctorQueues.js"
import { relayFindings } from "./DoctorRelay.js"

const nilId = "00000000-0000-0000-0000-000000000000"

/** One line of the doctor's: what was looked at, and what to do if it is not well. */
export interface Finding {
  readonly well: boolean
  readonly what: string
  readonly advice?: string
}

const check = <E extends { readonly message: string }, R>(what: string, effect: Effect.Effect<string | null, E, R>) =>
  Effect.match(effect, {
    onSuccess: (advice): Finding => (advice === null ? { well: true, what } : { well: false, what, advice }),
    onFailure: ({ message }): Finding => ({ well: false, what, advice: message })
  })

const databaseFindings = Effect.gen(function* () {
  const { databaseUrl } = yield* Settings
  const sql = yield* SqlClient.SqlClient
  const reachable = yield* check(
    Option.isSome(databaseUrl) ? "DATABASE_URL answers" : "the embedded PostgreSQL answers",
    Effect.as(sql`SELECT 1`, null)
  )
  if (!reachable.well) return [reachable]
  const schema = yield* check(
    "the schema is this release's",
    Effect.map(pendingMigrations, (behind) =>
      behind === 0
        ? null
        : behind > 0
          ? `${behind} migrations are missing: run "switchboard migrate"`
          : "the database is of a newer release: run that"
    )
  )
  return [
    reachable,
    yield* check("the database keeps what it confirms", Effect.as(checkDatabaseSettings, null)),
    schema,
    ...(schema.well ? [...(yield* keyFindings), ...(yield* queueFindings), ...(yield* domainFindings)] : [])
  ]
}).pipe(
  Effect.provide(DatabaseLive),
  Effect.catchAll((error) =>
    Effect.succeed<ReadonlyArray<Finding>>([{ well: false, what: "the database answers", advice: error.message }])
  )
)

/** Whether a bucket is what its settings say: an object that does not exist is requested. */
const bucketFindings = Effect.gen(function* () {
  const store = yield* ObjectStore
  const finding = yield* check(
    "the bucket of S3 answers",
    Effect.as(store.get(objectKey(OrganizationId.make(nilId), "doctor", nilId)), null)
  )
  return [{ ...finding, ...(finding.well ? {} : { advice: "check the settings S3_*: above is what it said" }) }]
}).pipe(Effect.provide(ObjectStoreLive))

const print = ({ advice, well, what }: Finding) =>
  Console.log(`${well ? "well " : "WRONG"}  ${what}${well || advice === undefined ? "" : `\n       ${advice}`}`)

/** Looks at what the service stands on, and says what to do. Whether all is well. */
export const doctor = Effect.gen(function* () {
  const settings = yield* Settings
  const findings: ReadonlyArray<Finding> = [
    ...(yield* databaseFindings),
    ...(yield* Option.match(settings.smtpUrl, {
      onNone: () =>
        Effect.succeed<ReadonlyArray<Finding>>([
          { well: true, what: "outgoing mail goes to the local mailbox (SMTP_URL is not set)" }
        ]),
      onSome: (url) => Effect.provide(relayFindings(url), relayAt(url))
    })),
    ...(Option.isSome(s3Bucket(settings)) ? yield* bucketFindings : []),
    ...(Option.isSome(settings.databaseUrl) && Option.isNone(settings.masterKey)
      ? [
          {
            well: false,
            what: "MASTER_KEY is set",
            advice: "several processes need the same one: openssl rand -base64 32"
          }
        ]
      : [])
  ]
  yield* Effect.forEach(findings, print, { discard: true })
  return findings.every(({ well }) => well)
})
