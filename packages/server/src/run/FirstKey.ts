import { FileSystem, Path } from "@effect/platform"
import { Console, Context, Effect, Redacted } from "effect"
import { Settings } from "../settings/Settings.js"
import { announce, isJsonOutput } from "./Announce.js"
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
