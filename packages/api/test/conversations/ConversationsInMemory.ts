import { Conversation } from "@switchboard/domain/conversations/Conversation"
import type { ConversationFilters } from "@switchboard/domain/conversations/ConversationRequests"
import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import type { ConversationId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { page } from "@switchboard/domain/Page"
import type { ParticipantId } from "@switchboard/domain/participants/Participant"
import { ConversationRepo } from "@switchboard/services/conversations/ConversationRepo"
import { Conversations } from "@switchboard/services/conversations/Conversations"
import { Effect, Layer, Option } from "effect"

/** What lists were asked for. */
export const askedFor: Array<ConversationFilters> = []

/** The one participant that there is not. */
export const nobody = "01a1fc1d-e1a0-7029-814e-d493ca640e3c"

/** Conversations as long as the test lasts. Everybody is a participant but one. */
export const conversationsInMemory = () => {
  const stored = new Map<string, Conversation>()
  const find = (organization: OrganizationId, id: ConversationId) =>
    Effect.sync(() =>
      Option.filter(Option.fromNullable(stored.get(id)), ({ organizationId }) => organizationId === organization)
    )
  const moved =
    (how: (present: ReadonlySet<string>, given: ReadonlySet<string>) => ReadonlySet<string>) =>
    (organization: OrganizationId, id: ConversationId, participants: ReadonlyArray<ParticipantId>) =>
      Effect.gen(function* () {
        const found = yield* find(organization, id)
        if (Option.isNone(found)) return Option.none()
        if (participants.some((one) => one === nobody)) {
          return yield* new ResourceNotFoundError({ resource: "participant", id: nobody })
        }
        const present: ReadonlyArray<{ id: string }> = JSON.parse(found.value.participantTracking).participants ?? []
        const ids = [...how(new Set(present.map((one) => one.id)), new Set(participants))]
        const after = new Conversation({
          ...found.value,
          participantTracking: JSON.stringify({ participants: ids.map((one) => ({ id: one })) })
        })
        stored.set(id, after)
        return Option.some(after)
      })

  return Conversations.Default.pipe(
    Layer.provide(
      Layer.mock(ConversationRepo, {
        insert: ({ conversation }) =>
          Effect.sync(() => {
            stored.set(conversation.id, conversation)
            return conversation
          }),
        find,
        list: (organization, filters, request) =>
          Effect.sync(() => {
            askedFor.push(filters)
            const found = [...stored.values()]
              .filter(({ organizationId }) => organizationId === organization)
              .toReversed()
            return page(found.slice(0, request.limit), found.length, request)
          }),
        change: (organization, id, decide) =>
          Effect.flatMap(
            find(organization, id),
            Option.match({
              onNone: () => Effect.succeedNone,
              onSome: (before) =>
                Effect.map(decide(before), ({ conversation }) => {
                  stored.set(id, conversation)
                  return Option.some(conversation)
                })
            })
          ),
        join: moved((present, given) => new Set([...present, ...given])),
        leave: moved((present, given) => new Set([...present].filter((one) => !given.has(one))))
      })
    )
  )
}
