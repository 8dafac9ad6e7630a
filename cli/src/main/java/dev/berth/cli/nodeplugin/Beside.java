package dev.berth.cli.nodeplugin;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.client.CsiException;
import dev.berth.csi.registrar.Reach;
import dev.berth.csi.registrar.Registrar;
import dev.berth.csi.v1.GetPluginInfoRequest;
import dev.berth.csi.v1.NodeGetCapabilitiesRequest;
import dev.berth.csi.v1.NodeServiceCapability;
import dev.berth.driver.process.Liveness;
import dev.berth.driver.process.Liveness.Standing;
import dev.berth.driver.process.Liveness.Verdict;
import dev.berth.driver.process.RegistrationText;
import dev.berth.driver.process.TextEndpoint.Text;
import dev.berth.kube.time.Backoff;
import dev.berth.sidecar.metric.CallMetrics;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One driver of [NodeSidecars]: sought, shown to the kubelet, and asked how it is. A driver that
/// comes back as another, by its name or by what its node plugin can do, is shown anew, so that the
/// kubelet asks it again (REG-08).
final class Beside implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Beside.class);
  private static final Duration FRESH = Duration.ofSeconds(1);
  private static final Backoff SEEKING =
      new Backoff(Duration.ofMillis(20), Duration.ofSeconds(1)); // as often as upstream's

  /// What a driver says of itself, as far as the kubelet goes by it.
  private record Known(String name, Set<NodeServiceCapability.RPC.Type> capabilities) {}

  private final NodeSidecars.Driver driver;
  private final NodeSidecars.Options options;
  private final ConcurrentMap<String, Beside> names;
  private final CallMetrics metrics;
  private final Thread thread;

  // Guarded by this.
  private Optional<Known> known = Optional.empty();
  private Optional<Registrar> registrar = Optional.empty();
  private Optional<Liveness> liveness = Optional.empty();
  private Optional<String> trouble = Optional.of("not sought yet");
  private boolean closed;

  /// @param names of all drivers of this process, each with the one that shows it
  Beside(
      NodeSidecars.Driver driver,
      NodeSidecars.Options options,
      ConcurrentMap<String, Beside> names,
      CallMetrics metrics) {
    this.driver = driver;
    this.options = options;
    this.names = names;
    this.metrics = metrics;
    thread = Thread.ofVirtual().name("beside " + driver.socket()).unstarted(this::attend);
  }

  void start() {
    thread.start();
  }

  private void attend() {
    int failures = 0;
    try {
      while (true) {
        try (var connection = CsiConnection.open(driver.socket().path())) {
          show(known(connection));
          failures = 0;
          var lost = new CountDownLatch(1);
          connection.whenLost(lost::countDown);
          lost.await();
          log.info("{}: lost the driver", driver.socket());
        } catch (CsiException | IllegalArgumentException | IOException why) {
          troubled(String.valueOf(why.getMessage()));
        }
        Thread.sleep(SEEKING.after(++failures));
      }
    } catch (InterruptedException _) {
      // It was closed.
    }
  }

  private Known known(CsiConnection connection) {
    var name =
        connection
            .identity(options.timeout())
            .getPluginInfo(GetPluginInfoRequest.getDefaultInstance())
            .getName();
    if (name.isEmpty()) throw new IllegalArgumentException("the driver says no name");
    return new Known(name, capabilities(connection));
  }

  private Set<NodeServiceCapability.RPC.Type> capabilities(CsiConnection connection) {
    try {
      return connection
          .node(options.timeout())
          .nodeGetCapabilities(NodeGetCapabilitiesRequest.getDefaultInstance())
          .getCapabilitiesList()
          .stream()
          .map(each -> each.getRpc().getType())
          .collect(Collectors.toUnmodifiableSet());
    } catch (CsiException refused) {
      if (refused.code() != Status.Code.UNIMPLEMENTED) throw refused;
      return Set.of();
    }
  }

  /// A driver that has just been found when all ends is shown to nobody: its socket would outlive
  /// the process (REG-04).
  private synchronized void show(Known now) throws IOException {
    if (closed) return;
    var other = names.putIfAbsent(now.name(), this);
    if (other != null && other != this)
      throw new IllegalArgumentException(
          "driver %s is served through %s".formatted(now.name(), other.driver.socket()));
    trouble = Optional.empty();
    if (known.equals(Optional.of(now))) return;
    hide();
    names.put(now.name(), this);
    var shown = new Registrar(now.name(), options.registry(), driver.kubeletPath());
    shown.start();
    log.info("{}: {} is shown to the kubelet at {}", driver.socket(), now.name(), shown.socket());
    registrar = Optional.of(shown);
    liveness = Optional.of(liveness(now.name()));
    known = Optional.of(now);
  }

  private Liveness liveness(String name) {
    Path socket = driver.socket().path();
    return new Liveness(
        socket,
        options.probeTimeout(),
        FRESH,
        InstantSource.system(),
        Probes.witness(metrics, name));
  }

  private void hide() {
    registrar.ifPresent(Registrar::close);
    known.ifPresent(it -> names.remove(it.name(), this));
    registrar = Optional.empty();
    liveness = Optional.empty();
    known = Optional.empty();
  }

  private synchronized void troubled(String why) {
    if (trouble.equals(Optional.of(why))) return;
    trouble = Optional.of(why);
    log.warn("{}: {}", driver.socket(), why);
  }

  synchronized Optional<Registrar> registrar() {
    return registrar;
  }

  private synchronized Optional<Liveness> asked() {
    return liveness;
  }

  /// What livenessprobe answers for the driver (LIV-01).
  Text driverz() {
    return asked().map(Liveness::healthz).orElseGet(this::unknown);
  }

  /// Fails only where a restart may help (LIV-06).
  Text livez() {
    var standing = asked().map(Liveness::standing);
    return standing
        .filter(Standing::dead)
        .map(it -> new Text(500, "%s, since %s".formatted(words(it), it.since())))
        .orElse(Text.OK);
  }

  /// What node-driver-registrar answers for the driver (REG-05).
  Text registration() {
    return RegistrationText.of(registrar().map(Registrar::reach).orElse(new Reach.Missing()));
  }

  private Text unknown() {
    synchronized (this) {
      return new Text(500, trouble.orElse("the driver is not known yet"));
    }
  }

  /// What keeps pods from using the driver.
  List<String> lacks() {
    var lacks = new ArrayList<String>();
    synchronized (this) {
      trouble.ifPresent(lacks::add);
    }
    if (lacks.isEmpty())
      asked()
          .map(Liveness::standing)
          .filter(it -> !(it.verdict() instanceof Verdict.Ready))
          .ifPresent(it -> lacks.add("%s, since %s".formatted(words(it), it.since())));
    registrar().flatMap(RegistrationText::lack).ifPresent(lacks::add);
    return lacks.stream().map(lack -> driver.socket() + ": " + lack).toList();
  }

  private static String words(Standing standing) {
    return switch (standing.verdict()) {
      case Verdict.Ready _ -> "the driver is ready";
      case Verdict.Starting _ -> "the driver is starting";
      case Verdict.Failing(var why) -> why;
    };
  }

  /// The kubelet forgets the driver.
  @Override
  public void close() {
    thread.interrupt();
    synchronized (this) {
      closed = true;
      hide();
    }
  }
}
