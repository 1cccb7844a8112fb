import { Command, Options } from "@effect/cli"
import { channelOf, type DeliveryChannel, deliveryChannels } from "@switchboard/domain/system/DeliveryChannel"
import type { QueueDepth } from "@switchboard/domain/system/QueueDepth"
import { OrganizationRepo } from "@switchboard/services/organizations/OrganizationRepo"
import { PauseRepo, PauseTarget } from "@switchboard/services/queues/PauseRepo"
import { QueueDepths } from "@switchboard/services/queues/QueueDepths"
import { Console, DateTime, Duration, Effect, Option } from "effect"
import { Storage } from "../layers/Storage.js"
import { findOrganization } from "../ReadArguments.js"
import { CommandFailed, withoutWait, withSettings } from "../run/Run.js"
import { optionOf, targetName } from "./TargetName.js"

const ageOf = (seconds: number) => (seconds === 0 ? "-" : Duration.format(Duration.seconds(Math.ceil(seconds))))

const columns = ["QUEUE", "CHANNEL", "READY", "LEASED", "LATER", "OLDEST", "STATE"]

const rowOf = ({ isPaused, leased, oldestSeconds, queue, ready, waiting }: QueueDepth) => [
  queue,
  channelOf[queue] ?? "-",
  String(ready),
  String(leased),
  String(waiting),
  ageOf(oldestSeconds),
  isPaused ? "paused" : "active"
]

const width = 12

const line = (cells: ReadonlyArray<string>) =>
  cells
    .map((cell) => cell.padEnd(width))
    .join("  ")
    .trimEnd()

/** Lists the queues of all organizations, and the pauses. */
const listQueues = Effect.gen(function* () {
  const depths = yield* Effect.flatMap(QueueDepths, ({ all }) => all)
  const { isHeld, pauses } = yield* Effect.flatMap(PauseRepo, ({ state }) => state)
  yield* Effect.forEach([columns, ...depths.map(rowOf)], (row) => Console.log(line(row)), { discard: true })
  if (isHeld) yield* Console.log('Held: this is a restored copy, which sends nothing until "switchboard release"')
  yield* Effect.forEach(pauses, ({ pausedAt, target }) =>
    Console.log(`Paused: ${targetName(target)}, since ${DateTime.formatIso(pausedAt)}`)
  )
})

const targetOptions = {
  channel: Options.choice("channel", deliveryChannels).pipe(
    Options.withDescription("email: messages and forwardings; webhook: webhooks of endpoints and of voice agents"),
    Options.optional
  ),
  organization: Options.text("organization").pipe(
    Options.withDescription("id or slug of the organization: its messages and forwardings"),
    Options.optional
  )
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
  if (!(yield* repo.pause(target)))
    return yield* new CommandFailed({ message: `${targetName(target)} is paused already` })
  yield* Console.log(
    `Paused ${targetName(target)}: messages wait until "switchboard queues resume ${optionOf(target)}"`
  )
})

/** Ends the pause of a target. */
const resume = Effect.fnUntraced(function* (target: PauseTarget) {
  const repo = yield* PauseRepo
  if (!(yield* repo.resume(target))) return yield* new CommandFailed({ message: `${targetName(target)} is not paused` })
  yield* Console.log(`Resumed ${targetName(target)}: workers send within seconds`)
})

const run = <A, E>(use: Effect.Effect<A, E, OrganizationRepo | PauseRepo | QueueDepths>) =>
  withSettings(withoutWait(Effect.provide(use, Storage)))

export const queueCommands = Command.make("queues").pipe(
  Command.withDescription("Queues and their pauses"),
  Command.withSubcommands([
    Command.make("list", {}, () => run(listQueues)).pipe(
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
