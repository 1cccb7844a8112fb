const window = {
  serviceWindowId: "01a1fc1e-3a10-7b52-9c7e-5d2e1f3a4b60",
  isServiceWindowActive: true,
  isFreeEntryPointActive: false,
  serviceWindowExpiresAt: "2026-11-21T09:30:00.000Z"
}

const ofAda = { ...window, participantId: "01a1fc1d-e1b3-70c2-a5d2-d20017eabdaa" }

/** Examples by operation id. */
export const serviceWindowExamples = {
  "serviceWindows.list": {
    response: { items: [ofAda], pagination: { page: 1, limit: 20, total: 1, totalPages: 1 } }
  },
  "serviceWindows.open": { request: { participantId: ofAda.participantId }, response: ofAda },
  "serviceWindows.get": { response: ofAda },
  "serviceWindows.activate": {
    request: { serviceWindowId: window.serviceWindowId, source: "ads" },
    response: { ...window, isFreeEntryPointActive: true, freeEntryPointExpiresAt: "2026-11-23T10:02:11.000Z" }
  }
}
