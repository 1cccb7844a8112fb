import { HttpApiBuilder, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { permits } from "@switchboard/domain/apiKeys/Permission"
import { EventStream } from "@switchboard/services/events/EventStream"
import { Effect, Ref, Schedule, Stream } from "effect"
import { Api } from "../Api.js"
import { CurrentCaller } from "../Authorization.js"
import { Serving } from "../http/HttpContext.js"
import { withBodies } from "../http/WithBodies.js"
import { eventStreamType } from "./EventsApi.js"
import { serverSentEvents } from "./ServerSentEvents.js"

/** How long a successful authentication is cached before it is repeated. */
const authenticationTtl = "1 second"

/** The maximum time for a client to receive the end of the stream when the process stops. */
const drainTimeout = "2 seconds"

const headers = {
  // Disables the response buffering of nginx and compatible proxies.
  "x-accel-buffering": "no"
}

export const EventsHttp = HttpApiBuilder.group(
  Api,
  "events",
  Effect.fnUntraced(function* (handlers) {
    const events = yield* EventStream
    const serving = yield* Serving
    const isStopping = Effect.map(Ref.get(serving), (phase) => phase !== "serving")

    /** Whether the key, or the session, is still authorized. An outage of the database does not end the stream. */
    const isAuthorized = ({ authenticate, organizationId: own }: typeof CurrentCaller.Service) =>
      authenticate.pipe(
        Effect.map(
          ({ organizationId, permissions }) => organizationId === own && permits(permissions, "webhooks.read")
        ),
        Effect.catchTags({
          ForbiddenError: () => Effect.succeed(false),
          UnauthorizedError: () => Effect.succeed(false),
          ServiceUnavailableError: () => Effect.succeed(true)
        })
      )

    /** Destroys the connection after `drainTimeout` when the process stops: a client that does not read would block the stop. */
    const closeWhenStopping = (request: HttpServerRequest.HttpServerRequest) =>
      isStopping.pipe(
        Effect.repeat({ until: (stopping) => stopping, schedule: Schedule.spaced("500 millis") }),
        Effect.zipRight(Effect.sleep(drainTimeout)),
        Effect.zipRight(Effect.sync(() => NodeHttpServerRequest.toServerResponse(request).destroy())),
        Effect.interruptible,
        Effect.forkScoped
      )

    return yield* handlers
      .handleRaw("stream", ({ headers: { "last-event-id": header }, urlParams: { lastEventId, types } }) =>
        Effect.gen(function* () {
          const caller = yield* CurrentCaller
          const request = yield* HttpServerRequest.HttpServerRequest
          // A reconnecting client sends the header. It is newer than the query parameter of the original URL.
          const opened = yield* events.listen(caller.organizationId, { lastEventId: header ?? lastEventId, types })
          const authorized = yield* Effect.cachedWithTTL(isAuthorized(caller), authenticationTtl)
          const isOver = Effect.flatMap(isStopping, (stopping) =>
            stopping ? Effect.succeed(true) : Effect.map(authorized, (isStillAuthorized) => !isStillAuthorized)
          )
          yield* closeWhenStopping(request)
          return HttpServerResponse.stream(Stream.encodeText(serverSentEvents(opened, isOver)), {
            contentType: eventStreamType,
            headers
          })
        })
      )
      .pipe(withBodies)
  })
)
