import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { EventId, type EventType } from "@switchboard/domain/events/EventType"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { EventRepo } from "@switchboard/services/events/EventRepo"
import type { StoredEvent } from "@switchboard/services/events/StoredEvent"
import { DateTime, Effect, Layer, Option } from "effect"
import { v7 } from "uuid"

const unavailable = new ServiceUnavailableError({ message: "The database can't be reached", retryAfterSeconds: 1 })

/** An event repository in memory whose database can be made unavailable. */
export const eventsInMemory = () => {
  const events: Array<StoredEvent> = []
  const state = { isUnavailable: false, reads: 0 }
  const positionOf = ({ id }: StoredEvent) => ({ batch: "1", id })
  const of = (organization: OrganizationId) =>
    Effect.suspend(() =>
      state.isUnavailable
        ? unavailable
        : Effect.succeed(events.filter(({ organizationId }) => organizationId === organization))
    )
  const layer = Layer.succeed(EventRepo, {
    after: (organization, position, limit, accepts) =>
      Effect.suspend(() => {
        state.reads += 1
        return Effect.map(of(organization), (mine) => {
          const from = position === null ? 0 : mine.findIndex(({ id }) => id === position.id) + 1
          const found = mine.slice(from, from + limit)
          const last = found.at(-1)
          return {
            events: found.filter(({ type }) => accepts(type)).map((event) => ({ event, message: null })),
            position: last === undefined ? position : positionOf(last),
            isFull: found.length === limit
          }
        })
      }),
    position: (organization) =>
      Effect.map(of(organization), (mine) => {
        const last = mine.at(-1)
        return last === undefined ? null : positionOf(last)
      }),
    positionOf: (organization, requested) =>
      Effect.map(of(organization), (mine) =>
        Option.map(Option.fromNullable(mine.find(({ id }) => id === requested)), positionOf)
      )
  })
  /** Stores events of the given types and returns their ids. */
  const append = (organizationId: OrganizationId, ...types: ReadonlyArray<EventType>) =>
    Effect.map(DateTime.now, (at) =>
      types.map((type) => {
        const id = EventId.make(v7())
        events.push({ id, organizationId, type, subjectId: v7(), data: { name: type }, at })
        return id
      })
    )
  return { layer, append, state }
}
