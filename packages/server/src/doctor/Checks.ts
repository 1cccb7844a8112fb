import { SqlClient } from "@effect/sql"
import { relayName } from "@switchboard/channels/smtp/client/SmtpRelay"
import { objectKey } from "@switchboard/domain/objects/ObjectKey"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Finding } from "@switchboard/domain/system/SystemStatus"
import { MasterKeyCheck } from "@switchboard/services/installation/MasterKey"
import { MailTransport, RelayFaults } from "@switchboard/services/messages/delivery/MailTransport"
import { ObjectStore } from "@switchboard/services/objects/ObjectStore"
import { MasterKey } from "@switchboard/services/SecretBox"
import { checkDatabaseSettings } from "@switchboard/store/database/DatabaseSettings"
import { type OldTransaction, oldTransactions } from "@switchboard/store/database/OldTransactions"
import { schemaState } from "@switchboard/store/migrations/Migrations"
import { DateTime, Duration, Effect, Layer, Option, type Redacted } from "effect"
import {
  hasSecrets,
  MasterKeyCheckLive,
  masterKey,
  PreviousMasterKeyLive,
  wrongMasterKey
} from "../layers/MasterKeyLive.js"
import { relayAt, relayOf } from "../layers/RelayLive.js"
import { relayTls, sendsPassword } from "../settings/RelayTls.js"
import { Settings } from "../settings/Settings.js"
import { s3Bucket } from "../settings/StorageSettings.js"
import { domainFindings, senderFindings } from "./DoctorDomains.js"
import { smsFindings, whatsappFindings } from "./DoctorProviders.js"
import { queueFindings, webhookFindings } from "./DoctorQueues.js"
import { failedCheck } from "./FailedCheck.js"

/** Checks that the relay's password is never sent in clear text beyond this host. */
export const passwordFinding = (
  { smtpTls }: Pick<typeof Settings.Service, "smtpTls">,
  smtpUrl: Redacted.Redacted<string>
): ReadonlyArray<Finding> => {
  const subject = "TLS for the relay's password"
  if (!sendsPassword(smtpUrl)) return []
  if (relayTls(smtpTls, smtpUrl) === "require") return [{ level: "ok", subject }]
  const advice = ["Set SMTP_TLS=require: opportunistic TLS sends the password in clear text if the relay offers no TLS"]
  return [{ level: "error", subject, advice }]
}

/** Checks that the relay accepts a session, and that it offers delivery status notifications if they are required. */
const relayFindings = (smtpUrl: Redacted.Redacted<string>) =>
  Effect.gen(function* () {
    const settings = yield* Settings
    const transport = yield* MailTransport
    const password = passwordFinding(settings, smtpUrl)
    const subject = `Relay ${transport.relay}`
    const probe = yield* Effect.either(transport.probe)
    if (probe._tag === "Left") {
      const advice = [probe.left.response, "Check SMTP_URL, and that the relay accepts connections from this host."]
      return [...password, { level: "error" as const, subject, advice }]
    }
    const { extensions } = probe.right
    const offers = (keyword: string) => extensions.some((extension) => extension.startsWith(keyword))
    const findings: Array<Finding> = [...password, { level: "ok", subject }]
    const confirmation = Option.getOrElse(settings.smtpConfirmation, () => "dsn")
    if (confirmation === "dsn") {
      const extension = "Delivery status notifications of the relay (RFC 3461)"
      findings.push(
        offers("DSN")
          ? { level: "ok", subject: extension }
          : {
              level: "error",
              subject: extension,
              advice: [
                "The relay does not offer them: messages remain at sent.",
                "If the relay's 250 means delivered, set SMTP_CONFIRMATION=accept."
              ]
            }
      )
    }
    return findings
  })

/** How long a fault is reported: a worker that starts later tries the overlap again. */
const reportedFor = { days: 7 }

/** Reports a relay that replied out of order. */
const relayFaultFindings = Effect.gen(function* () {
  const settings = yield* Settings
  const { find } = yield* RelayFaults
  if (Option.isNone(settings.smtpUrl)) return []
  const relay = relayName(relayOf(settings, settings.smtpUrl.value))
  const since = DateTime.subtract(yield* DateTime.now, reportedFor)
  const fault = Option.filter(yield* find(relay), DateTime.greaterThan(since))
  return Option.toArray(fault).map(
    (at): Finding => ({
      level: "warning",
      subject: `Replies of relay ${relay}: out of order at ${DateTime.formatIso(at)}`,
      advice: [
        "The relay offers PIPELINING, but replied to the next envelope before it replied to a mail (RFC 2920).",
        "The worker sends each envelope after that reply until it restarts: more round trips, no lost mail.",
        "Check the content filters between this host and the relay."
      ]
    })
  )
}).pipe(
  Effect.catchAll((error) => Effect.succeed<ReadonlyArray<Finding>>([failedCheck("Replies of the relay")(error)]))
)

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
    ...(yield* Option.match(settings.smtpUrl, {
      onNone: () =>
        Effect.succeed<ReadonlyArray<Finding>>([
          { level: "ok", subject: "Relay: the local mailbox, since SMTP_URL is not set" }
        ]),
      onSome: (url) => Effect.provide(relayFindings(url), Layer.provide(relayAt(url), RelayFaults.Unrecorded))
    })),
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
