import { Args, Command, Options } from "@effect/cli"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { NumberChannel, NumberChannels, SenderId, SmsNumber } from "@switchboard/domain/sms/SmsNumber"
import { VoiceAgentId } from "@switchboard/domain/voice/agents/VoiceAgent"
import { OrganizationRepo } from "@switchboard/services/organizations/OrganizationRepo"
import { NumberRepo } from "@switchboard/services/sms/NumberRepo"
import { VoiceAgentRepo } from "@switchboard/services/voice/agents/VoiceAgentRepo"
import { Console, DateTime, Effect, Option, Schema } from "effect"
import { Storage } from "../layers/Storage.js"
import { findOrganization, organizationOption } from "../organizations/NamedOrganization.js"
import { namedParse, option, parseBy } from "../ReadArguments.js"
import { jsonOption, printList, timeCell } from "../run/Output.js"
import { CommandFailed, withoutWait, withSettings } from "../run/Run.js"

const run = <A, E>(use: Effect.Effect<A, E, NumberRepo | OrganizationRepo | VoiceAgentRepo>) =>
  withSettings(withoutWait(Effect.provide(use, Storage)))

const namedOwner = (named: string) => Effect.flatMap(OrganizationRepo, ({ list }) => findOrganization(list, named))

const number = Args.text({ name: "number" }).pipe(
  Args.withDescription(
    "phone number like +4930123456, short code of 3 to 8 digits, or name of 1 to 11 GSM 03.38 characters"
  ),
  Args.mapEffect(namedParse("NUMBER", parseBy(SenderId)))
)

const channels = option(
  "channels",
  "CHANNELS",
  `channels of the number, separated by commas: ${NumberChannel.literals.join(", ")}; default: sms`,
  parseBy(Schema.compose(Schema.split(","), NumberChannels))
).pipe(Options.withDefault(["sms"] as const))

const agent = option(
  "agent",
  "AGENT_ID",
  "voice agent that answers the calls of the number; default: the oldest active one",
  parseBy(VoiceAgentId)
).pipe(Options.optional)

const add = Command.make("add", { number, organization: organizationOption, channels, agent }, (given) =>
  run(
    Effect.gen(function* () {
      const numbers = yield* NumberRepo
      const { id, slug } = yield* namedOwner(given.organization)
      const createdAt = yield* DateTime.now
      const { number, channels } = given
      const voiceAgentId = Option.getOrUndefined(given.agent)
      if (
        voiceAgentId !== undefined &&
        Option.isNone(yield* Effect.flatMap(VoiceAgentRepo, ({ find }) => find(id, voiceAgentId)))
      ) {
        return yield* new CommandFailed({ message: `${slug} has no voice agent ${voiceAgentId}` })
      }
      yield* Effect.catchTag(
        numbers.add(id, new SmsNumber({ number, channels, voiceAgentId, createdAt })),
        "ConflictError",
        ({ message }) => new CommandFailed({ message })
      )
      yield* Console.log(`Added ${number} to ${slug} for ${channels.join(", ")}`)
    })
  )
).pipe(Command.withDescription("Adds a number or sender id to an organization; its first one is the default sender"))

/** A number in the output of "numbers list --json". */
const ListedNumber = Schema.Struct({ ...SmsNumber.fields, organizationId: OrganizationId })

const list = Command.make(
  "list",
  {
    organization: organizationOption.pipe(Options.withDescription("only its numbers; default: all"), Options.optional),
    json: jsonOption
  },
  ({ json, organization }) =>
    run(
      Effect.gen(function* () {
        const { list: organizations } = yield* OrganizationRepo
        const owner = yield* Effect.transposeMapOption(organization, namedOwner)
        const slugs = new Map((yield* organizations).map(({ id, slug }) => [id, slug]))
        const all = yield* Effect.flatMap(NumberRepo, ({ listAll }) => listAll)
        const print = printList(ListedNumber, {
          NUMBER: (one) => one.number,
          ORGANIZATION: ({ organizationId }) => slugs.get(organizationId),
          CHANNELS: (one) => one.channels.join(", "),
          ADDED: ({ createdAt }) => timeCell(createdAt)
        })
        yield* print(
          all.flatMap(({ number, organizationId }) =>
            Option.isNone(owner) || owner.value.id === organizationId ? [{ ...number, organizationId }] : []
          ),
          json
        )
      })
    )
).pipe(Command.withDescription("Lists the numbers and sender ids of all organizations, oldest first"))

const remove = Command.make("remove", { number, organization: organizationOption }, (given) =>
  run(
    Effect.gen(function* () {
      const numbers = yield* NumberRepo
      const { id, slug } = yield* namedOwner(given.organization)
      if (!(yield* numbers.remove(id, given.number))) {
        return yield* new CommandFailed({
          message: `${slug} has no number ${given.number}: run "switchboard numbers list" for its numbers`
        })
      }
      yield* Console.log(`Removed ${given.number} from ${slug}`)
    })
  )
).pipe(Command.withDescription("Removes a number or sender id from an organization; its opt-outs stay"))

export const numberCommands = Command.make("numbers").pipe(
  Command.withDescription("Numbers and sender ids of organizations"),
  Command.withSubcommands([add, list, remove])
)
