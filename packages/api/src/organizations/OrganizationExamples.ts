const at = "2026-11-20T09:30:00.000Z"

/** An organization with all optional fields. */
export const organizationExample = {
  id: "01a1fc1d-cf8f-76d9-be28-52307925009f",
  name: "Analytical Engines",
  slug: "analytical-engines",
  logo: "https://example.com/logo.png",
  defaultCurrency: "EUR",
  countryCode: "DE",
  timezone: "Europe/Berlin",
  billingEmail: "billing@example.com",
  plan: "growth",
  isActive: true,
  metadata: { costCentre: 1815 },
  messagesUsed: 48_213,
  messagesUsedThisMonth: 1_207,
  smsUsed: 0,
  smsUsedThisMonth: 0,
  whatsappUsed: 0,
  whatsappUsedThisMonth: 0,
  emailUsed: 48_213,
  emailUsedThisMonth: 1_207,
  participantsUsed: 8_190,
  conversationsUsed: 0,
  teamMembersUsed: 0,
  messagesResetAt: "2026-12-01T00:00:00.000Z",
  createdAt: at,
  updatedAt: at
}

/** Examples by operation id. */
export const organizationExamples = {
  "organizations.get": { response: organizationExample },
  "organizations.update": {
    request: { timezone: "Europe/Berlin", metadata: { costCentre: 1815 } },
    response: organizationExample
  }
}
