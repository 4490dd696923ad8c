/** Nothing could be sent: there is no connection to send it on. */
export class ConnectError extends Error {
  override readonly name = "ConnectError";
  readonly code: "connect_failed" | "tls_failed" | "address_refused";

  constructor(code: ConnectError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
