import { Args, Command } from "@effect/cli"
import { type ApiKey, ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import { covers, rolePermissions } from "@switchboard/domain/apiKeys/Permission"
import { ApiKeys } from "@switchboard/services/apiKeys/ApiKeys"
import { LoginLinks, loginLinkMinutes } from "@switchboard/services/sessions/LoginLinks"
import { Console, DateTime, Effect, Option, Redacted, Schema } from "effect"
import { administer } from "../Administration.js"
import { serviceUrl, urlOption } from "../access/ServiceAccess.js"
import { CommandFailed } from "../run/Run.js"

/** Creates a log-in link for an API key and prints it. */
export const printLoginLink = Effect.fnUntraced(function* (baseUrl: string, apiKeyId: ApiKeyId) {
  const links = yield* LoginLinks
  const link = yield* links.create(baseUrl, apiKeyId)
  yield* Console.log(`Open the console, once and within ${loginLinkMinutes} minutes:\n\n  ${Redacted.value(link)}\n`)
})

/** Whether a key is valid, belongs to an organization and has all permissions. */
const isAdmin = ({ expiresAt, isActive, organizationId, permissions }: ApiKey, now: DateTime.Utc) =>
  isActive &&
  organizationId !== undefined &&
  (expiresAt === undefined || DateTime.greaterThan(expiresAt, now)) &&
  covers(permissions, rolePermissions.admin)

/** The id of the oldest valid key with all permissions. */
const oldestAdminKey = Effect.gen(function* () {
  const { list } = yield* ApiKeys
  const [keys, now] = yield* Effect.all([list, DateTime.now])
  const found = keys.findLast((apiKey) => isAdmin(apiKey, now))
  return found === undefined
    ? yield* new CommandFailed({
        message: 'No API key has all permissions: run "switchboard keys create --name console" first'
      })
    : found.id
})

// The message does not repeat the argument: it may be the value of a key instead of its id.
const unknownKey = new CommandFailed({
  message: 'No active API key of an organization has this id: run "switchboard keys list" for the ids'
})

const id = Args.optional(Args.text({ name: "id" })).pipe(
  Args.withDescription("id of the API key that the session acts for; default: the oldest key with all permissions")
)

/** Prints a link that logs a browser in. */
export const loginLinkCommand = Command.make("login-link", { id, url: urlOption }, (args) =>
  administer(
    Effect.gen(function* () {
      const baseUrl = yield* serviceUrl(args.url)
      const apiKeyId = yield* Option.match(args.id, {
        onNone: () => oldestAdminKey,
        onSome: (text) => Effect.mapError(Schema.decode(ApiKeyId)(text), () => unknownKey)
      })
      yield* Effect.catchTag(printLoginLink(baseUrl, apiKeyId), "ResourceNotFoundError", () => unknownKey)
    })
  )
).pipe(Command.withDescription("Prints a link that opens the console once, within 15 minutes"))
