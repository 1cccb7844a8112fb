/**
 * The indexes of lists of messages by status and channel, newest first. A process of the release before finds messages
 * by status with the primary key until it is replaced.
 */
export const M0037ListIndexes = [
  {
    name: "message_states_listed",
    on: "message_states (organization_id, listed_status, message_id)"
  },
  { name: "messages_channel", on: "messages (organization_id, channel, id)" }
]
