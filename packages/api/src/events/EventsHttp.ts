import { HttpApiBuilder, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { permits } from "@switchboard/domain/apiKeys/Permission"
import { ApiKeys } from "@switchboard/services/apiKeys/ApiKeys"
import { EventStream } from "@switchboard/services/events/EventStream"
import { Effect, Redacted, Ref, Schedule, Stream } from "effect"
import { Api } from "../Api.js"
import { CurrentCaller } from "../Authorization.js"
import { Draining } from "../http/HttpSettings.js"
import { eventStreamType } from "./EventsApi.js"
import { serverSentEvents } from "./ServerSentEvents.js"

/** How long a key that was good is believed to be. */
const keyHolds = "1 second"

/** How long somebody who does not read may take to hear that the process stops. */
const lastWords = "2 seconds"

const headers = {
  // Otherwise nginx, and those that do as it does, keep events back until they have enough of them.
  "x-accel-buffering": "no"
}

export const EventsHttp = HttpApiBuilder.group(
  Api,
  "events",
  Effect.fnUntraced(function* (handlers) {
    const events = yield* EventStream
    const apiKeys = yield* ApiKeys
    const draining = yield* Draining

    /** Whether the key still opens this organization's events; who can't be asked has not said no. */
    const isWelcome = (request: HttpServerRequest.HttpServerRequest, caller: typeof CurrentCaller.Service) =>
      apiKeys.authenticate(Redacted.make(request.headers["x-api-key"] ?? "")).pipe(
        Effect.map(
          ({ organizationId, permissions }) =>
            organizationId === caller.organizationId && permits(permissions, "webhooks.read")
        ),
        Effect.catchTags({
          UnauthorizedError: () => Effect.succeed(false),
          ServiceUnavailableError: () => Effect.succeed(true)
        })
      )

    /** Somebody who does not read never hears that the stream is over, and would keep the process. */
    const cutOffAtTheEnd = (request: HttpServerRequest.HttpServerRequest) =>
      Ref.get(draining).pipe(
        Effect.repeat({ until: (stopping) => stopping, schedule: Schedule.spaced("500 millis") }),
        Effect.zipRight(Effect.sleep(lastWords)),
        Effect.zipRight(Effect.sync(() => NodeHttpServerRequest.toServerResponse(request).destroy())),
        Effect.interruptible,
        Effect.forkScoped
      )

    return handlers.handleRaw("stream", ({ headers: { "last-event-id": header }, urlParams: { lastEventId, types } }) =>
      Effect.gen(function* () {
        const caller = yield* CurrentCaller
        const request = yield* HttpServerRequest.HttpServerRequest
        // A client that comes again sends the header, which is newer than the address that it was given at first.
        const opened = yield* events.listen(caller.organizationId, { lastEventId: header ?? lastEventId, types })
        const welcome = yield* Effect.cachedWithTTL(isWelcome(request, caller), keyHolds)
        const isOver = Effect.flatMap(Ref.get(draining), (stops) =>
          stops ? Effect.succeed(true) : Effect.map(welcome, (still) => !still)
        )
        yield* cutOffAtTheEnd(request)
        return HttpServerResponse.stream(Stream.encodeText(serverSentEvents(opened, isOver)), {
          contentType: eventStreamType,
          headers
        })
      })
    )
  })
)
