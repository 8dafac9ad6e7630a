package dev.berth.driver.process;

import dev.berth.csi.socket.SocketPath;
import dev.berth.driver.DriverServer.Service;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/// How a driver is served by its process.
///
/// @param services Identity is always served
/// @param registry folder in which the kubelet looks for plugins; empty: nobody is told
/// @param kubeletPath the driver's socket as the kubelet reaches it
/// @param http where liveness and metrics are served; empty: nowhere
public record ProcessOptions(
    SocketPath socket,
    Set<Service> services,
    Optional<Path> registry,
    Path kubeletPath,
    Optional<InetSocketAddress> http) {
  public ProcessOptions {
    services = Set.copyOf(services);
  }

  /// Serves everything on a socket, and nothing beside it.
  public static ProcessOptions of(SocketPath socket) {
    return new ProcessOptions(
        socket, Set.of(Service.values()), Optional.empty(), socket.path(), Optional.empty());
  }

  /// Reads [DriverProcess#HELP]'s arguments.
  ///
  /// @throws IllegalArgumentException for a value that makes no sense
  static ProcessOptions of(Arguments arguments) {
    var endpoint =
        arguments
            .find("--endpoint")
            .or(() -> Optional.ofNullable(System.getenv("CSI_ENDPOINT")))
            .orElseThrow(() -> new IllegalArgumentException("--endpoint is missing"));
    var socket = SocketPath.ofEndpoint(endpoint);
    return new ProcessOptions(
        socket,
        arguments.services(),
        arguments.find("--plugin-registration-path").map(Path::of),
        arguments.find("--kubelet-registration-path").map(Path::of).orElse(socket.path()),
        arguments.find("--http-endpoint", "HOST:PORT or :PORT", ProcessOptions::address));
  }

  /// As Go reads it: without a host it is every address of the machine.
  private static InetSocketAddress address(String text) {
    if (text.startsWith(":")) return new InetSocketAddress(Integer.parseInt(text.substring(1)));
    var uri = URI.create("http://" + text);
    if (uri.getHost() == null || uri.getPort() < 0) throw new IllegalArgumentException(text);
    return new InetSocketAddress(uri.getHost(), uri.getPort());
  }
}
