import { HttpApiBuilder } from "@effect/platform"
import { pageRequest } from "@switchboard/domain/Page"
import {
  ActivateFreeEntryPoint,
  OpenServiceWindow,
  ParticipantServiceWindow,
  ServiceWindow
} from "@switchboard/domain/whatsapp/ServiceWindow"
import { ServiceWindows } from "@switchboard/services/whatsapp/ServiceWindows"
import { Effect } from "effect"
import { Api } from "../Api.js"
import { CurrentCaller } from "../Authorization.js"
import { readBody } from "../Door.js"
import { respond } from "../Respond.js"
import { ServiceWindowPage } from "./ServiceWindowsApi.js"

const answerOpened = respond(ParticipantServiceWindow, 201)
const answerFound = respond(ParticipantServiceWindow)
const answerPage = respond(ServiceWindowPage)
const answerActivated = respond(ServiceWindow)

const readOpen = readBody(OpenServiceWindow)
const readActivate = readBody(ActivateFreeEntryPoint)

export const ServiceWindowsHttp = HttpApiBuilder.group(
  Api,
  "serviceWindows",
  Effect.fnUntraced(function* (handlers) {
    const windows = yield* ServiceWindows
    return handlers
      .handleRaw("list", ({ urlParams: { filters = {}, ...params } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(windows.list(organizationId, filters, pageRequest(params)), (found) => answerPage(found))
        )
      )
      .handleRaw("open", () =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          const { participantId } = yield* readOpen
          return answerOpened(yield* windows.open(organizationId, participantId))
        })
      )
      .handleRaw("get", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(windows.get(organizationId, id), (found) => answerFound(found))
        )
      )
      .handleRaw("activate", () =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          return answerActivated(yield* windows.activate(organizationId, yield* readActivate))
        })
      )
  })
)
