/** The tracking of a mail, in its HTML. */
export interface Tracking {
  /** Whether an image reports that the mail is opened. */
  readonly trackOpens: boolean
  /** Whether its links report that they are followed. */
  readonly trackClicks: boolean
}

/** Nothing is tracked. */
export const untracked: Tracking = { trackOpens: false, trackClicks: false }
