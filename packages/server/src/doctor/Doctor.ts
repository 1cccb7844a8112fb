import { DnsResolverNode } from "@switchboard/channels/network/DnsResolverNode"
import { Finding } from "@switchboard/domain/system/SystemStatus"
import { DomainChecks } from "@switchboard/services/email/domains/DomainChecks"
import { DomainRepoSql } from "@switchboard/store/email/domains/DomainRepoSql"
import { InstallationRepoSql } from "@switchboard/store/installation/InstallationRepoSql"
import { RelayFaultsSql } from "@switchboard/store/messages/RelayFaultsSql"
import { OrganizationRepoSql } from "@switchboard/store/organizations/OrganizationRepoSql"
import { PauseRepoSql, QueueDepthsSql } from "@switchboard/store/queues/QueueStateSql"
import { WebhookEndpointRepoSql } from "@switchboard/store/webhooks/WebhookEndpointRepoSql"
import { Console, Effect, Layer, Schema } from "effect"
import { ObjectStoreLive } from "../layers/Ports.js"
import { DatabaseLive } from "../layers/Storage.js"
import { printJson } from "../run/Output.js"
import { ServiceSettings } from "../settings/ServiceSettings.js"
import { databaseFindings, otherFindings } from "./Checks.js"
import { failedCheck } from "./FailedCheck.js"

/** What the checks of the database need. Unlike the service, it does not migrate the database. */
const Stored = Layer.mergeAll(
  InstallationRepoSql,
  OrganizationRepoSql,
  PauseRepoSql,
  QueueDepthsSql,
  RelayFaultsSql,
  WebhookEndpointRepoSql,
  DomainChecks.Default.pipe(Layer.provideMerge(Layer.merge(DnsResolverNode, DomainRepoSql)))
).pipe(Layer.provideMerge(ServiceSettings), Layer.provideMerge(DatabaseLive))

/** What the checks of the settings and of other hosts need. */
const Reached = Layer.merge(ObjectStoreLive, Layer.provideMerge(DnsResolverNode, ServiceSettings))

const print = ({ advice = [], level, subject }: Finding) =>
  Console.log([`${level.padEnd(9)}${subject}`, ...advice.map((line) => `${" ".repeat(9)}${line}`)].join("\n"))

/**
 * Checks the settings, the database, the queues, webhooks, the records of domains, the relay and the bucket, and prints the
 * findings with their remedies. Returns whether there is no error.
 */
export const doctor = Effect.fnUntraced(function* (isJson: boolean) {
  const stored = yield* databaseFindings.pipe(
    Effect.provide(Stored),
    Effect.catchAll((error) => Effect.succeed<ReadonlyArray<Finding>>([failedCheck("Database")(error)]))
  )
  const findings = [...stored, ...(yield* Effect.provide(otherFindings, Reached))]
  if (isJson) yield* Effect.flatMap(Schema.encode(Schema.Array(Finding))(findings), printJson)
  else yield* Effect.forEach(findings, print, { discard: true })
  return findings.every(({ level }) => level !== "error")
})
