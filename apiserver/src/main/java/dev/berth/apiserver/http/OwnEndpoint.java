package dev.berth.apiserver.http;

import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.core.OwnService;
import dev.berth.apiserver.core.message.Answer;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.eclipse.jetty.server.ServerConnector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Where the server can be reached, and what the service `kubernetes` says of it ([OwnService]).
final class OwnEndpoint {
  private static final Logger log = LoggerFactory.getLogger(OwnEndpoint.class);

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
          (address.isAnyLocalAddress() ? outward() : address).getAddress());
    } catch (IOException unreachable) {
      return InetAddress.getLoopbackAddress();
    }
  }

  /// The machine's address for others. To connect a datagram's socket sends nothing.
  private static InetAddress outward() throws IOException {
    try (var socket = new DatagramSocket()) {
      socket.connect(OUTSIDE);
      var address = socket.getLocalAddress();
      return address.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : address;
    }
  }

  /// A server that cannot store it, such as one whose disk is full, serves what it has.
  static void publish(ApiServer api, InetSocketAddress endpoint) throws IOException {
    var address = endpoint.getAddress().getHostAddress().replaceFirst("%.*", "");
    try {
      for (var part : OwnService.upkeep(address, endpoint.getPort())) {
        var answer = api.handle(part.change());
        if (answer instanceof Answer.Refused(var refusal) && refusal.reason().equals("NotFound"))
          answer = api.handle(part.creation());
        if (answer instanceof Answer.Refused(var refusal))
          log.warn(
              "{} default/kubernetes: not stored: {}",
              part.change().resource().plural(),
              refusal.message());
      }
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while starting", stopping);
    }
  }
}
