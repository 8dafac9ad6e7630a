package dev.berth.csi.socket;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// Where a socket stands: an absolute path that the kernel accepts as a socket's name.
///
/// @param path absolute and at most [#LIMIT] bytes long
public record SocketPath(Path path) {
  /// Longest path of a Unix socket in bytes; the kernel's limit is one more, for the closing NUL.
  public static final int LIMIT = 107;

  public SocketPath {
    if (!path.isAbsolute())
      throw new IllegalArgumentException(
          "socket path %s is relative; give an absolute path, as unix:///run/csi.sock"
              .formatted(path));
    var length = path.toString().getBytes(StandardCharsets.UTF_8).length;
    if (length > LIMIT)
      throw new IllegalArgumentException(
          "socket path %s has %d bytes, more than the %d that Linux allows; use a shorter folder"
              .formatted(path, length, LIMIT));
  }

  /// Reads a CSI endpoint: `unix:///run/csi.sock`, `unix:/run/csi.sock` or `/run/csi.sock`
  /// (UDS-01).
  ///
  /// @throws IllegalArgumentException for anything else, saying what to write instead
  public static SocketPath ofEndpoint(String endpoint) {
    var path =
        endpoint.startsWith("unix://")
            ? endpoint.substring("unix://".length())
            : endpoint.startsWith("unix:") ? endpoint.substring("unix:".length()) : endpoint;
    if (!path.startsWith("/"))
      throw new IllegalArgumentException(
          endpoint.startsWith("unix:")
              // What to put before it only its author knows: /rel.sock is hardly what was meant.
              ? "endpoint %s needs an absolute path, not %s; write it as unix:///run/csi.sock"
                  .formatted(endpoint, path.isEmpty() ? "none" : path)
              : "endpoint %s is not a Unix socket; write unix:///run/csi.sock".formatted(endpoint));
    return new SocketPath(Path.of(path));
  }

  /// Whether somebody takes connections there at this moment.
  public boolean isServed() {
    try (var _ = SocketChannel.open(address())) {
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  /// For gRPC's builders.
  public UnixDomainSocketAddress address() {
    return UnixDomainSocketAddress.of(path);
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
