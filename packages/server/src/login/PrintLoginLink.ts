import type { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import { LoginLinks, loginLinkMinutes } from "@switchboard/services/sessions/LoginLinks"
import { Console, Effect, Redacted } from "effect"

/** Creates a log-in link for an API key and prints it. */
export const printLoginLink = Effect.fnUntraced(function* (baseUrl: string, apiKeyId: ApiKeyId) {
  const links = yield* LoginLinks
  const link = yield* links.create(baseUrl, apiKeyId)
  yield* Console.log(`Open the console, once and within ${loginLinkMinutes} minutes:\n\n  ${Redacted.value(link)}\n`)
})
