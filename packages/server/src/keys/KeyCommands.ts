import { Args, Command, Options } from "@effect/cli"
import { ApiKey, ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import { installationActions, RoleName, rolePermissions } from "@switchboard/domain/apiKeys/Permission"
import { ApiKeys } from "@switchboard/services/apiKeys/ApiKeys"
import { Organizations } from "@switchboard/services/organizations/Organizations"
import { Console, DateTime, Duration, Effect, Either, Option, Redacted, Schema } from "effect"
import { administer } from "../Administration.js"
import { chosenOrganization, organizationOption } from "../organizations/NamedOrganization.js"
import { choice, option, textOption } from "../ReadArguments.js"
import { jsonOption, printJson, printList, timeCell } from "../run/Output.js"
import { CommandFailed } from "../run/Run.js"
import { duration } from "../settings/SettingValues.js"

const lifetime = (text: string) =>
  Either.filterOrLeft(
    duration(text),
    Duration.between({ minimum: Duration.seconds(1), maximum: Duration.days(36_500) }),
    () => "must be from 1 second to 36500 days"
  )

const create = Command.make(
  "create",
  {
    name: textOption("name", "NAME", "purpose of the key"),
    organization: organizationOption.pipe(
      Options.withDescription("default: the only organization, or one that is chosen on a terminal"),
      Options.optional
    ),
    role: choice("role", RoleName.literals, "permissions of the key; default: admin").pipe(
      Options.withDefault("admin" as const)
    ),
    system: Options.boolean("system").pipe(
      Options.withDescription("adds the permission system.read: queues, relays and findings of the installation")
    ),
    expiresIn: option(
      "expires-in",
      "DURATION",
      "time until the key expires, such as 12h or 30d; default: it does not expire",
      lifetime
    ).pipe(Options.optional),
    json: Options.boolean("json").pipe(
      Options.withDescription("prints only JSON on standard output, with the complete key; default: text")
    )
  },
  ({ expiresIn, json, name, organization, role, system }) =>
    administer(
      Effect.gen(function* () {
        const apiKeys = yield* ApiKeys
        const owner = yield* chosenOrganization(organization)
        const now = yield* DateTime.now
        const { apiKey, key } = yield* apiKeys.create({
          name,
          organizationId: owner.id,
          roleName: role,
          permissions: { ...rolePermissions[role], ...(system ? installationActions : {}) },
          expiresAt: Option.getOrNull(Option.map(expiresIn, (time) => DateTime.addDuration(now, time))),
          value: Option.none()
        })
        if (json) return yield* printJson({ ...(yield* Schema.encode(ApiKey)(apiKey)), key: Redacted.value(key) })
        yield* Console.log(`${apiKey.id}  ${Redacted.value(key)}  (for ${owner.slug}; shown only once)`)
      })
    )
).pipe(Command.withDescription("Creates an API key and prints it"))

/** The words of the console. */
const statusOf = ({ expiresAt, isActive }: ApiKey, now: DateTime.Utc) => {
  if (!isActive) return "inactive"
  return expiresAt !== undefined && DateTime.lessThanOrEqualTo(expiresAt, now) ? "expired" : "active"
}

const list = Command.make("list", { json: jsonOption }, ({ json }) =>
  administer(
    Effect.gen(function* () {
      const keys = yield* Effect.flatMap(ApiKeys, (apiKeys) => apiKeys.list)
      const organizations = yield* Effect.flatMap(Organizations, (all) => all.list)
      const slugs = new Map(organizations.map(({ id, slug }) => [id, slug]))
      const now = yield* DateTime.now
      const print = printList(ApiKey, {
        NAME: ({ name }) => name,
        ORGANIZATION: ({ organizationId }) => organizationId && slugs.get(organizationId),
        ROLE: ({ roleName }) => roleName,
        STATUS: (apiKey) => statusOf(apiKey, now),
        EXPIRES: ({ expiresAt }) => timeCell(expiresAt),
        KEY: ({ key }) => key,
        ID: ({ id }) => id
      })
      yield* print(keys, json)
    })
  )
).pipe(Command.withDescription("Lists all API keys"))

const id = Args.text({ name: "id" }).pipe(Args.withDescription('id of the key, from "switchboard keys list"'))

const revoke = Command.make("revoke", { id }, (args) =>
  administer(
    Effect.gen(function* () {
      const apiKeys = yield* ApiKeys
      // The message does not repeat the argument: it may be the value of a key instead of its id.
      const unknown = new CommandFailed({
        message: 'There is no API key with this id: run "switchboard keys list" for the ids'
      })
      const known = yield* Effect.mapError(Schema.decode(ApiKeyId)(args.id), () => unknown)
      yield* Effect.catchTag(apiKeys.revoke(known), "ResourceNotFoundError", () => unknown)
      yield* Console.log(`Deleted the key ${args.id}`)
    })
  )
).pipe(Command.withDescription("Deletes an API key: requests with it are rejected permanently"))

export const keyCommands = Command.make("keys").pipe(
  Command.withDescription("API keys"),
  Command.withSubcommands([create, list, revoke])
)
