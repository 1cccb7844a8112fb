import { PauseTarget } from "@switchboard/services/queues/PauseRepo"

/** The name of the target of a pause, for operators. */
export const targetName = PauseTarget.$match({
  Channel: ({ channel }) => channel,
  Organization: ({ organizationId }) => `organization ${organizationId}`
})

/** The option of "switchboard queues" that names the target. */
export const optionOf = PauseTarget.$match({
  Channel: ({ channel }) => `--channel ${channel}`,
  Organization: ({ organizationId }) => `--organization ${organizationId}`
})
