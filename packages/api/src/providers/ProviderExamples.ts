const unsigned = { _tag: "UnauthorizedError", message: "The signature of the callback is missing or wrong" }

/** Examples of callbacks by operation id. */
export const providerExamples = {
  "providers.confirmWhatsApp": {
    response: "1158201444",
    errors: {
      UnauthorizedError: { _tag: "UnauthorizedError", message: "The verify token is missing or wrong" },
      ResourceNotFoundError: { _tag: "ResourceNotFoundError", resource: "provider", id: "whatsapp" }
    }
  },
  "providers.whatsapp": {
    response: "",
    request: {
      object: "whatsapp_business_account",
      entry: [
        {
          id: "102290129340398",
          changes: [
            {
              field: "messages",
              value: {
                messaging_product: "whatsapp",
                metadata: { display_phone_number: "4930123456", phone_number_id: "106540352242922" },
                statuses: [
                  {
                    id: "wamid.HBgLNDkxNTE",
                    status: "delivered",
                    timestamp: "1795946400",
                    recipient_id: "4915112345678"
                  }
                ]
              }
            }
          ]
        }
      ]
    },
    errors: {
      UnauthorizedError: unsigned,
      ResourceNotFoundError: { _tag: "ResourceNotFoundError", resource: "provider", id: "whatsapp" },
      ValidationError: {
        _tag: "ValidationError",
        message: "The callback is invalid",
        fields: { body: ["must be JSON"] }
      }
    }
  },
  "providers.twilio": {
    request: { MessageSid: "SM5f0c1d2e3f405162738495a6b7c8d9e0", MessageStatus: "delivered", To: "+49301234567" },
    response: '<?xml version="1.0" encoding="UTF-8"?><Response/>',
    errors: {
      UnauthorizedError: unsigned,
      ResourceNotFoundError: { _tag: "ResourceNotFoundError", resource: "provider", id: "twilio" },
      ValidationError: {
        _tag: "ValidationError",
        message: "The callback is invalid",
        fields: { MessageSid: ["is required"] }
      }
    }
  }
}
