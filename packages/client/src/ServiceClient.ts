import {
  FetchHttpClient,
  HttpClient,
  HttpClientError,
  HttpClientRequest,
  type HttpClientResponse
} from "@effect/platform"
import { Context, Effect, Either, flow, Option, Redacted, Ref, Schema } from "effect"

const sessionPath = "/v1/session"

/** The operations without a session. The responses of log-in and acceptance have the token of the new session. */
const pathsWithoutSession: ReadonlySet<string> = new Set([
  sessionPath,
  "/v1/users/invitations/accept",
  "/v1/users/password-resets",
  "/v1/users/password-resets/confirm"
])

const csrfHeader = "x-csrf-token"
const forbidden = 403

/** Methods that need no CSRF token (RFC 9110 section 9.2.1). */
const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"])

const decodeToken = Schema.decodeOption(Schema.parseJson(Schema.Struct({ csrfToken: Schema.String })))

/**
 * The CSRF token in a response of `/v1/session`. None: the response is another one. The operation reads the same
 * `arrayBuffer` again, which is cached.
 */
const tokenIn = (response: HttpClientResponse.HttpClientResponse): Effect.Effect<Option.Option<string>> =>
  response.status === 200
    ? response.arrayBuffer.pipe(
        Effect.option,
        Effect.map(Option.flatMap((body) => decodeToken(new TextDecoder().decode(body)))),
        Effect.map(Option.map(({ csrfToken }) => csrfToken))
      )
    : Effect.succeedNone

/**
 * Sends the CSRF token of the browser's session with each unsafe request. The token is taken from the log-in of this
 * client, or requested when it is first needed. After a 403 it is requested again, and if it is another one (another page
 * has logged in), the request is repeated. A response without a token becomes the response of the request.
 */
const withCsrfToken = (http: HttpClient.HttpClient): Effect.Effect<HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const known = yield* Ref.make(Option.none<string>())
    const lock = yield* Effect.makeSemaphore(1)

    /** The known token, or a requested one if it is unknown or rejected. */
    const tokenOtherThan = (rejected: Option.Option<string>) =>
      Effect.gen(function* () {
        const present = Option.filter(yield* Ref.get(known), (token) => !Option.contains(rejected, token))
        if (Option.isSome(present)) return Either.right(present.value)
        const response = yield* http.get(sessionPath)
        const token = yield* tokenIn(response)
        yield* Ref.set(known, token)
        return Either.fromOption(token, () => response)
      }).pipe(lock.withPermits(1))

    const logIn = (request: HttpClientRequest.HttpClientRequest) =>
      http
        .execute(request)
        .pipe(
          Effect.tap((response) =>
            Effect.flatMap(tokenIn(response), (token) => (Option.isSome(token) ? Ref.set(known, token) : Effect.void))
          )
        )

    const send = (request: HttpClientRequest.HttpClientRequest) =>
      Effect.gen(function* () {
        const sendWith = (token: string) => http.execute(HttpClientRequest.setHeader(request, csrfHeader, token))
        const token = yield* tokenOtherThan(Option.none())
        if (Either.isLeft(token)) return token.left
        const response = yield* sendWith(token.right)
        if (response.status !== forbidden) return response
        const newer = yield* tokenOtherThan(Option.some(token.right))
        if (Either.isLeft(newer) || newer.right === token.right) return response
        // Reading the body to its end releases the connection.
        yield* Effect.ignore(response.arrayBuffer)
        return yield* sendWith(newer.right)
      })

    return HttpClient.makeWith(
      (requests: Effect.Effect<HttpClientRequest.HttpClientRequest>) =>
        Effect.flatMap(requests, (request) => {
          if (safeMethods.has(request.method)) return http.execute(request)
          return request.method === "POST" && pathsWithoutSession.has(request.url) ? logIn(request) : send(request)
        }),
      Effect.succeed
    )
  })

/** The base URL of a service, and an API key or the session of the browser. */
export type ServiceAccess<Key = Redacted.Redacted<string>> = {
  /** The URL of the service, with or without `/v1`: `https://mail.example.com`. */
  readonly baseUrl: string
} & (
  | { readonly apiKey: Key; readonly session?: never }
  /** Uses the session cookie of the browser, with its CSRF token, for a page of the same origin as the service. */
  | { readonly session: true; readonly apiKey?: never }
)

const keyHeader = "x-api-key"

/** Redacts the key in the request of an error: applications log both together. */
const redactKey = (error: HttpClientError.HttpClientError) => {
  if (error._tag !== "RequestError") return error
  const { cause, description, reason, request } = error
  return new HttpClientError.RequestError({
    request: HttpClientRequest.setHeader(request, keyHeader, "<redacted>"),
    reason,
    cause,
    ...(description === undefined ? {} : { description })
  })
}

const withFetchOptions = (options: RequestInit) =>
  Effect.mapInputContext((context: Context.Context<never>) =>
    Context.add(context, FetchHttpClient.RequestInit, {
      ...Option.getOrUndefined(Context.getOption(context, FetchHttpClient.RequestInit)),
      ...options
    })
  )

/** Returns redirects as responses: `fetch` would follow them, and send the key to another host. */
const withoutRedirects: RequestInit = { redirect: "manual" }

/** The base URL without its version segment, which the paths of the operations have. */
const withoutVersion = (baseUrl: string): string => baseUrl.replace(/\/+$/, "").replace(/\/v1$/, "")

const prependBaseUrl = (baseUrl: string) => HttpClientRequest.prependUrl(withoutVersion(baseUrl))

/** An HTTP client that sends its requests to the service, with the API key. */
export const keyClient = (
  http: HttpClient.HttpClient,
  { apiKey, baseUrl }: { readonly baseUrl: string; readonly apiKey: Redacted.Redacted<string> }
): HttpClient.HttpClient =>
  http.pipe(
    HttpClient.mapRequest(
      flow(prependBaseUrl(baseUrl), HttpClientRequest.setHeader(keyHeader, Redacted.value(apiKey)))
    ),
    HttpClient.transformResponse(flow(withFetchOptions(withoutRedirects), Effect.mapError(redactKey)))
  )

/** An HTTP client that sends its requests to the service, with the session cookie and its CSRF token. */
const sessionClient = (http: HttpClient.HttpClient, baseUrl: string): Effect.Effect<HttpClient.HttpClient> =>
  http.pipe(
    HttpClient.mapRequest(prependBaseUrl(baseUrl)),
    HttpClient.transformResponse(withFetchOptions({ ...withoutRedirects, credentials: "same-origin" })),
    withCsrfToken
  )

/** An HTTP client that sends its requests to the service, with the API key or the session. */
export const serviceClient = (
  http: HttpClient.HttpClient,
  access: ServiceAccess
): Effect.Effect<HttpClient.HttpClient> =>
  access.session === true ? sessionClient(http, access.baseUrl) : Effect.succeed(keyClient(http, access))
