package dev.berth.sidecar;

import static dev.berth.sidecar.connection.Introduction.ANSWER;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.client.CsiException;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Kind;
import dev.berth.kube.snapshot.SnapshotKinds;
import dev.berth.kube.time.Backoff;
import dev.berth.kube.time.Time;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.connection.Introduction;
import dev.berth.sidecar.metric.SidecarMetrics;
import dev.berth.sidecar.part.Sidecar;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs all sidecars of the driver behind one socket, as long as the driver is there and no other
/// socket serves it ([DriverNames]).
///
/// A driver that goes takes its sidecars' loops with it, and nothing else: no work is begun on
/// facts of a connection that is lost, and no other driver notices. When it comes back, it is asked
/// anew who it is and what it can do (PROV-01 to PROV-04).
public final class DriverSidecars implements AutoCloseable {
  /// What the caches must be able to hold: all that some part of some driver may read.
  public static final List<Kind<?>> KINDS =
      List.of(
          Kinds.CLAIM,
          Kinds.VOLUME,
          Kinds.STORAGE_CLASS,
          Kinds.ATTACHMENT,
          Kinds.POD,
          Kinds.NODE,
          Kinds.CSI_NODE,
          Kinds.STORAGE_CAPACITY,
          SnapshotKinds.SNAPSHOT,
          SnapshotKinds.CONTENT,
          SnapshotKinds.CLASS,
          SnapshotKinds.GROUP_CONTENT,
          SnapshotKinds.GROUP_CLASS,
          Kinds.ATTRIBUTES_CLASS);

  private static final Logger log = LoggerFactory.getLogger(DriverSidecars.class);
  private static final Backoff SEEKING =
      new Backoff(Duration.ofMillis(20), Duration.ofSeconds(1)); // PROV-02, PROV-03

  private final Path socket;
  private final DriverNames names;
  private final Caches caches;
  private final Time time;
  private final SidecarMetrics metrics;
  private final Recorders recorders;
  private final SidecarOptions options;

  // Guarded by this.
  private Contact contact;
  private Optional<CsiConnection> connection = Optional.empty();
  private Optional<DriverLoops> loops = Optional.empty();
  private Consumer<String> useless = _ -> {};
  private int failures;

  /// @param socket absolute path of the driver's socket; need not exist yet
  /// @param names of all drivers that this process serves
  /// @param caches of at least [#KINDS]; those that are needed are wanted of them
  public DriverSidecars(
      Path socket,
      DriverNames names,
      Caches caches,
      Time time,
      SidecarMetrics metrics,
      Recorders recorders,
      SidecarOptions options) {
    this.socket = socket;
    this.names = names;
    this.caches = caches;
    this.time = time;
    this.metrics = metrics;
    this.recorders = recorders;
    this.options = options;
    contact = new Contact.Seeking(time.now(), "not started");
  }

  /// Begins to seek the driver; returns at once.
  public void start() {
    time.start(this::seek);
  }

  /// Begins to seek the driver; returns at once.
  ///
  /// @param useless told on each connection to a driver for which none of the chosen sidecars has
  ///   anything to do, and why
  public void start(Consumer<String> useless) {
    synchronized (this) {
      this.useless = useless;
    }
    start();
  }

  public synchronized Contact contact() {
    return contact;
  }

  /// Whether a sidecar acts though its Lease has run out `grace` ago (PROV-173).
  public synchronized boolean isStuck(Duration grace) {
    var now = time.now();
    return duties().stream().anyMatch(it -> it.isStuck(now, grace));
  }

  /// What keeps single sidecars of the driver from working.
  public List<Trouble> troubles() {
    return duties().stream().flatMap(it -> it.troubles().stream()).toList();
  }

  /// Whether none of the driver's sidecars can do what it is for.
  public boolean isIdle() {
    var all = duties();
    return !all.isEmpty() && all.stream().noneMatch(Duty::isUp);
  }

  /// Whether it is this process that watches over the health of this driver's volumes.
  public synchronized boolean watchesHealthOf(String driver) {
    return contact instanceof Contact.Serving(_, var facts)
        && facts.name().equals(driver)
        && loops.flatMap(DriverLoops::health).filter(Duty::leads).isPresent();
  }

  private synchronized List<Duty> duties() {
    return loops.map(DriverLoops::duties).orElse(List.of());
  }

  /// Begins nothing more; returns at once.
  ///
  /// @return done when what runs has ended, and the Leases are given up
  public CompletableFuture<Void> stop() {
    return end(new Contact.Ended());
  }

  /// Begins nothing more, and waits until what runs has ended.
  @Override
  public void close() {
    stop().join();
  }

  private void seek() {
    var candidate = connect();
    if (candidate.isEmpty()) return;
    var opened = candidate.get();
    try {
      var introduction = introduction(opened.through(metrics.calls()));
      if (introduction.ready()) takeName(opened, introduction.facts());
      else later("it says that it is not ready yet");
    } catch (CsiException | IllegalArgumentException refusal) {
      later(String.valueOf(refusal.getMessage()));
    }
  }

  private Introduction introduction(CsiConnection opened) {
    return new Introduction(
        opened.identity(ANSWER),
        DriverLoops.calls(opened),
        options.chosen().contains(Sidecar.RESIZER) || options.node().isPresent()
            ? Optional.of(opened.node(ANSWER))
            : Optional.empty(),
        options.node());
  }

  /// One connection as long as it is sought; a new one after each loss.
  private synchronized Optional<CsiConnection> connect() {
    if (contact instanceof Contact.Ended) return Optional.empty();
    if (connection.isEmpty()) connection = Optional.of(CsiConnection.open(socket));
    return connection;
  }

  /// Keyed by name: another socket may answer for the same driver, and two provisioners or
  /// attachers of one driver would undo each other's work.
  private void takeName(CsiConnection opened, DriverFacts driver) {
    var over = new AtomicBoolean(); // whichever comes first, once for each connection
    Runnable anew =
        () -> {
          if (over.compareAndSet(false, true)) time.start(() -> anew(driver));
        };
    var other = names.take(driver.name(), socket, anew);
    if (other.isEmpty()) serve(opened, driver);
    else seeking("driver %s is served through %s".formatted(driver.name(), other.get()));
    opened.whenLost(anew);
    if (contact() instanceof Contact.Ended) names.leave(socket); // ended meanwhile
  }

  private void later(String why) {
    seeking(why);
    synchronized (this) {
      if (contact instanceof Contact.Ended) return;
      time.after(SEEKING.after(++failures), this::seek);
    }
  }

  private void seeking(String why) {
    boolean news;
    synchronized (this) {
      if (contact instanceof Contact.Ended) return;
      var since = contact instanceof Contact.Seeking(var begun, _) ? begun : time.now();
      news = !contact.equals(new Contact.Seeking(since, why));
      contact = new Contact.Seeking(since, why);
    }
    if (news) log.info("{}: driver not reached: {}", socket, why);
  }

  private void serve(CsiConnection opened, DriverFacts driver) {
    if (contact() instanceof Contact.Ended) return;
    var begun = DriverLoops.of(driver, opened, caches, time, metrics, recorders, options);
    if (!serves(driver, begun)) {
      var _ = begun.stop(); // ended meanwhile
      return;
    }
    log.info("{}: {}", socket, begun.told());
    begun.start();
    // who is alone on its machine has made the object itself
    if (!(options.leadership() instanceof Leadership.Announced))
      time.start(() -> tellMisfits(driver));
    var teller = useless();
    if (begun.duties().isEmpty()) time.start(() -> teller.accept(begun.told()));
  }

  private synchronized boolean serves(DriverFacts driver, DriverLoops begun) {
    if (contact instanceof Contact.Ended) return false;
    failures = 0;
    contact = new Contact.Serving(time.now(), driver);
    loops = Optional.of(begun);
    return true;
  }

  private synchronized Consumer<String> useless() {
    return useless;
  }

  private void tellMisfits(DriverFacts driver) {
    for (var misfit : Misfits.read(caches.api(), driver, options))
      log.warn("{}: CSIDriver {} does not fit the driver: {}", socket, driver.name(), misfit);
  }

  /// The connection is lost, or who served the driver in our place has gone.
  private void anew(DriverFacts driver) {
    if (contact() instanceof Contact.Ended) return;
    if (contact() instanceof Contact.Serving) log.warn("{}: lost driver {}", socket, driver.name());
    var _ =
        end(new Contact.Seeking(time.now(), "lost connection to the driver")).thenRun(this::seek);
  }

  /// Stops the loops and, when what runs in them has ended, closes the connection. Nothing comes
  /// after the end.
  private CompletableFuture<Void> end(Contact next) {
    Optional<DriverLoops> running;
    Optional<CsiConnection> open;
    synchronized (this) {
      if (!(contact instanceof Contact.Ended)) contact = next;
      running = loops;
      open = connection;
      loops = Optional.empty();
      connection = Optional.empty();
    }
    return running
        .map(DriverLoops::stop)
        .orElse(CompletableFuture.completedFuture(null))
        .thenRun(() -> {
          open.ifPresent(CsiConnection::close);
          names.leave(socket); // only now: what ran for the driver has ended
        });
  }
}
