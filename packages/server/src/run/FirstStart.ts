import { FileSystem, Path } from "@effect/platform"
import { localDomain } from "@switchboard/domain/email/domains/DomainRecords"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { Slug } from "@switchboard/domain/organizations/Organization"
import { LocalDomains } from "@switchboard/services/email/domains/LocalDomains"
import { Organizations } from "@switchboard/services/organizations/Organizations"
import { LocalNumbers } from "@switchboard/services/sms/LocalNumbers"
import { Console, Context, Effect, Option, Redacted, Ref, Schema } from "effect"
import { Settings } from "../settings/Settings.js"
import { announce, isJsonOutput } from "./Parts.js"
import { CommandFailed } from "./Run.js"

/** Whether a person reads the output: other output is stored in logs. */
export class IsTerminal extends Context.Reference<IsTerminal>()("server/IsTerminal", {
  defaultValue: () => process.stdout.isTTY === true
}) {}

/** Commands that send the first message. */
const firstCurl = (baseUrl: string, key: string) => `  export KEY=${key}
  curl ${baseUrl}/v1/messages -H "X-API-Key: $KEY" -H 'Content-Type: application/json' \\
    -d '{"channel":"email","to":[{"email":"ada@example.com"}],"email":{"subject":"Hello","html":"<p>It works.</p>"}}'`

const printed = (baseUrl: string, key: string) =>
  `\nYour API key, shown only once:\n\n  ${key}\n\nSend your first message, in another terminal:\n\n${firstCurl(baseUrl, key)}\n`

/** The file of the first key. It replaces that of a start that failed after it, whose key was not stored. */
const writeKeyFile = Effect.fnUntraced(function* (key: string) {
  const { dataDir } = yield* Settings
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const directory = path.resolve(dataDir)
  const file = path.join(directory, "first-api-key")
  yield* fs.makeDirectory(directory, { recursive: true }).pipe(
    Effect.zipRight(fs.remove(file, { force: true })),
    Effect.zipRight(fs.writeFileString(file, `${key}\n`, { flag: "wx", mode: 0o600 })),
    Effect.mapError(
      ({ message }) =>
        new CommandFailed({
          message: `The first API key can't be written to ${file}: let DATA_DIR name a folder that can be written to, or set BOOTSTRAP_API_KEY (${message})`
        })
    )
  )
  return file
})

/**
 * Shows the generated first API key: on a terminal, else in a file with mode 0600 whose path is logged. A log is stored
 * and copied, so it must not contain the key.
 */
export const showFirstKey = Effect.fnUntraced(function* (baseUrl: string, key: Redacted.Redacted<string>) {
  if ((yield* IsTerminal) && !(yield* isJsonOutput)) return yield* Console.log(printed(baseUrl, Redacted.value(key)))
  const file = yield* writeKeyFile(Redacted.value(key))
  yield* announce(`The first API key is in ${file}: read it and delete the file`)
})

/** The sender of the first organization. Its domain exists only in the local mailbox. */
export const firstSender = Schema.decodeSync(EmailAddress)(`hello@${localDomain}`)

/** The default sender of a later organization: with its own domain, so that replies reach only this organization. */
export const localSender = (slug: typeof Slug.Type): EmailAddress =>
  Schema.decodeSync(EmailAddress)(`hello@${slug}.${localDomain}`)

/**
 * Creates the first organization and API key, the local domain that receives replies to the first sender, and its
 * number on the local handset (also for installations of releases that did not have them). The generated key is shown in the transaction that stores it;
 * everything that can fail must run before. Returns the id of the key; none if an organization exists.
 */
export const firstStart = Effect.fnUntraced(function* (baseUrl: string) {
  const { bootstrapApiKey } = yield* Settings
  const organizations = yield* Organizations
  const isShown = yield* Ref.make(false)
  const show = (key: Redacted.Redacted<string>) =>
    Effect.zipRight(
      Option.isSome(bootstrapApiKey)
        ? announce("Created the first organization and its admin key (BOOTSTRAP_API_KEY).")
        : showFirstKey(baseUrl, key),
      Ref.set(isShown, true)
    )
  const created = yield* organizations
    .bootstrap({ sender: firstSender, key: bootstrapApiKey, show })
    .pipe(
      Effect.tapError(() =>
        Effect.whenEffect(
          Effect.logWarning(
            "It is unknown whether the first API key was stored: if the next start shows another key, use that one."
          ),
          Ref.get(isShown)
        )
      )
    )
  const { ensure: ensureNumber } = yield* LocalNumbers
  const owner = yield* Effect.flatMap(LocalDomains, ({ ensure }) => ensure(firstSender))
  if (Option.isSome(owner)) yield* ensureNumber(owner.value)
  return Option.map(created, ({ apiKeyId }) => apiKeyId)
})
