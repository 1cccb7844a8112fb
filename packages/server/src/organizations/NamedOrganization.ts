import { Prompt } from "@effect/cli"
import type { OrganizationId, OrganizationSummary } from "@switchboard/domain/organizations/Organization"
import { OrganizationRepo } from "@switchboard/services/organizations/OrganizationRepo"
import { Organizations } from "@switchboard/services/organizations/Organizations"
import { Array, Context, Effect, Option } from "effect"
import { textOption } from "../ReadArguments.js"
import { CommandFailed } from "../run/Run.js"

/** The option `--organization`. */
export const organizationOption = textOption("organization", "ID_OR_SLUG", "id or slug of the organization")

/** The slug of an organization, by which commands name it; its id if it does not exist. */
export const slugOf = (id: OrganizationId) =>
  Effect.map(
    Effect.flatMap(OrganizationRepo, ({ find }) => find(id)),
    Option.match({ onNone: (): string => id, onSome: ({ slug }) => slug })
  )

/** Finds an organization by its id or its slug. */
export const findOrganization = <E>(list: Effect.Effect<ReadonlyArray<OrganizationSummary>, E>, named: string) =>
  Effect.flatMap(list, (all) => {
    const found = all.find(({ id, slug }) => id === named.toLowerCase() || slug === named)
    return found === undefined
      ? new CommandFailed({
          message: `There is no organization "${named}": run "switchboard organizations list" for ids and slugs`
        })
      : Effect.succeed(found)
  })

export const namedOrganization = (named: string) =>
  Effect.flatMap(Organizations, ({ list }) => findOrganization(list, named))

const titleOf = ({ name, slug }: OrganizationSummary) => `${slug} (${name})`

/** Whether a person can answer a question. */
export class IsInteractive extends Context.Reference<IsInteractive>()("server/IsInteractive", {
  defaultValue: () => process.stdin.isTTY === true && process.stdout.isTTY === true
}) {}

/** The only organization. One of several is chosen on a terminal; otherwise the error lists them. */
const onlyOrganization = Effect.gen(function* () {
  const all = yield* Effect.flatMap(Organizations, ({ list }) => list)
  if (!Array.isNonEmptyReadonlyArray(all)) {
    return yield* new CommandFailed({
      message: 'There is no organization: run "switchboard organizations create --name NAME --slug SLUG" first'
    })
  }
  if (all.length === 1) return all[0]
  if (!(yield* IsInteractive)) {
    return yield* new CommandFailed({
      message: `There are several organizations: add --organization with one of\n${all.map((one) => `  ${titleOf(one)}`).join("\n")}`
    })
  }
  return yield* Prompt.select({
    message: "Organization of the key",
    choices: all.map((one) => ({ title: titleOf(one), value: one }))
  }).pipe(Effect.catchTag("QuitException", () => new CommandFailed({ message: "No organization was chosen" })))
})

/** The organization of `--organization`; without it, the only one. */
export const chosenOrganization = Option.match({ onNone: () => onlyOrganization, onSome: namedOrganization })
