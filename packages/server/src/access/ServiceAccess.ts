import { Options } from "@effect/cli"
import { HttpClient, HttpClientError } from "@effect/platform"
import { Config, ConfigError, Effect, Either, Option, Predicate, Redacted } from "effect"
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

const urlOfEnvironment = Effect.gen(function* () {
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

const urlOfOption = (text: string) =>
  URL.canParse(text) && /^https?:/i.test(text)
    ? Effect.succeed(text)
    : Effect.fail(new CommandFailed({ message: "--url must be a URL that begins with http:// or https://" }))

/**
 * The base URL of the service, without a slash at the end: that of `--url`, of SWITCHBOARD_URL, or of a server with the
 * settings of this process.
 */
export const serviceUrl = (option: Option.Option<string>): Effect.Effect<string, CommandFailed> =>
  Effect.map(Option.match(option, { onNone: () => urlOfEnvironment, onSome: urlOfOption }), (text) =>
    text.replace(/\/+$/, "")
  )

/** The option `--api-key` of commands that call a running service. */
export const apiKeyOption = (permissions: string) =>
  Options.redacted("api-key").pipe(
    Options.withPseudoName("KEY"),
    Options.withDescription(
      `API key with ${permissions}; default: SWITCHBOARD_API_KEY, since other users can read arguments`
    ),
    Options.optional
  )

/** A key is sent in a header. */
const parseKey = (text: string) =>
  /^[!-~]+$/.test(text) ? Either.right(Redacted.make(text)) : Either.left("must be an API key, without spaces")

const keyOfEnvironment = secret(parseKey)("SWITCHBOARD_API_KEY")

/** The remedy for a key that the service refuses. */
export const keyRemedy = (permissions: string) => `set SWITCHBOARD_API_KEY to a key with ${permissions}`

const apiKey = (option: Option.Option<Redacted.Redacted>, permissions: string) =>
  Effect.mapError(
    Option.match(option, {
      onNone: () => keyOfEnvironment,
      onSome: (key) =>
        Either.mapLeft(parseKey(Redacted.value(key)), (problem) => ConfigError.InvalidData(["--api-key"], problem))
    }),
    (error) =>
      new CommandFailed({
        message: ConfigError.isMissingDataOnly(error)
          ? `There is no API key: ${keyRemedy(permissions)}`
          : describeConfigError(error)
      })
  )

/** A running service, and the key for requests to it. */
export interface ServiceAccess {
  /** Without a slash at the end. */
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted
  /** The permissions that the requests need, for error messages. */
  readonly permissions: string
}

/** The service and the key that the options or the environment name. */
export const serviceAccess = (
  options: { readonly url: Option.Option<string>; readonly apiKey: Option.Option<Redacted.Redacted> },
  permissions: string
): Effect.Effect<ServiceAccess, CommandFailed> =>
  Effect.all({
    baseUrl: serviceUrl(options.url),
    apiKey: apiKey(options.apiKey, permissions),
    permissions: Effect.succeed(permissions)
  })

/** The error of a service that can't be reached. */
export const noConnection = (baseUrl: string, reason: string) =>
  new CommandFailed({
    message: `No connection to ${baseUrl} (${reason}): start the server there, or pass its URL with --url`
  })

/** A service that accepts connections but does not respond must not hold up a build. */
const responseTimeout = "1 minute"

/** Fails if a response does not begin in time. */
export const withResponseTimeout = (http: HttpClient.HttpClient): HttpClient.HttpClient =>
  HttpClient.transform(http, (response, request) =>
    Effect.timeoutFail(response, {
      duration: responseTimeout,
      onTimeout: () =>
        new HttpClientError.RequestError({
          request,
          reason: "Transport",
          cause: new Error(`no response within ${responseTimeout}`)
        })
    })
  )

/** Describes the error of a request: an error of the API, or of the connection. */
export const requestFailed =
  ({ baseUrl, permissions }: ServiceAccess) =>
  (error: { readonly _tag: string; readonly message: string; readonly cause?: unknown }): CommandFailed => {
    switch (error._tag) {
      case "CommandFailed":
        return new CommandFailed({ message: error.message })
      case "RequestError":
        return noConnection(baseUrl, Predicate.isError(error.cause) ? error.cause.message : error.message)
      case "UnauthorizedError":
      case "ForbiddenError":
        return new CommandFailed({ message: `${error.message}: ${keyRemedy(permissions)}` })
      case "InvalidResponseError":
        return new CommandFailed({ message: `${baseUrl}: ${error.message}` })
      default:
        return new CommandFailed({ message: error.message })
    }
  }
