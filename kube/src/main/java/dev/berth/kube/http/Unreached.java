package dev.berth.kube.http;

import dev.berth.kube.api.ApiException;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLException;

/// Why a server did not answer, in words for people: the client's own are often none.
final class Unreached {
  private Unreached() {}

  /// @param what was asked
  static ApiException.Unreachable failure(String what, URI server, Throwable cause) {
    return new ApiException.Unreachable(
        "%s of %s: %s".formatted(what, server.getAuthority(), words(cause)), cause);
  }

  static String words(Throwable failure) {
    boolean refused = false;
    boolean encrypted = false;
    Throwable last = failure;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnresolvedAddressException || cause instanceof UnknownHostException)
        return "unknown host";
      if (cause instanceof CertPathBuilderException)
        return "its certificate is not trusted: no authority that is known here has signed it";
      if (cause instanceof CertificateException && cause.getCause() == null)
        return "its certificate is not trusted: " + told(cause);
      refused |= cause instanceof ConnectException;
      encrypted |= cause instanceof SSLException;
      last = cause;
    }
    if (encrypted) return "no encrypted connection: " + told(last);
    if (refused && (failure.getMessage() == null || told(last).contains("refused")))
      return "connection refused";
    return told(failure);
  }

  private static String told(Throwable failure) {
    var message = failure.getMessage();
    return message == null ? failure.getClass().getSimpleName() : message;
  }
}
