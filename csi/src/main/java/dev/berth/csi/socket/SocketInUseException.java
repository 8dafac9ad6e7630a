package dev.berth.csi.socket;

import java.io.IOException;
import java.io.Serial;

/// The name of a socket belongs to somebody else: another process answers there, or it is no socket
/// at all. Nothing was touched.
public final class SocketInUseException extends IOException {
  @Serial private static final long serialVersionUID = 1L;

  SocketInUseException(String message) {
    super(message);
  }
}
