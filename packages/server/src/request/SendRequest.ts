import { STATUS_CODES } from "node:http"
import { FileSystem, HttpClient, HttpClientRequest, type HttpClientResponse } from "@effect/platform"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeSink from "@effect/platform-node/NodeSink"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { keyClient } from "@switchboard/client/ServiceClient"
import { Console, Context, Effect, Option, Predicate, Stream } from "effect"
import { keyRemedy, requestFailed, type ServiceAccess, withResponseTimeout } from "../access/ServiceAccess.js"
import { CommandFailed } from "../run/Run.js"
import type { Method } from "./RequestCommand.js"

/** A request as the arguments describe it. */
interface Requested {
  readonly method: Method
  /** With its query. */
  readonly path: string
  readonly data: Option.Option<string>
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

/** Whether the output is read by a person: JSON is then indented. */
export class IsTerminal extends Context.Reference<IsTerminal>()("server/IsTerminal", {
  defaultValue: () => process.stdout.isTTY === true
}) {}

const messageOf = (error: unknown) => (Predicate.isError(error) ? error.message : String(error))

/** The bytes of `--data`: those of a file, of standard input, or of the argument itself. */
const readData = (data: string): Effect.Effect<Uint8Array, CommandFailed, FileSystem.FileSystem> => {
  const failed = (error: unknown) => new CommandFailed({ message: `--data can't be read: ${messageOf(error)}` })
  if (data === "-" || data === "@-") {
    return NodeStream.toUint8Array(() => process.stdin, { onFailure: failed })
  }
  return data.startsWith("@")
    ? Effect.flatMap(FileSystem.FileSystem, (fs) => Effect.mapError(fs.readFile(data.slice(1)), failed))
    : Effect.succeed(new TextEncoder().encode(data))
}

const isJson = (type = "") => /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)

const parseJson = (text: string) =>
  Effect.try({ try: (): unknown => JSON.parse(text), catch: (error) => messageOf(error) })

const defaultType = "application/json"

const bodyOf = Effect.fnUntraced(function* ({ data, headers, method }: Requested) {
  if (Option.isNone(data)) return HttpClientRequest.setHeaders({})
  if (method === "GET") return yield* new CommandFailed({ message: "Give --data only with POST, PUT, PATCH or DELETE" })
  const type = headers["content-type"] ?? defaultType
  const bytes = yield* readData(data.value)
  if (isJson(type)) {
    yield* Effect.mapError(
      parseJson(new TextDecoder().decode(bytes)),
      (problem) => new CommandFailed({ message: `--data is not JSON: ${problem}` })
    )
  }
  return HttpClientRequest.bodyUint8Array(bytes, type)
})

/** Prints JSON as text, and other bodies as the bytes that they are, such as files and streams of events. */
const printBody = Effect.fnUntraced(function* (response: HttpClientResponse.HttpClientResponse) {
  if (!isJson(response.headers["content-type"])) {
    const stdout = NodeSink.fromWritable(
      () => process.stdout,
      (error) => new CommandFailed({ message: `The response can't be written: ${messageOf(error)}` }),
      { endOnDone: false }
    )
    return yield* Stream.run(response.stream, stdout)
  }
  const text = yield* response.text
  const value = (yield* IsTerminal) ? yield* Effect.option(parseJson(text)) : Option.none()
  yield* Console.log(Option.match(value, { onNone: () => text, onSome: (json) => JSON.stringify(json, null, 2) }))
})

const failureOf = ({ permissions }: ServiceAccess, { method, path }: Requested, status: number, location = "") => {
  const text = `${method} ${path}: ${status} ${STATUS_CODES[status] ?? ""}`.trimEnd()
  if (status >= 300 && status < 400) {
    return `${text} to ${location || "no URL"}, which is not followed: set SWITCHBOARD_URL to the URL of the service itself`
  }
  return status === 401 || status === 403 ? `${text}: ${keyRemedy(permissions)}` : text
}

/**
 * Sends a request and prints the body of the response. Fails after it if the status is not 2xx. Redirects are not followed:
 * the key would be sent to another host.
 */
export const sendRequest = (access: ServiceAccess, requested: Requested) =>
  Effect.gen(function* () {
    const http = keyClient(withResponseTimeout(yield* HttpClient.HttpClient), access)
    const setBody = yield* bodyOf(requested)
    const response = yield* HttpClientRequest.make(requested.method)(requested.path).pipe(
      HttpClientRequest.setHeaders({ accept: "*/*", ...requested.headers }),
      setBody,
      http.execute
    )
    const { headers, status } = response
    yield* printBody(response)
    if (status < 200 || status >= 300) {
      return yield* new CommandFailed({ message: failureOf(access, requested, status, headers.location) })
    }
  }).pipe(Effect.mapError(requestFailed(access)), Effect.scoped, Effect.provide(NodeHttpClient.layerUndici))
