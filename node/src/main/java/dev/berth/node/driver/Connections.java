package dev.berth.node.driver;

import dev.berth.csi.client.CsiConnection;
import dev.berth.kube.fact.Source.Follower;
import dev.berth.kube.fact.Source.News;
import dev.berth.node.plugin.Plugin;
import dev.berth.node.plugin.Plugins;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps a connection to each driver that plugin registration knows, and [Drivers] in step with it.
public final class Connections implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Connections.class);

  /// A node call may take so long (NCSI-01); then nobody knows whether it took effect.
  private static final Duration CALL = Duration.ofMinutes(2);

  private final Plugins registered;
  private final Drivers drivers;
  private final Map<String, Connected> connected = new HashMap<>(); // guarded by this
  private boolean closed; // guarded by this
  private final Follower<Plugins.State> follower = this::follow;

  public Connections(Plugins registered, Drivers drivers) {
    this.registered = registered;
    this.drivers = drivers;
    registered.source().follow(follower);
    registered.state().registered().keySet().forEach(this::follow);
  }

  private record Connected(Path registration, Path endpoint, CsiConnection connection) {
    boolean reaches(Plugin driver) {
      return registration.equals(driver.registration()) && endpoint.equals(driver.endpoint());
    }
  }

  private void follow(News<Plugins.State> news) {
    Stream.of(news.before(), news.after())
        .flatMap(state -> state.registered().keySet().stream())
        .distinct()
        .forEach(this::follow);
  }

  private synchronized void follow(String name) {
    if (closed) return;
    var known = registered.find(name);
    var before = connected.get(name);
    if (before != null && known.filter(before::reaches).isPresent()) return;
    if (known.isEmpty()) {
      if (before == null) return;
      connected.remove(name);
      drivers.deregister(name);
      log.warn("driver {} is not registered any more: what it has mounted stays mounted", name);
    } else {
      var connection = CsiConnection.open(known.get().endpoint());
      connected.put(
          name, new Connected(known.get().registration(), known.get().endpoint(), connection));
      drivers.register(name, connection.node(CALL));
      log.info("driver {} is registered, at {}", name, known.get().endpoint());
    }
    // Calls in flight get their time; who registers a driver must not wait for them.
    if (before != null) Thread.startVirtualThread(before.connection()::close);
  }

  /// Ends all connections.
  @Override
  public void close() {
    registered.source().unfollow(follower);
    Map<String, Connected> open;
    synchronized (this) {
      closed = true;
      open = Map.copyOf(connected);
      connected.clear();
    }
    open.forEach((name, driver) -> {
      drivers.deregister(name);
      driver.connection().close();
    });
  }
}
