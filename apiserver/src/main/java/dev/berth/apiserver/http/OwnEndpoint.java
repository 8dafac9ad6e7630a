package dev.berth.apiserver.http;

import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.core.OwnService;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Comparator;
import java.util.List;
import org.eclipse.jetty.server.ServerConnector;

/// Where the server can be reached, and what the service `kubernetes` says of it ([OwnService]).
final class OwnEndpoint {
  /// Of documentation, which nobody has: the way there begins as the way to anybody outside.
  private static final InetSocketAddress OUTSIDE = new InetSocketAddress("192.0.2.1", 9);

  private OwnEndpoint() {}

  /// @param connector one that listens
  static InetSocketAddress of(ServerConnector connector) {
    return new InetSocketAddress(address(connector.getHost()), connector.getLocalPort());
  }

  private static InetAddress address(String bound) {
    try {
      var address = InetAddress.getByName(bound);
      // Known by no name: who is told it need not look it up.
      return InetAddress.getByAddress(
          (address.isAnyLocalAddress() ? outward(OUTSIDE) : address).getAddress());
    } catch (IOException unreachable) {
      return InetAddress.getLoopbackAddress();
    }
  }

  /// The machine's address for others: of the way to `outside` or, without one, of its interfaces.
  static InetAddress outward(InetSocketAddress outside) throws IOException {
    var address = wayTo(outside);
    return address.isAnyLocalAddress() || address.isLoopbackAddress() ? ofAnInterface() : address;
  }

  /// To connect a datagram's socket sends nothing.
  private static InetAddress wayTo(InetSocketAddress outside) throws IOException {
    try (var socket = new DatagramSocket()) {
      socket.connect(outside);
      return socket.getLocalAddress();
    } catch (SocketException noWay) {
      return InetAddress.getLoopbackAddress();
    }
  }

  /// The first of IPv4, or else the first; loopback where there is no other.
  private static InetAddress ofAnInterface() throws IOException {
    return NetworkInterface.networkInterfaces()
        .sorted(Comparator.comparingInt(NetworkInterface::getIndex))
        .flatMap(NetworkInterface::inetAddresses)
        .filter(each -> !each.isLoopbackAddress() && !each.isLinkLocalAddress())
        .min(Comparator.comparing(each -> !(each instanceof Inet4Address)))
        .orElseGet(InetAddress::getLoopbackAddress);
  }

  /// A server that cannot store it, such as one whose disk is full, serves what it has.
  static void publish(ApiServer api, InetSocketAddress endpoint) throws IOException {
    try {
      for (var part : upkeep(endpoint)) OwnUpkeep.putRight(api, part);
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while starting", stopping);
    }
  }

  static List<OwnService.Upkeep> upkeep(InetSocketAddress endpoint) {
    var address = endpoint.getAddress().getHostAddress().replaceFirst("%.*", "");
    return OwnService.upkeep(address, endpoint.getPort());
  }
}
