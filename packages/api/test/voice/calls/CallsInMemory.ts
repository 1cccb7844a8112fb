import { page } from "@switchboard/domain/Page"
import type { StoredCall } from "@switchboard/services/voice/calls/StoredCall"
import { VoiceCallRepo } from "@switchboard/services/voice/calls/VoiceCallRepo"
import { Effect, Layer, Option } from "effect"

/** Calls that nobody makes: they stay as they are told to be. */
export const callsInMemory = () => {
  const rows = new Map<string, StoredCall>()
  const find = (organization: string, id: string) =>
    Option.filter(Option.fromNullable(rows.get(id)), ({ organizationId }) => organizationId === organization)
  return Layer.succeed(VoiceCallRepo, {
    place: (call) => Effect.sync(() => void rows.set(call.id, call)),
    find: (organization, id) => Effect.sync(() => find(organization, id)),
    list: (organization, { status }, request) =>
      Effect.sync(() => {
        const own = [...rows.values()].filter(
          (call) => call.organizationId === organization && (status === undefined || call.status === status)
        )
        return page(own.reverse(), own.length, request)
      }),
    change: (organization, id, decide) =>
      Option.match(find(organization, id), {
        onNone: () => Effect.succeed(false),
        onSome: (call) => Effect.map(decide(call), (change) => rows.set(id, change.call).size > 0)
      })
  })
}
