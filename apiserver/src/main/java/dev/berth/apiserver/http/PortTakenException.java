package dev.berth.apiserver.http;

import java.io.IOException;
import java.net.InetSocketAddress;

/// The server cannot listen where it should.
public final class PortTakenException extends IOException {
  private static final long serialVersionUID = 1;

  private final InetSocketAddress address;

  PortTakenException(InetSocketAddress address, IOException cause) {
    super(
        "listen on %s:%d: %s; stop who listens there, or choose another port"
            .formatted(address.getHostString(), address.getPort(), reason(cause)),
        cause);
    this.address = address;
  }

  public InetSocketAddress address() {
    return address;
  }

  private static String reason(IOException cause) {
    var bind = cause.getCause() == null ? cause : cause.getCause();
    return String.valueOf(bind.getMessage());
  }
}
