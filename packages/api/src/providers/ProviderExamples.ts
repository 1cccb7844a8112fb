/** Examples of callbacks by operation id. */
export const providerExamples = {
  "providers.twilio": {
    request: { MessageSid: "SM5f0c1d2e3f405162738495a6b7c8d9e0", MessageStatus: "delivered", To: "+49301234567" },
    response: '<?xml version="1.0" encoding="UTF-8"?><Response/>',
    errors: {
      UnauthorizedError: { _tag: "UnauthorizedError", message: "The signature of the callback is missing or wrong" },
      ResourceNotFoundError: { _tag: "ResourceNotFoundError", resource: "provider", id: "twilio" },
      ValidationError: {
        _tag: "ValidationError",
        message: "The callback is invalid",
        fields: { MessageSid: ["is required"] }
      }
    }
  }
}
