package dev.berth.node.plugin;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.client.CsiException;
import dev.berth.csi.registration.v1.InfoRequest;
import dev.berth.csi.registration.v1.RegistrationStatus;
import dev.berth.csi.v1.NodeGetInfoRequest;
import dev.berth.kube.time.Backoff;
import dev.berth.kube.time.Time;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Registers the drivers whose sockets stand in the registry folder, and unregisters those whose
/// sockets go (NREG-01 to NREG-12). What is registered stands in the [Plugins].
public final class PluginRegistrations implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PluginRegistrations.class);
  private static final Duration GET_INFO = Duration.ofSeconds(10);
  private static final Duration NODE_GET_INFO = Duration.ofMinutes(2);
  private static final Duration NOTIFY = Duration.ofSeconds(5);

  private final Plugins drivers;
  private final Time time;
  private final Backoff backoff;
  private final PluginSockets sockets;
  private final Map<Path, Attempt> attempts = new HashMap<>();
  private boolean closed;

  /// @param registry folder to watch; made if it is missing
  public PluginRegistrations(Path registry, Plugins drivers, Time time) throws IOException {
    this.drivers = drivers;
    this.time = time;
    this.backoff = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(122));
    this.sockets =
        new PluginSockets(
            registry,
            new PluginSockets.Listener() {
              @Override
              public void appeared(Path socket) {
                begin(socket);
              }

              @Override
              public void vanished(Path socket) {
                end(socket);
              }
            });
  }

  public void start() {
    sockets.start();
  }

  /// Sockets that are there, whoever serves them.
  synchronized List<Path> sockets() {
    return List.copyOf(attempts.keySet());
  }

  private synchronized void begin(Path socket) {
    if (closed) return;
    var attempt = new Attempt(socket);
    attempts.put(socket, attempt);
    time.start(attempt::run);
  }

  private void end(Path socket) {
    Attempt attempt;
    List<Attempt> others;
    synchronized (this) {
      attempt = attempts.remove(socket);
      others = List.copyOf(attempts.values());
    }
    if (attempt == null) return;
    attempt.cancel();
    var gone = attempt.offered();
    if (gone.isEmpty() || drivers.find(gone).isPresent()) return;
    others.forEach(other -> other.takeOver(gone));
  }

  /// Tells a driver that it is registered, or why it is not.
  ///
  /// @param error empty: it is
  /// @throws CsiException if it could not be told
  public void answer(Plugin driver, String error) {
    tell(driver.registration(), error);
    if (error.isEmpty()) drivers.confirm(driver.name(), driver.registration());
    else drivers.remove(driver.name(), driver.registration());
  }

  /// Asks a driver once more how many of its volumes fit on the node, and notes it (NCSN-09). One
  /// that does not say is not asked at once again: what it said before stands.
  ///
  /// @throws CsiException if it does not say
  public void ask(Plugin driver) {
    try (var connection = CsiConnection.open(driver.endpoint())) {
      var info =
          connection.node(NODE_GET_INFO).nodeGetInfo(NodeGetInfoRequest.getDefaultInstance());
      drivers.count(driver, info.getMaxVolumesPerNode(), time.now());
    } catch (CsiException silent) {
      drivers.count(driver, driver.maxVolumes(), time.now());
      throw silent;
    }
  }

  private static void tell(Path socket, String error) {
    try (var connection = CsiConnection.open(socket)) {
      connection
          .registration(NOTIFY)
          .notifyRegistrationStatus(
              RegistrationStatus.newBuilder()
                  .setPluginRegistered(error.isEmpty())
                  .setError(error)
                  .build());
    }
  }

  @Override
  public void close() {
    sockets.close();
    synchronized (this) {
      closed = true;
      attempts.values().forEach(Attempt::stop);
      attempts.clear();
    }
  }

  /// The registration of one socket, from its appearance to its removal.
  private final class Attempt {
    private final Path socket;

    // Guarded by this; nobody is told with it held.
    private String offered = "";
    private String driver = "";
    private int failures;
    private boolean over;
    private boolean gone;

    Attempt(Path socket) {
      this.socket = socket;
    }

    void run() {
      try {
        register();
      } catch (Offer.Refused refused) {
        log.warn("driver on {} refused: {}", socket, refused.why());
        refuse(refused.why());
      } catch (RuntimeException failed) { // of the call, or of a socket whose path is too long
        again(failed);
      }
    }

    private void register() throws Offer.Refused {
      Offer offer;
      try (var connection = CsiConnection.open(socket)) {
        var info = connection.registration(GET_INFO).getInfo(InfoRequest.getDefaultInstance());
        offer = Offer.of(info, socket);
        note(offer);
      }
      try (var connection = CsiConnection.open(offer.endpoint())) {
        var info =
            connection.node(NODE_GET_INFO).nodeGetInfo(NodeGetInfoRequest.getDefaultInstance());
        if (info.getNodeId().isEmpty())
          throw new Offer.Refused("driver " + offer.driver() + " gave an empty node id");
        enter(
            new Plugin(
                offer.driver(),
                socket,
                offer.endpoint(),
                offer.version(),
                info.getNodeId(),
                info.getAccessibleTopology().getSegmentsMap(),
                info.getMaxVolumesPerNode(),
                false,
                time.now()));
      }
    }

    private synchronized void note(Offer offer) {
      offered = offer.driver();
    }

    /// Name of the driver that was met on the socket; empty: none was yet.
    private synchronized String offered() {
      return offered;
    }

    private void enter(Plugin registered) throws Offer.Refused {
      var other = drivers.find(registered.name());
      // NREG-06
      if (other.isPresent()
          && !other.get().registration().equals(socket)
          && registered.version().compareTo(other.get().version()) <= 0)
        throw new Offer.Refused(
            "RegisterPlugin error -- plugin validation failed with err: driver %s of version %s: Another driver with the same name is already registered with a higher supported version, or the same: %s on %s; it is registered when that socket goes"
                .formatted(
                    registered.name(),
                    registered.version(),
                    other.get().version(),
                    other.get().registration()));
      if (!claim(registered.name())) return;
      drivers.add(registered);
      log.info("driver {} on {} has told of itself", registered.name(), registered.endpoint());
      if (isGone()) drivers.remove(registered.name(), socket); // meanwhile
    }

    private synchronized boolean claim(String name) {
      if (over) return false;
      driver = name;
      return true;
    }

    private synchronized boolean isGone() {
      return gone;
    }

    private void refuse(String why) {
      try {
        tell(socket, why);
      } catch (CsiException gone) {
        log.debug("driver on {} did not take its refusal: {}", socket, gone.getMessage());
      }
    }

    private void again(RuntimeException failure) {
      Duration pause;
      synchronized (this) {
        if (over) return;
        pause = backoff.after(++failures);
        time.after(pause, this::run);
      }
      log.info("registration on {} failed, again in {}: {}", socket, pause, failure.toString());
    }

    /// The socket is gone, so the driver is (NREG-08); it is not dialled again.
    void cancel() {
      String name;
      synchronized (this) {
        over = true;
        gone = true;
        name = driver;
      }
      if (name.isEmpty()) return;
      drivers.remove(name, socket);
      log.info("driver {} has gone with its socket {}", name, socket);
    }

    /// The driver of this socket, which gave way to another or had to wait for it, is asked anew if
    /// that one has gone (NREG-13).
    synchronized void takeOver(String gone) {
      if (!over && offered.equals(gone)) time.start(this::run);
    }

    /// The agent stops; the driver stays registered for the next one.
    synchronized void stop() {
      over = true;
    }
  }
}
