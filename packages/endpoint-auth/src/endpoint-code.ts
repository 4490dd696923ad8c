/** Why an endpoint, or the private directory it lives in, was refused. */
export type EndpointCode =
  | "platform_unsupported"
  | "root_not_private"
  | "socket_path_too_long"
  | "not_absolute"
  | "wrong_name"
  | "missing"
  | "symlink"
  | "wrong_type"
  | "not_owned"
  | "not_private"
  | "hard_linked"
  | "too_large"
  | "malformed"
  | "unknown_version"
  | "replaced"
  | "dead_socket"
  | "revoked";
