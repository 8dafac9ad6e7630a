package dev.berth.node.plugin;

import static dev.berth.node.testing.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.csi.client.CsiException;
import dev.berth.csi.registration.v1.InfoRequest;
import dev.berth.csi.registration.v1.PluginInfo;
import dev.berth.csi.registration.v1.RegistrationGrpc;
import dev.berth.csi.socket.SocketPath;
import dev.berth.csi.socket.SocketServer;
import dev.berth.csi.socket.Takeover;
import dev.berth.csi.v1.NodeGetInfoRequest;
import dev.berth.csi.v1.NodeGetInfoResponse;
import dev.berth.csi.v1.NodeGrpc;
import dev.berth.kube.time.SystemTime;
import dev.berth.kube.time.Time;
import dev.berth.node.testing.TestRegistrar;
import io.grpc.stub.StreamObserver;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Drivers on real sockets (NREG-01), several of one driver among them, as in a rolling update
/// (NREG-06, NREG-13).
class PluginRegistrationsTest {
  private static final String NAME = "d.example";

  @TempDir private Path folder;
  private final Plugins drivers = new Plugins();
  private final SystemTime time = new SystemTime("registrations");
  private PluginRegistrations registrations;
  private SocketServer driver;

  @BeforeEach
  void start() throws IOException {
    driver =
        SocketServer.start(
            new SocketPath(folder.resolve("csi.sock")),
            Takeover.IF_DEAD,
            List.of(new AnyNode().bindService()),
            List.of());
    registrations = new PluginRegistrations(folder.resolve("reg"), drivers, time);
    registrations.start();
  }

  @AfterEach
  void stop() {
    registrations.close();
    driver.stop(Duration.ZERO);
    time.close();
  }

  private static final class AnyNode extends NodeGrpc.NodeImplBase {
    @Override
    public void nodeGetInfo(
        NodeGetInfoRequest request, StreamObserver<NodeGetInfoResponse> answer) {
      answer.onNext(NodeGetInfoResponse.newBuilder().setNodeId("n").build());
      answer.onCompleted();
    }
  }

  private TestRegistrar show(String socket, String version) throws IOException {
    return new TestRegistrar(socket(socket), NAME, folder.resolve("csi.sock"), version);
  }

  private Path socket(String name) {
    return folder.resolve("reg").resolve(name);
  }

  private void awaitRegistered(String socket) {
    await(socket + " is registered")
        .until(
            () -> drivers.find(NAME).map(Plugin::registration).equals(Optional.of(socket(socket))));
  }

  @Test
  void aLaterVersionTakesThePlaceOfAnEarlierOneAndGivesItBack() throws IOException {
    try (var _ = show("old.sock", "1.0.0")) {
      awaitRegistered("old.sock");
      try (var _ = show("new.sock", "v1.1.0")) {
        awaitRegistered("new.sock");
      }
      awaitRegistered("old.sock");
    }
    await("nobody is left").until(() -> drivers.find(NAME).isEmpty());
  }

  /// NREG-14: which sockets there are, and which are registered.
  @Test
  void socketsAndDriversAreCounted() throws IOException {
    var registry = new PrometheusRegistry();
    PluginMetrics.register(registrations, drivers, registry);
    var silent = new Silent().show(socket("silent.sock"));
    try (var _ = show("d.sock", "1.0.0")) {
      awaitRegistered("d.sock");
      await("both sockets are seen").until(() -> registrations.sockets().size() == 2);
      var gauge = (GaugeSnapshot) registry.scrape().get(0);
      assertThat(gauge.getMetadata().getName()).isEqualTo("plugin_manager_total_plugins");
      assertThat(gauge.getDataPoints())
          .extracting(
              point -> Path.of(point.getLabels().get("socket_path")).getFileName().toString(),
              point -> point.getLabels().get("state"),
              point -> point.getValue())
          .containsExactlyInAnyOrder(
              tuple("d.sock", "actual_state_of_world", 1.0),
              tuple("d.sock", "desired_state_of_world", 1.0),
              tuple("silent.sock", "desired_state_of_world", 1.0));
    } finally {
      silent.stop(Duration.ZERO);
    }
  }

  @Test
  void whoIsRefusedByTheApiIsForgottenAndTold() throws IOException { // NREG-07
    try (var registrar = show("d.sock", "1.0.0")) {
      awaitRegistered("d.sock");
      registrations.answer(drivers.find(NAME).orElseThrow(), "a label says otherwise");
      assertThat(drivers.find(NAME)).isEmpty();
      assertThat(registrar.told().orElseThrow().getPluginRegistered()).isFalse();
      assertThat(registrar.told().get().getError()).isEqualTo("a label says otherwise");
    }
  }

  /// NCSN-09: else it would be asked, and waited for, all the time.
  @Test
  void whoDoesNotSayHowManyVolumesFitIsNotAskedAtOnceAgain() throws IOException {
    try (var _ = show("d.sock", "1.0.0")) {
      awaitRegistered("d.sock");
      var before = drivers.find(NAME).orElseThrow();
      driver.stop(Duration.ZERO);
      assertThatThrownBy(() -> registrations.ask(before)).isInstanceOf(CsiException.class);
      var after = drivers.find(NAME).orElseThrow();
      assertThat(after.asked()).isAfter(before.asked());
      assertThat(after.maxVolumes()).isEqualTo(before.maxVolumes());
    }
  }

  /// NREG-03: another socket at the same path is another registration, and begins without a pause.
  @Test
  void aDriverThatTakesAnothersSocketIsAskedAnew() throws IOException {
    try (var _ = show("d.sock", "1.0.0")) {
      awaitRegistered("d.sock");
    }
    await("it is gone").until(() -> drivers.find(NAME).isEmpty());
    try (var _ = show("d.sock", "1.0.1")) {
      awaitRegistered("d.sock");
    }
  }

  /// NREG-11: after a reboot the socket is stale until the driver is up, which then does not sit
  /// out a pause. Here none ever ends.
  @Test
  void aDriverThatComesToADeadSocketIsRegisteredAtOnce() throws IOException {
    var failed = new AtomicInteger();
    var reg = folder.resolve("dead");
    Files.createDirectories(reg);
    var stale = UnixDomainSocketAddress.of(reg.resolve("d.sock"));
    ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(stale).close(); // the file stays
    try (var endless = new PluginRegistrations(reg, drivers, new NoPauseEnds(time, failed))) {
      endless.start();
      await("the dead socket is tried").until(() -> failed.get() == 1);
      assertThat(drivers.find(NAME)).isEmpty();
      Files.delete(reg.resolve("d.sock"));
      try (var _ =
          new TestRegistrar(reg.resolve("d.sock"), NAME, folder.resolve("csi.sock"), "1.0.0")) {
        await("it is registered").until(() -> drivers.find(NAME).isPresent());
      }
    }
  }

  private record NoPauseEnds(Time time, AtomicInteger pauses) implements Time {
    @Override
    public Instant now() {
      return time.now();
    }

    @Override
    public Duration elapsed() {
      return time.elapsed();
    }

    @Override
    public void start(Runnable task) {
      time.start(task);
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
      pauses.incrementAndGet();
      return () -> {};
    }

    @Override
    public RandomGenerator random() {
      return time.random();
    }
  }

  @Test
  void whoIsNotLaterIsToldSoAndComesWhenTheOtherGoes() throws IOException {
    var first = show("first.sock", "1.2.0");
    awaitRegistered("first.sock");
    try (var same = show("same.sock", "1.2.0");
        var earlier = show("earlier.sock", "1.1.9")) {
      for (var late : List.of(same, earlier)) {
        await("it is told").until(() -> late.told().isPresent());
        assertThat(late.told().get().getPluginRegistered()).isFalse();
        assertThat(late.told().get().getError())
            .contains("is already registered with a higher supported version, or the same: 1.2.0");
      }
      awaitRegistered("first.sock");
      first.close();
      awaitRegistered("same.sock");
    }
  }

  /// Does not say whose it is.
  private static final class Silent extends RegistrationGrpc.RegistrationImplBase {
    private final AtomicInteger asked = new AtomicInteger();

    @Override
    public void getInfo(InfoRequest request, StreamObserver<PluginInfo> answer) {
      asked.incrementAndGet();
    }

    SocketServer show(Path socket) throws IOException {
      return SocketServer.start(
          new SocketPath(socket), Takeover.IF_DEAD, List.of(bindService()), List.of());
    }
  }

  @Test
  void whoGoesBeforeItHasSaidItsNameIsNobodysPredecessor() throws IOException {
    var slow = new Silent();
    var going = new Silent();
    var slowServer = slow.show(socket("slow.sock"));
    var goingServer = going.show(socket("going.sock"));
    try {
      await("both are asked").until(() -> slow.asked.get() == 1 && going.asked.get() == 1);
      goingServer.stop(Duration.ZERO);
      try (var _ = show("next.sock", "1.0.0")) {
        awaitRegistered("next.sock"); // by now its going is known
      }
      assertThat(slow.asked).hasValue(1);
    } finally {
      slowServer.stop(Duration.ZERO);
    }
  }
}
