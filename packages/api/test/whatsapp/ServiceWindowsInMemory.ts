import { page } from "@switchboard/domain/Page"
import type { ParticipantId } from "@switchboard/domain/participants/Participant"
import { ServiceWindowRepo, type StoredServiceWindow } from "@switchboard/services/whatsapp/ServiceWindowRepo"
import { ServiceWindows } from "@switchboard/services/whatsapp/ServiceWindows"
import { DateTime, Effect, Layer, Option } from "effect"

/** Service windows as the use case makes them, of one contact, kept as long as the test runs. */
export const serviceWindowsInMemory = (contact: ParticipantId) => {
  const rows = new Map<string, StoredServiceWindow>()
  const keep = (window: StoredServiceWindow) => {
    rows.set(window.id, window)
    return window
  }
  return ServiceWindows.Default.pipe(
    Layer.provide(
      Layer.succeed(ServiceWindowRepo, {
        open: (_, participantId, id, at) =>
          Effect.sync(() => {
            if (participantId !== contact) return Option.none()
            const expiresAt = DateTime.addDuration(at, "24 hours")
            const [present = { id, participantId, entryPoint: null }] = rows.values()
            return Option.some(keep({ ...present, expiresAt }))
          }),
        find: (_, id) => Effect.sync(() => Option.fromNullable(rows.get(id))),
        list: (_, { participantId = contact }, request) =>
          Effect.sync(() => {
            const own = [...rows.values()].filter((row) => row.participantId === participantId)
            return page(own, own.length, request)
          }),
        activate: (_, id, decide) =>
          Option.match(Option.fromNullable(rows.get(id)), {
            onNone: () => Effect.succeedNone,
            onSome: (present) =>
              Effect.map(decide(present), (entryPoint) => Option.some(keep({ ...present, entryPoint })))
          })
      })
    )
  )
}
