import { Command, Options } from "@effect/cli"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { OrganizationSummary, Plan, Slug } from "@switchboard/domain/organizations/Organization"
import { Organizations } from "@switchboard/services/organizations/Organizations"
import { Console, Effect, Option } from "effect"
import { administer } from "../Administration.js"
import { choice, option, parseBy, textOption } from "../ReadArguments.js"
import { localSender } from "../run/FirstStart.js"
import { jsonOption, printList } from "../run/Output.js"
import { CommandFailed } from "../run/Run.js"
import { namedOrganization, organizationOption } from "./NamedOrganization.js"

const create = Command.make(
  "create",
  {
    name: textOption("name", "NAME", "name of the organization"),
    slug: option(
      "slug",
      "SLUG",
      "short name, which the option --organization of other commands takes: lowercase letters, digits and hyphens",
      parseBy(Slug)
    ),
    plan: choice("plan", Plan.literals, "limit of messages in a month; default: unlimited").pipe(
      Options.withDefault("unlimited" as const)
    ),
    sender: option(
      "sender",
      "ADDRESS",
      "address that the organization may send from, without confirmation; default: hello@SLUG.localhost.test",
      parseBy(EmailAddress)
    ).pipe(Options.optional)
  },
  ({ sender, slug, ...input }) =>
    administer(
      Effect.gen(function* () {
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

const print = printList(OrganizationSummary, {
  SLUG: ({ slug }) => slug,
  NAME: ({ name }) => name,
  PLAN: ({ plan }) => plan,
  "MESSAGES THIS MONTH": ({ messagesUsedThisMonth }) => String(messagesUsedThisMonth),
  ID: ({ id }) => id
})

const list = Command.make("list", { json: jsonOption }, ({ json }) =>
  administer(
    Effect.flatMap(
      Effect.flatMap(Organizations, (organizations) => organizations.list),
      (all) => print(all, json)
    )
  )
).pipe(Command.withDescription("Lists all organizations"))

const setPlan = Command.make(
  "set-plan",
  { organization: organizationOption, plan: choice("plan", Plan.literals, "limit of messages in a month") },
  ({ organization, plan }) =>
    administer(
      Effect.gen(function* () {
        const { id, slug } = yield* namedOrganization(organization)
        yield* Effect.flatMap(Organizations, (organizations) => organizations.setPlan(id, plan))
        yield* Console.log(`${slug} has the plan ${plan}`)
      })
    )
).pipe(Command.withDescription("Changes the plan of an organization"))

export const organizationCommands = Command.make("organizations").pipe(
  Command.withDescription("Organizations and their plans"),
  Command.withSubcommands([create, list, setPlan])
)
