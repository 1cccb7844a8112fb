import { HttpApiBuilder, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { permits } from "@switchboard/domain/apiKeys/Permission"
import { ApiKeys } from "@switchboard/services/apiKeys/ApiKeys"
import { EventStream } from "@switchboard/services/events/EventStream"
import { Effect, Ref, Schedule, Stream } from "effect"
import { Api } from "../Api.js"
import { CurrentCaller } from "../Authorization.js"
import { Draining } from "../http/HttpSettings.js"
import { requestKey } from "../http/RequestKey.js"
import { withBodies } from "../http/WithBodies.js"
import { eventStreamType } from "./EventsApi.js"
import { serverSentEvents } from "./ServerSentEvents.js"

/** How long a valid key is cached before it is checked again. */
const keyCacheTtl = "1 second"

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
    const apiKeys = yield* ApiKeys
    const draining = yield* Draining

    /** Whether the key is still authorized. An outage of the database does not end the stream. */
    const isAuthorized = (request: HttpServerRequest.HttpServerRequest, caller: typeof CurrentCaller.Service) =>
      requestKey(request).pipe(
        Effect.flatMap(apiKeys.authenticate),
        Effect.map(
          ({ organizationId, permissions }) =>
            organizationId === caller.organizationId && permits(permissions, "webhooks.read")
        ),
        Effect.catchTags({
          UnauthorizedError: () => Effect.succeed(false),
          ServiceUnavailableError: () => Effect.succeed(true)
        })
      )

    /** Destroys the connection after `drainTimeout` when the process stops: a client that does not read would block the stop. */
    const closeWhenDraining = (request: HttpServerRequest.HttpServerRequest) =>
      Ref.get(draining).pipe(
        Effect.repeat({ until: (stopping) => stopping, schedule: Schedule.spaced("500 millis") }),
        Effect.zipRight(Effect.sleep(drainTimeout)),
        Effect.zipRight(Effect.sync(() => NodeHttpServerRequest.toServerResponse(request).destroy())),
        Effect.interruptible,
        Effect.forkScoped
      )

    return handlers
      .handleRaw("stream", ({ headers: { "last-event-id": header }, urlParams: { lastEventId, types } }) =>
        Effect.gen(function* () {
          const caller = yield* CurrentCaller
          const request = yield* HttpServerRequest.HttpServerRequest
          // A reconnecting client sends the header. It is newer than the query parameter of the original URL.
          const opened = yield* events.listen(caller.organizationId, { lastEventId: header ?? lastEventId, types })
          const authorized = yield* Effect.cachedWithTTL(isAuthorized(request, caller), keyCacheTtl)
          const isOver = Effect.flatMap(Ref.get(draining), (stopping) =>
            stopping ? Effect.succeed(true) : Effect.map(authorized, (isStillAuthorized) => !isStillAuthorized)
          )
          yield* closeWhenDraining(request)
          return HttpServerResponse.stream(Stream.encodeText(serverSentEvents(opened, isOver)), {
            contentType: eventStreamType,
            headers
          })
        })
      )
      .pipe(withBodies)
  })
)
