import { Args, Command, Options, ValidationError } from "@effect/cli"
import { Effect, Either } from "effect"
import { apiKeyOption, serviceAccess, urlOption } from "../access/ServiceAccess.js"
import { namedParse, textOption } from "../ReadArguments.js"

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const
export type Method = (typeof methods)[number]

const method = Args.text({ name: "method" }).pipe(
  Args.withDescription(methods.join(", ")),
  Args.mapEffect(
    namedParse("METHOD", (text) =>
      Either.fromNullable(
        methods.find((name) => name === text.toUpperCase()),
        () => `must be one of ${methods.join(", ")}`
      )
    )
  )
)

/** The path below the base URL, so that the key is sent to no other host. */
const parsePath = (text: string): Either.Either<string, string> => {
  if (/^[a-z][a-z\d+.-]*:/i.test(text) || /^[/\\]{2}/.test(text)) {
    return Either.left("must be a path like /v1/messages: the URL of the service is that of SWITCHBOARD_URL or --url")
  }
  return text.includes("#") ? Either.left("must have # as %23") : Either.right(`/${text.replace(/^\//, "")}`)
}

const path = Args.text({ name: "path" }).pipe(
  Args.withDescription("path with query, like /v1/messages?limit=5; the slash at its start can be omitted"),
  Args.mapEffect(namedParse("PATH", parsePath))
)

/** Headers that the command sets, or that would have a secret among the arguments. */
const ownHeaders = ["authorization", "x-api-key", "host", "content-length", "connection", "transfer-encoding"]

/** A field name and a value (RFC 9110 sections 5.1 and 5.5). */
const parseHeader = (text: string): Either.Either<readonly [name: string, value: string], string> => {
  const [, name = "", value = ""] = /^([!#$%&'*+.^`|~\w-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/.exec(text) ?? []
  if (name === "") return Either.left('must be a header like "Idempotency-Key: order-1815"')
  return ownHeaders.includes(name.toLowerCase())
    ? Either.left(
        `must not set ${name}${/^(?:auth|x-api)/i.test(name) ? ": the key is that of SWITCHBOARD_API_KEY" : ""}`
      )
    : Either.right([name.toLowerCase(), value.trim()])
}

const permissions = "the permission of the operation"

const load = Effect.promise(() => import("./SendRequest.js"))

/** Sends one request to a running service, for scripts. */
export const requestCommand = Command.make(
  "request",
  {
    method,
    path,
    data: textOption("data", "JSON|@FILE|-", "request body, from a file with @, or from standard input with -").pipe(
      Options.optional
    ),
    headers: Options.text("header").pipe(
      Options.withPseudoName("HEADER"),
      Options.withDescription('header like "Idempotency-Key: order-1815"; can be repeated'),
      Options.repeated,
      Options.mapEffect((texts) =>
        Either.mapLeft(Either.all(texts.map(namedParse("--header", parseHeader))), ValidationError.invalidValue)
      )
    ),
    url: urlOption,
    apiKey: apiKeyOption(permissions)
  },
  ({ data, headers, method, path, ...given }) =>
    Effect.gen(function* () {
      const access = yield* serviceAccess(given, permissions)
      const { sendRequest } = yield* load
      yield* sendRequest(access, { method, path, data, headers: Object.fromEntries(headers) })
    })
).pipe(Command.withDescription("Sends a request to a running service, and prints the response"))
