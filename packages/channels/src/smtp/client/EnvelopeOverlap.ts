/**
 * Whether connections send the envelope of the next mail with the end of a mail (RFC 2920 section 3.1). Some relays then
 * reply to the envelope before they reply to the mail.
 */
export interface EnvelopeOverlap {
  readonly isEnabled: () => boolean
  /** Called when the relay replied out of order. */
  readonly disable: () => void
}

/** An overlap that is enabled until the relay replies out of order. */
export const envelopeOverlap = (onDisabled: () => void = () => undefined): EnvelopeOverlap => {
  let isEnabled = true
  return {
    isEnabled: () => isEnabled,
    disable: () => {
      if (isEnabled) onDisabled()
      isEnabled = false
    }
  }
}
