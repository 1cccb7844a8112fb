/** Examples by operation id. */
export const sessionExamples = {
  "sessions.create": {
    request: { apiKey: "sk_sm_0123456789abcdefghijklmnopqrstuvwxyzABCD" },
    response: { csrfToken: "5f0c2b9e71d84a3692bd", expiresAt: "2026-11-20T21:30:00.000Z" }
  },
  "sessions.get": {
    response: {
      organization: { id: "01a1fc1d-cf8f-76d9-be28-52307925009f", name: "Analytical Engines" },
      permissions: { "*": ["*"] },
      roleName: "admin",
      csrfToken: "5f0c2b9e71d84a3692bd",
      expiresAt: "2026-11-20T21:30:00.000Z"
    }
  },
  "sessions.remove": { response: { success: true } }
}
