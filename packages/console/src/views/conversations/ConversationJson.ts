/** A participant of a conversation, from the JSON of `participantTracking`. */
export interface TrackedParticipant {
  readonly id: string
  readonly name: string
  readonly messageCount: number
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined

const numberOf = (value: unknown): number => (typeof value === "number" ? value : 0)

/** The participants in the JSON of `participantTracking`. */
export const trackedParticipants = (tracking: string): ReadonlyArray<TrackedParticipant> => {
  const participants = fieldOf(parse(tracking), "participants")
  return Array.isArray(participants)
    ? participants.map((participant: unknown) => ({
        id: String(fieldOf(participant, "id")),
        name: String(fieldOf(participant, "name")),
        messageCount: numberOf(fieldOf(participant, "messageCount"))
      }))
    : []
}

/** The average time to a reply in the JSON of `metrics`, in seconds; undefined without replies. */
export const averageResponseSeconds = (metrics: string): number | undefined => {
  const seconds = fieldOf(parse(metrics), "averageResponseSeconds")
  return typeof seconds === "number" ? seconds : undefined
}
