import { Args, Command, Options } from "@effect/cli"
import { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import { RoleName, rolePermissions } from "@switchboard/domain/apiKeys/Permission"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { Plan } from "@switchboard/domain/organizations/Plan"
import { Slug } from "@switchboard/domain/organizations/UpdateOrganization"
import { ApiKeys } from "@switchboard/services/apiKeys/ApiKeys"
import { Organizations } from "@switchboard/services/organizations/Organizations"
import { Console, DateTime, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { Administration } from "./Administration.js"
import { eraseCommand } from "./erase/EraseCommand.js"
import { DatabaseLive, Migrated, Storage } from "./layers/Storage.js"
import { listenCommand } from "./listen/ListenCommand.js"
import { ProcessCount } from "./processes/ProcessCount.js"
import { findOrganization, readArgument } from "./ReadArguments.js"
import { localSender } from "./run/FirstStart.js"
import { Parts } from "./run/Parts.js"
import { CommandFailed, withSettings } from "./run/Run.js"
import { Settings } from "./settings/Settings.js"

// What only one command needs is loaded by that one: keys and tenants don't wait for a whole server to be read.
const loadServe = Effect.promise(() => import("./run/Serve.js").then(({ serve }) => serve))
const loadDoctor = Effect.promise(() => import("./doctor/Doctor.js").then(({ doctor }) => doctor))

const loadSupervise = Effect.promise(() => import("./processes/Supervisor.js").then(({ supervise }) => supervise))

const run = (parts: { readonly api: boolean; readonly worker: boolean }) =>
  withSettings(Effect.provideService(Effect.flatten(loadServe), Parts, parts))

const process = (name: string, description: string, parts: { readonly api: boolean; readonly worker: boolean }) =>
  Command.make(name, {}, () => run(parts)).pipe(Command.withDescription(description))

const serveCommand = Command.make(
  "serve",
  {
    processes: Options.text("processes").pipe(
      Options.withDescription("how many processes share the work: a number, or auto for one a core"),
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

/** A person who types a command does not wait for a database that starts. */
const withoutWait = Effect.updateService(Settings, (settings) => ({ ...settings, databaseWait: Duration.zero }))

/** Runs something that needs keys and tenants. */
const administer = <A, E>(use: Effect.Effect<A, E, ApiKeys | Organizations>) =>
  withSettings(withoutWait(Effect.provide(use, Administration.pipe(Layer.provide(Storage)))))

const migrate = Command.make("migrate", {}, () =>
  withSettings(Effect.provide(Console.log("The schema is up to date"), Migrated.pipe(Layer.provide(DatabaseLive))))
).pipe(Command.withDescription("Brings the database's schema up to this release"))

const examine = Command.make("doctor", {}, () =>
  withSettings(
    Effect.flatMap(withoutWait(Effect.flatten(loadDoctor)), (well) =>
      well ? Effect.void : new CommandFailed({ message: "Something is wrong: see above" })
    )
  )
).pipe(Command.withDescription("Checks settings, database, relay and the records of domains, and says what to do"))

const organizationName = Options.text("organization").pipe(Options.withDescription("the organization's id or slug"))

const organizationNamed = (named: string) => Effect.flatMap(Organizations, ({ list }) => findOrganization(list, named))

const createKey = Command.make(
  "create",
  {
    name: Options.text("name").pipe(Options.withDescription("what the key is for")),
    organization: Options.optional(organizationName),
    role: Options.choice("role", RoleName.literals).pipe(Options.withDefault("admin" as const)),
    expiresIn: Options.optional(Options.integer("expires-in-days"))
  },
  ({ expiresIn, name, organization, role }) =>
    administer(
      Effect.gen(function* () {
        const apiKeys = yield* ApiKeys
        const owner = yield* Effect.transposeMapOption(organization, organizationNamed)
        const now = yield* DateTime.now
        const { apiKey, key } = yield* apiKeys.create({
          name,
          organizationId: Option.getOrNull(Option.map(owner, ({ id }) => id)),
          roleName: role,
          permissions: rolePermissions[role],
          expiresAt: Option.getOrNull(Option.map(expiresIn, (days) => DateTime.add(now, { days }))),
          value: Option.none()
        })
        yield* Console.log(`${apiKey.id}  ${Redacted.value(key)}  (shown this once)`)
      })
    )
).pipe(Command.withDescription("Makes a key and shows it, once; without --organization it is bound to none"))

const listKeys = Command.make("list", {}, () =>
  administer(
    Effect.gen(function* () {
      const keys = yield* Effect.flatMap(ApiKeys, ({ list }) => list)
      yield* Effect.forEach(keys, ({ id, isActive, name, organizationId: owner, start }) =>
        Console.log([id, `${start}…`, isActive ? "active" : "revoked", owner ?? "no organization", name].join("  "))
      )
    })
  )
).pipe(Command.withDescription("Lists every key"))

const revokeKey = Command.make("revoke", { id: Args.text({ name: "id" }) }, ({ id }) =>
  administer(
    Effect.gen(function* () {
      const apiKeys = yield* ApiKeys
      // A key's whole value is no id: it must not be shown again.
      const unknown = new CommandFailed({ message: 'There is no key with this id: "switchboard keys list" shows them' })
      const known = yield* Effect.mapError(Schema.decode(ApiKeyId)(id), () => unknown)
      yield* Effect.catchTag(apiKeys.revoke(known), "ResourceNotFoundError", () => unknown)
      yield* Console.log(`Revoked ${id}`)
    })
  )
).pipe(Command.withDescription("Stops a key for good"))

const plan = Options.choice("plan", Plan.literals)

const createOrganization = Command.make(
  "create",
  {
    name: Options.text("name"),
    slug: Options.text("slug"),
    plan: plan.pipe(Options.withDefault("unlimited" as const)),
    sender: Options.text("sender").pipe(
      Options.withDescription(
        "the address it sends from, for which you vouch; hello@<slug>.localhost.test if left out"
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
        const { id } = yield* organizations.create({
          ...input,
          slug,
          sender: Option.getOrElse(sender, () => localSender(slug))
        })
        yield* Console.log(id)
      })
    )
).pipe(Command.withDescription("Makes an organization and shows its id"))

const listOrganizations = Command.make("list", {}, () =>
  administer(
    Effect.gen(function* () {
      const all = yield* Effect.flatMap(Organizations, ({ list }) => list)
      yield* Effect.forEach(all, ({ id, messagesUsedThisMonth, name, plan, slug }) =>
        Console.log([id, plan, `${messagesUsedThisMonth} this month`, slug, name].join("  "))
      )
    })
  )
).pipe(Command.withDescription("Lists every organization"))

const setPlan = Command.make("set-plan", { organization: organizationName, plan }, ({ organization, plan: wanted }) =>
  administer(
    Effect.gen(function* () {
      const { id } = yield* organizationNamed(organization)
      yield* Effect.flatMap(Organizations, (organizations) => organizations.setPlan(id, wanted))
      yield* Console.log(`${organization} is on ${wanted}`)
    })
  )
).pipe(Command.withDescription("Puts an organization on another plan"))

/** Every command of `switchboard`. */
export const switchboard = Command.make("switchboard").pipe(
  Command.withSubcommands([
    serveCommand,
    process("api", "Runs the API alone", { api: true, worker: false }),
    process("worker", "Runs the worker alone", { api: false, worker: true }),
    migrate,
    examine,
    eraseCommand,
    listenCommand,
    Command.make("keys").pipe(
      Command.withDescription("API keys"),
      Command.withSubcommands([createKey, listKeys, revokeKey])
    ),
    Command.make("organizations").pipe(
      Command.withDescription("Tenants and their plans"),
      Command.withSubcommands([createOrganization, listOrganizations, setPlan])
    )
  ])
)
