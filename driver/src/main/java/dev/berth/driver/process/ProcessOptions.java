package dev.berth.driver.process;

import dev.berth.csi.socket.SocketAccess;
import dev.berth.csi.socket.SocketPath;
import dev.berth.driver.DriverServer.Service;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/// How a driver is served by its process.
///
/// @param socket ends in `.sock` (UDS-02)
/// @param access who may connect to it (UDS-07)
/// @param services Identity is always served
/// @param registry folder in which the kubelet looks for plugins; empty: nobody is told
/// @param kubeletPath the driver's socket as the kubelet reaches it
public record ProcessOptions(
    SocketPath socket,
    SocketAccess access,
    Set<Service> services,
    Optional<Path> registry,
    Path kubeletPath,
    HttpPlaces http) {
  public ProcessOptions {
    if (!socket.toString().endsWith(".sock"))
      throw new IllegalArgumentException(
          "endpoint %s does not end in .sock; write %s.sock".formatted(socket, socket));
    services = Set.copyOf(services);
  }

  /// Serves everything on a socket, and nothing beside it.
  public static ProcessOptions of(SocketPath socket) {
    return new ProcessOptions(
        socket,
        SocketAccess.OWNER_ONLY,
        Set.of(Service.values()),
        Optional.empty(),
        socket.path(),
        HttpPlaces.nowhere());
  }

  /// Reads [DriverProcess#HELP]'s arguments.
  ///
  /// @throws IllegalArgumentException for a value that makes no sense
  static ProcessOptions of(Arguments arguments) {
    var endpoint =
        arguments
            .find("--endpoint")
            .or(() -> arguments.find("--csi-address")) // REG-06, LIV-01
            .or(() -> Optional.ofNullable(System.getenv("CSI_ENDPOINT")))
            .orElseThrow(() -> new IllegalArgumentException("--endpoint is missing"));
    var socket = SocketPath.ofEndpoint(endpoint);
    return new ProcessOptions(
        socket,
        access(arguments),
        arguments.services(),
        arguments.find("--plugin-registration-path").map(Path::of),
        arguments.find("--kubelet-registration-path").map(Path::of).orElse(socket.path()),
        HttpPlaces.of(arguments));
  }

  private static SocketAccess access(Arguments arguments) {
    return new SocketAccess(
        arguments
            .find("--socket-mode", "an octal mode such as 0660", ProcessOptions::mode)
            .orElse(SocketAccess.OWNER_ONLY.mode()),
        arguments.find("--socket-group"));
  }

  private static Set<PosixFilePermission> mode(String octal) {
    if (!octal.matches("0?[0-7]{3}")) throw new IllegalArgumentException(octal);
    var bits = Integer.parseInt(octal, 8);
    var letters = new StringBuilder("rwxrwxrwx"); // from the owner's to others'
    for (var i = 0; i < letters.length(); i++)
      if ((bits & 0400 >> i) == 0) letters.setCharAt(i, '-');
    return PosixFilePermissions.fromString(letters.toString());
  }
}
