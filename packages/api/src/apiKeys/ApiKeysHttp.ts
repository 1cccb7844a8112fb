import { HttpApiBuilder } from "@effect/platform"
import { ApiKey } from "@switchboard/domain/apiKeys/ApiKey"
import { ApiKeyStats } from "@switchboard/domain/apiKeys/ApiKeyActivity"
import { CreateApiKey, RotateApiKey, UpdateApiKey } from "@switchboard/domain/apiKeys/ApiKeyRequests"
import { pageRequest } from "@switchboard/domain/Page"
import { KeyActivity } from "@switchboard/services/apiKeys/KeyActivity"
import { ManagedKeys } from "@switchboard/services/apiKeys/ManagedKeys"
import { Effect } from "effect"
import { Api } from "../Api.js"
import { CurrentCaller } from "../Authorization.js"
import { readBody, readOptionalBody } from "../Door.js"
import { respond } from "../Respond.js"
import { Removed } from "../Wire.js"
import { ApiKeyActivityPage, ApiKeyPage } from "./ApiKeysApi.js"

const answerKey = respond(ApiKey)
const answerCreated = respond(ApiKey, 201)
const answerPage = respond(ApiKeyPage)
const answerActivity = respond(ApiKeyActivityPage)
const answerStats = respond(ApiKeyStats)
const answerRemoved = respond(Removed)

const readCreate = readBody(CreateApiKey)
const readUpdate = readOptionalBody(UpdateApiKey)
const readRotate = readOptionalBody(RotateApiKey)

export const ApiKeysHttp = HttpApiBuilder.group(
  Api,
  "apiKeys",
  Effect.fnUntraced(function* (handlers) {
    const keys = yield* ManagedKeys
    const activity = yield* KeyActivity
    return handlers
      .handleRaw("list", ({ urlParams: { filters = {}, ...params } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(keys.list(organizationId, filters, pageRequest(params)), (found) => answerPage(found))
        )
      )
      .handleRaw("create", () =>
        Effect.gen(function* () {
          const caller = yield* CurrentCaller
          return answerCreated(yield* keys.create(caller, yield* readCreate))
        })
      )
      .handleRaw("get", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(keys.get(organizationId, id), (found) => answerKey(found))
        )
      )
      .handleRaw("update", ({ path: { id } }) =>
        Effect.gen(function* () {
          const caller = yield* CurrentCaller
          return answerKey(yield* keys.update(caller, id, yield* readUpdate))
        })
      )
      .handleRaw("remove", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, (caller) =>
          Effect.map(keys.remove(caller, id), () => answerRemoved({ success: true }))
        )
      )
      .handleRaw("rotate", ({ path: { id } }) =>
        Effect.gen(function* () {
          const caller = yield* CurrentCaller
          return answerKey(yield* keys.rotate(caller, id, yield* readRotate))
        })
      )
      .handleRaw("activity", ({ path: { id }, urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(activity.list(organizationId, id, pageRequest(urlParams)), (found) => answerActivity(found))
        )
      )
      .handleRaw("stats", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(activity.stats(organizationId, id), (found) => answerStats(found))
        )
      )
  })
)
