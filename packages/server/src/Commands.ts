import { setFlagsFromString } from "node:v8"
import { Args, Command, Options } from "@effect/cli"
import { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import { installationActions, RoleName, rolePermissions } from "@switchboard/domain/apiKeys/Permission"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { Plan } from "@switchboard/domain/organizations/Plan"
import { Slug } from "@switchboard/domain/organizations/UpdateOrganization"
import { ApiKeys } from "@switchboard/services/apiKeys/ApiKeys"
import { Organizations } from "@switchboard/services/organizations/Organizations"
import { Console, DateTime, Effect, Layer, Option, Redacted, Schema } from "effect"
import { administer } from "./Administration.js"
import { backupCommand, holdCommand, releaseCommand, restoreCommand } from "./backup/BackupCommands.js"
import { eraseCommand } from "./erase/EraseCommand.js"
import { masterKeyCommand } from "./keys/MasterKeyCommand.js"
import { DatabaseLive, Migrated } from "./layers/Storage.js"
import { listenCommand } from "./listen/ListenCommand.js"
import { loginLinkCommand } from "./login/LoginLinkCommand.js"
import { messageCommands } from "./messages/MessageCommands.js"
import { ProcessCount } from "./processes/ProcessCount.js"
import { queueCommands } from "./queues/QueueCommands.js"
import { findOrganization, readArgument } from "./ReadArguments.js"
import { checkSchema } from "./run/CheckSchema.js"
import { localSender } from "./run/FirstStart.js"
import { forgetRootFibers } from "./run/ForgetRootFibers.js"
import { Parts } from "./run/Parts.js"
import { CommandFailed, withoutWait, withSettings } from "./run/Run.js"
import { warnOfUnknownVariables } from "./settings/UnknownVariables.js"

// Modules that only one command needs are imported by it, so that the other commands start sooner.

const loadServe = Effect.promise(() => {
  // V8 compiles functions at their first call; by default it interprets them until they are hot.
  setFlagsFromString("--always-sparkplug")
  // By default V8 creates objects in the old generation if earlier ones of the same code survived a minor garbage
  // collection, as those of a slow request. They keep their requests until a major one.
  setFlagsFromString("--no-allocation-site-pretenuring")
  forgetRootFibers()
  return import("./run/Serve.js").then(({ serve }) => serve)
})
const loadDoctor = Effect.promise(() => import("./doctor/Doctor.js").then(({ doctor }) => doctor))

const loadSupervise = Effect.promise(() => import("./processes/Supervisor.js").then(({ supervise }) => supervise))

const run = (parts: { readonly api: boolean; readonly worker: boolean }) =>
  withSettings(Effect.provideService(Effect.flatten(loadServe), Parts, parts))

const processCommand = (
  name: string,
  description: string,
  parts: { readonly api: boolean; readonly worker: boolean }
) => Command.make(name, {}, () => run(parts)).pipe(Command.withDescription(description))

const serveCommand = Command.make(
  "serve",
  {
    processes: Options.text("processes").pipe(
      Options.withDescription("number of processes: 1 to 64, or auto for one per core"),
      Options.withDefault("1")
    )
  },
  ({ processes }) =>
    Effect.flatMap(readArgument("--processes", ProcessCount)(processes), (count) =>
      count === 1
        ? run({ api: true, worker: true })
        : withSettings(Effect.flatMap(loadSupervise, (supervise) => supervise(count)))
    )
).pipe(Command.withDescription("Runs the API and the worker"))

const migrate = Command.make(
  "migrate",
  {
    check: Options.boolean("check").pipe(
      Options.withDescription("lists the pending migrations, and fails if there are any")
    )
  },
  ({ check }) =>
    (check
      ? withSettings(Effect.provide(checkSchema, DatabaseLive))
      : withSettings(Effect.provide(Effect.void, Migrated.pipe(Layer.provide(DatabaseLive))))
    ).pipe(Effect.zipRight(Console.log("The schema is up to date")))
).pipe(Command.withDescription("Applies the pending migrations of the database"))

const examine = Command.make("doctor", {}, () =>
  withSettings(
    Effect.flatMap(Effect.zipRight(warnOfUnknownVariables, withoutWait(Effect.flatten(loadDoctor))), (isHealthy) =>
      isHealthy
        ? Effect.void
        : new CommandFailed({ message: 'Correct the errors above, then run "switchboard doctor" again' })
    )
  )
).pipe(Command.withDescription("Checks settings, database, queues, DNS records, relay and bucket, and prints remedies"))

const organizationName = Options.text("organization").pipe(Options.withDescription("id or slug of the organization"))

const namedOrganization = (named: string) => Effect.flatMap(Organizations, ({ list }) => findOrganization(list, named))

const createKey = Command.make(
  "create",
  {
    name: Options.text("name").pipe(Options.withDescription("the purpose of the key")),
    organization: Options.optional(organizationName),
    role: Options.choice("role", RoleName.literals).pipe(Options.withDefault("admin" as const)),
    system: Options.boolean("system").pipe(
      Options.withDescription("adds the permission system.read: queues, relays and findings of the installation")
    ),
    expiresIn: Options.optional(Options.integer("expires-in-days"))
  },
  ({ expiresIn, name, organization, role, system }) =>
    administer(
      Effect.gen(function* () {
        const apiKeys = yield* ApiKeys
        const owner = yield* Effect.transposeMapOption(organization, namedOrganization)
        const now = yield* DateTime.now
        const { apiKey, key } = yield* apiKeys.create({
          name,
          organizationId: Option.getOrNull(Option.map(owner, ({ id }) => id)),
          roleName: role,
          permissions: { ...rolePermissions[role], ...(system ? installationActions : {}) },
          expiresAt: Option.getOrNull(Option.map(expiresIn, (days) => DateTime.add(now, { days }))),
          value: Option.none()
        })
        yield* Console.log(`${apiKey.id}  ${Redacted.value(key)}  (shown only once)`)
      })
    )
).pipe(
  Command.withDescription("Creates an API key and prints it; without --organization it belongs to no organization")
)

const listKeys = Command.make("list", {}, () =>
  administer(
    Effect.gen(function* () {
      const keys = yield* Effect.flatMap(ApiKeys, ({ list }) => list)
      yield* Effect.forEach(keys, ({ id, isActive, name, organizationId: owner, start }) =>
        Console.log([id, `${start}…`, isActive ? "active" : "revoked", owner ?? "no organization", name].join("  "))
      )
    })
  )
).pipe(Command.withDescription("Lists all API keys"))

const revokeKey = Command.make("revoke", { id: Args.text({ name: "id" }) }, ({ id }) =>
  administer(
    Effect.gen(function* () {
      const apiKeys = yield* ApiKeys
      // The message does not repeat the argument: it may be the value of a key instead of its id.
      const unknown = new CommandFailed({
        message: 'There is no API key with this id: run "switchboard keys list" for the ids'
      })
      const known = yield* Effect.mapError(Schema.decode(ApiKeyId)(id), () => unknown)
      yield* Effect.catchTag(apiKeys.revoke(known), "ResourceNotFoundError", () => unknown)
      yield* Console.log(`Revoked ${id}`)
    })
  )
).pipe(Command.withDescription("Revokes an API key permanently"))

const plan = Options.choice("plan", Plan.literals)

const createOrganization = Command.make(
  "create",
  {
    name: Options.text("name"),
    slug: Options.text("slug"),
    plan: plan.pipe(Options.withDefault("unlimited" as const)),
    sender: Options.text("sender").pipe(
      Options.withDescription(
        "address that the organization may send from, without confirmation; default: hello@<slug>.localhost.test"
      ),
      Options.optional
    )
  },
  ({ sender: senderText, slug: slugText, ...input }) =>
    administer(
      Effect.gen(function* () {
        const slug = yield* readArgument("--slug", Slug)(slugText)
        const sender = yield* Effect.transposeMapOption(senderText, readArgument("--sender", EmailAddress))
        const organizations = yield* Organizations
        const { id } = yield* Effect.catchTag(
          organizations.create({ ...input, slug, sender: Option.getOrElse(sender, () => localSender(slug)) }),
          "ConflictError",
          ({ message }) => new CommandFailed({ message: `${message}: choose another --slug` })
        )
        yield* Console.log(id)
      })
    )
).pipe(Command.withDescription("Creates an organization and prints its id"))

const listOrganizations = Command.make("list", {}, () =>
  administer(
    Effect.gen(function* () {
      const all = yield* Effect.flatMap(Organizations, ({ list }) => list)
      yield* Effect.forEach(all, ({ id, messagesUsedThisMonth, name, plan, slug }) =>
        Console.log([id, plan, `${messagesUsedThisMonth} this month`, slug, name].join("  "))
      )
    })
  )
).pipe(Command.withDescription("Lists all organizations"))

const setPlan = Command.make("set-plan", { organization: organizationName, plan }, ({ organization, plan: newPlan }) =>
  administer(
    Effect.gen(function* () {
      const { id } = yield* namedOrganization(organization)
      yield* Effect.flatMap(Organizations, (organizations) => organizations.setPlan(id, newPlan))
      yield* Console.log(`${organization} has the plan ${newPlan}`)
    })
  )
).pipe(Command.withDescription("Changes the plan of an organization"))

/** All commands of `switchboard`. */
export const switchboard = Command.make("switchboard").pipe(
  Command.withSubcommands([
    serveCommand,
    processCommand("api", "Runs only the API", { api: true, worker: false }),
    processCommand("worker", "Runs only the worker", { api: false, worker: true }),
    migrate,
    examine,
    eraseCommand,
    backupCommand,
    restoreCommand,
    holdCommand,
    releaseCommand,
    listenCommand,
    loginLinkCommand,
    masterKeyCommand,
    queueCommands,
    messageCommands,
    Command.make("keys").pipe(
      Command.withDescription("API keys"),
      Command.withSubcommands([createKey, listKeys, revokeKey])
    ),
    Command.make("organizations").pipe(
      Command.withDescription("Organizations and their plans"),
      Command.withSubcommands([createOrganization, listOrganizations, setPlan])
    )
  ])
)
