import { Options } from "@effect/cli"
import { Config, ConfigError, Effect, Option, Redacted } from "effect"
import { textOption } from "../ReadArguments.js"
import { CommandFailed } from "../run/Run.js"
import { baseUrl } from "../settings/BaseUrl.js"
import { httpSettings } from "../settings/HttpSettings.js"
import { describeConfigError, secret } from "../settings/Setting.js"
import { url } from "../settings/SettingValues.js"

/** The option `--url` of commands that need the URL of a running service. */
export const urlOption = Options.optional(
  textOption(
    "url",
    "URL",
    "base URL of the service; default: SWITCHBOARD_URL, or the server with the same PUBLIC_URL, HOST and PORT"
  )
)

const webUrl = url(["http:", "https:"])
const { host, port, publicUrl } = httpSettings

const ofEnvironment = Effect.gen(function* () {
  const named = yield* Config.option(secret(webUrl)("SWITCHBOARD_URL"))
  if (Option.isSome(named)) return Redacted.value(named.value)
  const server = yield* Config.all({ host, port, publicUrl })
  return server.port === 0 && Option.isNone(server.publicUrl)
    ? yield* new CommandFailed({ message: "PORT is 0: pass --url with the URL that the server prints" })
    : baseUrl(server)
}).pipe(
  Effect.mapError((error) =>
    ConfigError.isConfigError(error) ? new CommandFailed({ message: describeConfigError(error) }) : error
  )
)

const ofOption = (text: string) =>
  URL.canParse(text) && /^https?:/i.test(text)
    ? Effect.succeed(text)
    : Effect.fail(new CommandFailed({ message: "--url must be a URL that begins with http:// or https://" }))

/**
 * The base URL of the service, without a slash at the end: that of `--url`, of SWITCHBOARD_URL, or of a server with the
 * settings of this process.
 */
export const serviceUrl = (option: Option.Option<string>): Effect.Effect<string, CommandFailed> =>
  Effect.map(Option.match(option, { onNone: () => ofEnvironment, onSome: ofOption }), (text) =>
    text.replace(/\/+$/, "")
  )
