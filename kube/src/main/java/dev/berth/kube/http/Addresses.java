package dev.berth.kube.http;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The addresses of a server's name, of which the JDK's client tries none but the first. It is
/// asked by its name first; if nobody takes a connection there, at its other addresses in turn,
/// until one does (as RFC 8305 has it, but one after the other). Safe for threads.
final class Addresses {
  private static final Logger log = LoggerFactory.getLogger(Addresses.class);

  /// How long an address of several may take to accept a connection.
  static final Duration CONNECT = Duration.ofSeconds(2);

  private final URI server;
  private final boolean named;
  private volatile List<InetAddress> all = List.of();
  private volatile int chosen; // 0: by the name

  /// A way to the server.
  ///
  /// @param place of its address among all
  record Way(int place, Optional<InetAddress> address) {
    /// The same request, this way.
    HttpRequest lead(HttpRequest request) {
      if (address.isEmpty()) return request;
      var uri = request.uri();
      var authority = text(address.get()) + (uri.getPort() < 0 ? "" : ":" + uri.getPort());
      var query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
      var there = uri.getScheme() + "://" + authority + uri.getRawPath() + query;
      return HttpRequest.newBuilder(request, (_, _) -> true).uri(URI.create(there)).build();
    }

    private static String text(InetAddress address) {
      var text = address.getHostAddress();
      return address instanceof Inet6Address ? "[" + text.replaceFirst("%.*", "") + "]" : text;
    }
  }

  /// @param direct whether it is we who connect to it, and no proxy
  Addresses(URI server, boolean direct) {
    this.server = server;
    var host = server.getHost();
    this.named = direct && host != null && !host.matches("[0-9.]+") && !host.startsWith("[");
  }

  /// Looks them up; the JDK remembers them for a while.
  ///
  /// @return whether there are several
  boolean areSeveral() {
    if (!named) return false;
    try {
      all = List.copyOf(Arrays.asList(InetAddress.getAllByName(server.getHost())));
    } catch (IOException unknown) {
      all = List.of(); // the client says so
    }
    return all.size() > 1;
  }

  Way way() {
    var now = all;
    int place = chosen;
    return place == 0 || place >= now.size()
        ? new Way(0, Optional.empty())
        : new Way(place, Optional.of(now.get(place)));
  }

  /// Chooses another way than one on which nobody took a connection.
  ///
  /// @param tried how many ways there have been before that
  /// @return false: all have been tried
  boolean another(Way failed, int tried) {
    int last = all.size() - 1;
    var now = choose(failed, last);
    if (tried >= last) return false;
    now.address()
        .ifPresent(it -> log.warn("{} is asked at {} now", server.getHost(), it.getHostAddress()));
    return true;
  }

  private synchronized Way choose(Way failed, int last) {
    if (chosen == failed.place()) chosen = failed.place() >= last ? 0 : failed.place() + 1;
    return way();
  }
}
