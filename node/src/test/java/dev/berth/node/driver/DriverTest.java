package dev.berth.node.driver;

import static dev.berth.node.testing.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.socket.SocketPath;
import dev.berth.csi.socket.SocketServer;
import dev.berth.csi.socket.Takeover;
import dev.berth.csi.v1.NodeGetCapabilitiesRequest;
import dev.berth.csi.v1.NodeGetCapabilitiesResponse;
import dev.berth.csi.v1.NodeGetInfoRequest;
import dev.berth.csi.v1.NodeGetInfoResponse;
import dev.berth.csi.v1.NodeGrpc;
import dev.berth.csi.v1.NodeServiceCapability.RPC;
import dev.berth.kube.time.SystemTime;
import dev.berth.node.plugin.PluginRegistrations;
import dev.berth.node.plugin.Plugins;
import dev.berth.node.testing.TestRegistrar;
import io.grpc.Context;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DriverTest {
  private static final String NAME = "d.example";

  @TempDir private Path folder;

  /// Notes how long each question may take.
  private static final class Asked extends NodeGrpc.NodeImplBase {
    final List<Long> seconds = new CopyOnWriteArrayList<>();

    @Override
    public void nodeGetCapabilities(
        NodeGetCapabilitiesRequest request, StreamObserver<NodeGetCapabilitiesResponse> answer) {
      var deadline = Context.current().getDeadline();
      seconds.add(deadline == null ? Long.MAX_VALUE : deadline.timeRemaining(TimeUnit.SECONDS));
      var able = NodeGetCapabilitiesResponse.newBuilder();
      able.addCapabilitiesBuilder().getRpcBuilder().setType(RPC.Type.STAGE_UNSTAGE_VOLUME);
      answer.onNext(able.build());
      answer.onCompleted();
    }

    @Override
    public void nodeGetInfo(
        NodeGetInfoRequest request, StreamObserver<NodeGetInfoResponse> answer) {
      answer.onNext(NodeGetInfoResponse.newBuilder().setNodeId("n").build());
      answer.onCompleted();
    }
  }

  /// NCSI-01: within two minutes, once for each registration.
  @Test
  void itIsAskedOnceForEachRegistrationWhatItCanDo() throws Exception {
    var asked = new Asked();
    var socket = folder.resolve("csi.sock");
    var server =
        SocketServer.start(
            new SocketPath(socket), Takeover.IF_DEAD, List.of(asked.bindService()), List.of());
    var drivers = new Drivers();
    var plugins = new Plugins();
    try (var time = new SystemTime("driver");
        var _ = new Connections(plugins, drivers);
        var registrations = new PluginRegistrations(folder.resolve("reg"), plugins, time)) {
      registrations.start();
      for (int registration = 1; registration <= 2; registration++)
        try (var _ = new TestRegistrar(folder.resolve("reg"), NAME, socket)) {
          await("registered").until(() -> drivers.find(NAME).isPresent());
          var driver = drivers.find(NAME).orElseThrow();
          assertThat(driver.can(RPC.Type.STAGE_UNSTAGE_VOLUME)).isTrue();
          assertThat(driver.can(RPC.Type.EXPAND_VOLUME)).isFalse();
          assertThat(asked.seconds).hasSize(registration);
        } finally {
          await("not registered").until(() -> drivers.find(NAME).isEmpty());
        }
      assertThat(asked.seconds).allMatch(left -> left > 60 && left <= 120);
    } finally {
      server.stop(Duration.ZERO);
    }
  }

  /// One that cannot be connected to keeps no other out.
  @Test
  void aFailureWithOneKeepsNoOtherOut() throws Exception {
    var socket = folder.resolve("csi.sock");
    var server =
        SocketServer.start(
            new SocketPath(socket),
            Takeover.IF_DEAD,
            List.of(new Asked().bindService()),
            List.of());
    var drivers = new Drivers();
    var plugins = new Plugins();
    var opened = new AtomicInteger();
    Function<Path, CsiConnection> opener =
        path -> {
          if (opened.getAndIncrement() == 0) throw new IllegalStateException("too many open files");
          return CsiConnection.open(path);
        };
    var registry = folder.resolve("reg");
    try (var time = new SystemTime("driver");
        var _ = new Connections(plugins, drivers, opener, CallTimes.UNHEARD);
        var registrations = new PluginRegistrations(registry, plugins, time)) {
      registrations.start();
      try (var _ = new TestRegistrar(registry, "a.example", socket)) {
        await("tried").until(() -> opened.get() == 1);
        try (var _ = new TestRegistrar(registry, NAME, socket)) {
          await("registered").until(() -> drivers.find(NAME).isPresent());
        }
      }
    } finally {
      server.stop(Duration.ZERO);
    }
  }
}
