/** A negative SMTP reply for smtp-server. `message` begins with an enhanced status code (RFC 3463). */
export const smtpRefusal = (responseCode: number, message: string): Error & { readonly responseCode: number } =>
  Object.assign(new Error(message), { responseCode })
