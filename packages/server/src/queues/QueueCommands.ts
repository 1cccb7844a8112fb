import { Command, Options } from "@effect/cli"
import { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { channelOf, type DeliveryChannel, deliveryChannels, QueueDepth } from "@switchboard/domain/system/SystemStatus"
import { Timestamp } from "@switchboard/domain/Timestamp"
import { OrganizationRepo } from "@switchboard/services/organizations/OrganizationRepo"
import { PauseRepo, PauseTarget } from "@switchboard/services/queues/PauseRepo"
import { QueueDepths } from "@switchboard/services/queues/WorkQueue"
import { Console, DateTime, Duration, Effect, Option, Schema } from "effect"
import { Storage } from "../layers/Storage.js"
import { findOrganization, organizationOption, slugOf } from "../organizations/NamedOrganization.js"
import { choice } from "../ReadArguments.js"
import { type Columns, jsonOption, printJson, tableOf } from "../run/Output.js"
import { CommandFailed, withoutWait, withSettings } from "../run/Run.js"
import { nameTarget } from "./TargetName.js"

const ageOf = (seconds: number) => (seconds === 0 ? "-" : Duration.format(Duration.seconds(Math.ceil(seconds))))

const columns: Columns<QueueDepth> = {
  QUEUE: ({ queue }) => queue,
  CHANNEL: ({ queue }) => channelOf[queue] ?? undefined,
  READY: ({ ready }) => String(ready),
  LEASED: ({ leased }) => String(leased),
  WAITING: ({ waiting }) => String(waiting),
  OLDEST: ({ oldestSeconds }) => ageOf(oldestSeconds),
  STATE: ({ isPaused }) => (isPaused ? "paused" : "active")
}

/** The output of "queues list --json". */
const QueueList = Schema.Struct({
  queues: Schema.Array(QueueDepth),
  isHeld: Schema.Boolean,
  pauses: Schema.Array(
    Schema.Struct({
      channel: Schema.NullOr(Schema.Literal(...deliveryChannels)),
      organizationId: Schema.NullOr(OrganizationId),
      pausedAt: Timestamp
    })
  ),
  domains: Schema.Array(
    Schema.Struct({ domain: Schema.String, id: EmailDomainId, organizationId: OrganizationId, pausedAt: Timestamp })
  )
})

/** Lists the queues of all organizations, and the pauses. */
const listQueues = Effect.fnUntraced(function* (isJson: boolean) {
  const queues = yield* Effect.flatMap(QueueDepths, ({ all }) => all)
  const { domains, isHeld, pauses } = yield* Effect.flatMap(PauseRepo, ({ state }) => state)
  if (isJson) {
    const json = yield* Schema.encode(QueueList)({
      queues,
      isHeld,
      pauses: pauses.map(({ pausedAt, target }) => ({
        channel: target._tag === "Channel" ? target.channel : null,
        organizationId: target._tag === "Organization" ? target.organizationId : null,
        pausedAt
      })),
      domains
    })
    return yield* printJson(json)
  }
  yield* Console.log(tableOf(columns, queues))
  if (isHeld) yield* Console.log('Held: this is a restored copy, which sends nothing until "switchboard release"')
  yield* Effect.forEach(pauses, ({ pausedAt, target }) =>
    Effect.flatMap(nameTarget(target), ({ name }) =>
      Console.log(`Paused: ${name}, since ${DateTime.formatIso(pausedAt)}`)
    )
  )
  yield* Effect.forEach(domains, ({ domain, organizationId, pausedAt }) =>
    Effect.flatMap(slugOf(organizationId), (slug) =>
      Console.log(`Paused: domain ${domain} of organization ${slug}, since ${DateTime.formatIso(pausedAt)}`)
    )
  )
})

const targetOptions = {
  channel: choice(
    "channel",
    deliveryChannels,
    "email: messages and forwardings; webhook: webhooks of endpoints and of voice agents"
  ).pipe(Options.optional),
  organization: organizationOption.pipe(Options.withDescription("its messages and forwardings"), Options.optional)
}

/** Reads the target of a pause. */
const readTarget = Effect.fnUntraced(function* (given: {
  readonly channel: Option.Option<DeliveryChannel>
  readonly organization: Option.Option<string>
}) {
  if (Option.isSome(given.channel) && Option.isNone(given.organization)) {
    return PauseTarget.Channel({ channel: given.channel.value })
  }
  if (Option.isSome(given.organization) && Option.isNone(given.channel)) {
    const { list } = yield* OrganizationRepo
    const { id: organizationId } = yield* findOrganization(list, given.organization.value)
    return PauseTarget.Organization({ organizationId })
  }
  return yield* new CommandFailed({ message: "Give --channel or --organization" })
})

/** Starts the pause of a target. */
const pause = Effect.fnUntraced(function* (target: PauseTarget) {
  const repo = yield* PauseRepo
  const { name, option } = yield* nameTarget(target)
  if (!(yield* repo.pause(target))) return yield* new CommandFailed({ message: `${name} is paused already` })
  yield* Console.log(`Paused ${name}: messages wait until "switchboard queues resume ${option}"`)
})

/** Ends the pause of a target. */
const resume = Effect.fnUntraced(function* (target: PauseTarget) {
  const repo = yield* PauseRepo
  const { name } = yield* nameTarget(target)
  if (!(yield* repo.resume(target))) return yield* new CommandFailed({ message: `${name} is not paused` })
  yield* Console.log(`Resumed ${name}: workers send within seconds`)
})

const run = <A, E>(use: Effect.Effect<A, E, OrganizationRepo | PauseRepo | QueueDepths>) =>
  withSettings(withoutWait(Effect.provide(use, Storage)))

export const queueCommands = Command.make("queues").pipe(
  Command.withDescription("Queues and their pauses"),
  Command.withSubcommands([
    Command.make("list", { json: jsonOption }, ({ json }) => run(listQueues(json))).pipe(
      Command.withDescription("Lists the queues of all organizations, and the pauses")
    ),
    Command.make("pause", targetOptions, (given) => run(Effect.flatMap(readTarget(given), pause))).pipe(
      Command.withDescription(
        "Stops the delivery of a channel, or the mail of an organization, in all processes: messages are accepted and wait"
      )
    ),
    Command.make("resume", targetOptions, (given) => run(Effect.flatMap(readTarget(given), resume))).pipe(
      Command.withDescription("Ends a pause: the waiting messages are sent")
    )
  ])
)
