package dev.berth.apiserver.tls;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/// The file by which clients find the server, believe it and are believed.
final class Kubeconfig {
  private Kubeconfig() {}

  /// @param authority certificate of the server's authority as PEM
  /// @param token the administrator's
  static String text(URI server, String authority, String token) {
    var encoded = Base64.getEncoder().encodeToString(authority.getBytes(StandardCharsets.US_ASCII));
    return """
    apiVersion: v1
    kind: Config
    clusters:
    - name: berth
      cluster:
        server: %s
        certificate-authority-data: %s
    users:
    - name: %s
      user:
        token: %s
    contexts:
    - name: berth
      context:
        cluster: berth
        user: %s
        namespace: default
    current-context: berth
    """
        .formatted(server, encoded, Identity.ADMIN.name(), token, Identity.ADMIN.name());
  }
}
