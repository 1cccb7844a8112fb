/** The numbers of a sender's messages by outcome. */
export interface SenderOutcomes {
  /** Messages that were sent, including the ones that bounced later. */
  readonly sent: number
  readonly bounced: number
  readonly complained: number
}

/** How long an outcome counts. */
export const reputationWindow = "30 days"

const perBouncedPercent = 10
const perComplainedPercent = 100

/** 100 less 10 for each percent of bounces and 100 for each percent of complaints; at least 0. */
export const reputation = ({ bounced, complained, sent }: SenderOutcomes): number => {
  if (sent === 0) return 100
  const lost = (100 * (perBouncedPercent * bounced + perComplainedPercent * complained)) / sent
  return Math.max(0, Math.round(100 - lost))
}
