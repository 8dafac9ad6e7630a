package dev.berth.node.driver;

import dev.berth.csi.client.CsiConnection;
import dev.berth.kube.fact.Source.Follower;
import dev.berth.kube.fact.Source.News;
import dev.berth.node.plugin.Plugin;
import dev.berth.node.plugin.Plugins;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
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
  private final Function<Path, CsiConnection> opener;
  private final CallTimes times;

  // Guarded by this; nobody is connected to or told with it held.
  private final Map<String, Connected> connected = new HashMap<>();
  private final Set<String> changed = new LinkedHashSet<>();
  private boolean following;
  private boolean closed;

  private final Follower<Plugins.State> follower = this::follow;

  public Connections(Plugins registered, Drivers drivers) {
    this(registered, drivers, CallTimes.UNHEARD);
  }

  /// @param times hears how long drivers take
  public Connections(Plugins registered, Drivers drivers, CallTimes times) {
    this(registered, drivers, CsiConnection::open, times);
  }

  /// @param opener connects to a driver's socket
  Connections(
      Plugins registered, Drivers drivers, Function<Path, CsiConnection> opener, CallTimes times) {
    this.times = times;
    this.registered = registered;
    this.drivers = drivers;
    this.opener = opener;
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

  /// One thread at a time, so that what is told of a driver last is what is true of it; the others
  /// leave theirs to it. A failure with one driver is told, and keeps nobody from taking the next.
  private void follow(String name) {
    synchronized (this) {
      changed.add(name);
      if (following) return;
      following = true;
    }
    for (var next = next(); next.isPresent(); next = next()) takeOrTell(next.get());
  }

  private void takeOrTell(String name) {
    try {
      take(name);
    } catch (RuntimeException | Error failure) {
      log.error("driver {} could not be connected to, or left", name, failure);
    }
  }

  private synchronized Optional<String> next() {
    var next = changed.stream().findFirst();
    next.ifPresent(changed::remove);
    following = next.isPresent();
    return next;
  }

  private void take(String name) {
    var known = registered.find(name);
    var before = connected(name);
    if (before.isPresent() && known.filter(before.get()::reaches).isPresent()) return;
    if (known.isPresent()) connect(known.get());
    else if (before.isPresent() && leave(name)) {
      drivers.deregister(name);
      log.warn("driver {} is not registered any more: what it has mounted stays mounted", name);
    }
    // Calls in flight get their time; who registers a driver must not wait for them.
    before.ifPresent(old -> Thread.startVirtualThread(old.connection()::close));
  }

  private void connect(Plugin driver) {
    var connection = opener.apply(driver.endpoint()).through(times.of(driver.name()));
    if (!enter(
        new Connected(driver.registration(), driver.endpoint(), connection), driver.name())) {
      connection.close();
      return;
    }
    drivers.register(driver.name(), connection.node(CALL));
    if (isClosed()) drivers.deregister(driver.name()); // meanwhile
    else log.info("driver {} is registered, at {}", driver.name(), driver.endpoint());
  }

  private synchronized Optional<Connected> connected(String name) {
    return Optional.ofNullable(connected.get(name));
  }

  private synchronized boolean enter(Connected driver, String name) {
    if (!closed) connected.put(name, driver);
    return !closed;
  }

  private synchronized boolean leave(String name) {
    return connected.remove(name) != null;
  }

  private synchronized boolean isClosed() {
    return closed;
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
