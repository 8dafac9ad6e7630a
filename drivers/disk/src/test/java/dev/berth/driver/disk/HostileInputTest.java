package dev.berth.driver.disk;

import static dev.berth.driver.disk.DiskWorld.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.ControllerGrpc;
import dev.berth.csi.v1.CreateSnapshotRequest;
import dev.berth.csi.v1.GroupControllerGrpc;
import dev.berth.csi.v1.IdentityGrpc;
import dev.berth.csi.v1.NodeGrpc;
import dev.berth.csi.v1.SnapshotMetadataGrpc;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.driver.disk.controller.Policy;
import dev.berth.driver.disk.fsck.PoolCheck;
import dev.berth.linux.file.DeviceNode;
import dev.berth.linux.file.FileStatus;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Every RPC with whatever a broken or malicious caller may send. The driver lives on, answers with
/// a code that means something, touches nothing but its pool and the places given to it, and tells
/// no secret.
///
///     -Dberth.fuzz.seed=N       replays a run
///     -Dberth.fuzz.seconds=N    how long; 20 by default
class HostileInputTest {
  private static final long SEED = Long.getLong("berth.fuzz.seed", 20261121);
  private static final Duration TIME =
      Duration.ofSeconds(Integer.getInteger("berth.fuzz.seconds", 20));

  /// Codes that tell a caller that the driver did not foresee its request.
  private static final Set<Status.Code> HELPLESS =
      Set.of(
          Status.Code.UNKNOWN,
          Status.Code.INTERNAL,
          Status.Code.UNAVAILABLE,
          Status.Code.DEADLINE_EXCEEDED,
          Status.Code.CANCELLED,
          Status.Code.DATA_LOSS);

  private static final List<MethodDescriptor<?, ?>> METHODS =
      Stream.of(
              IdentityGrpc.getServiceDescriptor(),
              ControllerGrpc.getServiceDescriptor(),
              GroupControllerGrpc.getServiceDescriptor(),
              SnapshotMetadataGrpc.getServiceDescriptor(),
              NodeGrpc.getServiceDescriptor())
          .<MethodDescriptor<?, ?>>flatMap(service -> service.getMethods().stream())
          .toList();

  private final List<String> told = new ArrayList<>();
  private final Handler listener = new Listener();
  private final Logger logger = Logger.getLogger("dev.berth");

  private DiskWorld world;
  private CsiConnection driver;
  private ManagedChannel channel;
  private Path given;

  @BeforeEach
  void makeWorld() throws IOException {
    world = DiskWorld.make();
    given = world.directory("given");
    Files.writeString(world.directory("outside").resolve("kept"), "kept");
    DeviceNode.make(given.resolve("device"), FileStatus.of(Path.of("/dev/zero")), 0666);
    Files.createSymbolicLink(given.resolve("way"), world.directory("given/elsewhere"));
    Files.createSymbolicLink(given.resolve("link"), world.folder.resolve("outside"));
    var options = DiskOptions.of(List.of(world.pool), "n1").with(new Policy(20, 128 * MIB));
    driver = world.node(options);
    channel = world.channel();
    logger.addHandler(listener);
    logger.setLevel(Level.FINEST);
    logger.setUseParentHandlers(false);
  }

  @AfterEach
  void clean() throws IOException {
    logger.removeHandler(listener);
    logger.setLevel(null);
    logger.setUseParentHandlers(true);
    if (channel != null) channel.shutdownNow();
    if (world != null) world.close();
  }

  @Test
  void nothingThatIsSentDoesHarm() throws Exception {
    var outside = outside();
    var end = System.nanoTime() + TIME.toNanos();
    var codes = new TreeMap<String, Map<Status.Code, Integer>>();
    for (var round = 0L; System.nanoTime() < end; round++) {
      var ids = new ArrayList<String>();
      var use = DiskWorld.mount(Mode.SINGLE_NODE_MULTI_WRITER);
      try {
        ids.add(DiskWorld.createVolume(driver, "name-0", 16 * MIB, use).getVolumeId());
        ids.add(
            DiskWorld.createVolume(
                    driver, "name-block", MIB, DiskWorld.block(Mode.SINGLE_NODE_WRITER))
                .getVolumeId());
        ids.add(
            DiskWorld.controller(driver)
                .createSnapshot(
                    CreateSnapshotRequest.newBuilder()
                        .setName("snapshot-" + round)
                        .setSourceVolumeId(ids.get(0))
                        .build())
                .getSnapshot()
                .getSnapshotId());
        DiskWorld.attach(driver, ids.get(0), "n1", use);
        DiskWorld.stage(driver, ids.get(0), world.directory("given/staging"), use);
      } catch (CsiException e) {
        // What the last round made stands in the way; that is a world too.
        assertThat(HELPLESS)
            .as("%s; mounted: %s", e.description(), world.table())
            .doesNotContain(e.code());
      }
      for (var call = 0; call < 150 && System.nanoTime() < end; call++) {
        var seed = SEED + round * 1000 + call;
        var method = METHODS.get(Math.floorMod(seed * 31, METHODS.size()));
        var request =
            new Hostile(
                    seed, known(ids), given.resolve("staging"), given.resolve("target"), places())
                .request(prototype(method));
        var answer = answer(method, request);
        codes
            .computeIfAbsent(method.getBareMethodName(), _ -> new HashMap<>())
            .merge(answer.getCode(), 1, Integer::sum);
        check(seed, method, request, answer);
      }
      assertThat(outside()).as("round %d of seed %d", round, SEED).isEqualTo(outside);
      assertMountsAreGiven();
    }
    System.out.println("answers to hostile requests: " + codes);
    assertThat(codes).as("every RPC was called").hasSize(METHODS.size());
    world.stopDrivers();
    var report = PoolCheck.check(world.pool);
    assertThat(report.clean()).as(String.join("\n", report.lines())).isTrue();
  }

  @Test
  void anIdThatIsAPathNamesNothing() throws IOException {
    var use = DiskWorld.mount(Mode.SINGLE_NODE_WRITER);
    DiskWorld.createVolume(driver, "kept", 16 * MIB, use);
    var kept = world.folder.resolve("outside/kept");
    var before = inThePool();
    for (var id :
        List.of(
            "../ledger",
            "../frozen/../ledger",
            world.pool.resolve("ledger").toString(),
            "../../outside/kept",
            kept.toString(),
            given.resolve("link/kept").toString(),
            world.pool.toString(),
            "..",
            ".",
            "/",
            "-o")) {
      DiskWorld.unpublish(driver, id, given.resolve("target"));
      DiskWorld.unstage(driver, id, given.resolve("staging"));
      assertThat(inThePool()).as(id).isEqualTo(before);
      assertThat(kept).as(id).hasContent("kept");
    }
  }

  /// Which files the pool is made of.
  private List<Path> inThePool() throws IOException {
    try (var files = Files.walk(world.pool)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static List<String> known(List<String> ids) {
    return ids.isEmpty() ? List.of("nothing") : ids;
  }

  private List<Path> places() throws IOException {
    return List.of(
        world.directory("given/staging"),
        world.directory("given/staging-2"),
        given.resolve("target"),
        given.resolve("target-2"),
        given.resolve("link"),
        given.resolve("device"),
        given.resolve("device/below"),
        given.resolve("way/target"),
        given.resolve("../outside/kept"),
        given.resolve("missing/target"),
        world.pool.resolve("volumes"),
        Path.of("given/relative"));
  }

  private static Message prototype(MethodDescriptor<?, ?> method) {
    return (Message) ((PrototypeMarshaller<?>) method.getRequestMarshaller()).getMessagePrototype();
  }

  private <Q, A> Status answer(MethodDescriptor<Q, A> method, Message request) {
    @SuppressWarnings("unchecked")
    var typed = (Q) request;
    var options = CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS);
    try {
      ClientCalls.blockingServerStreamingCall(channel, method, options, typed)
          .forEachRemaining(_ -> {});
      return Status.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus();
    }
  }

  private void check(long seed, MethodDescriptor<?, ?> method, Message request, Status answer) {
    var what = "%s, seed %d: %s".formatted(method.getBareMethodName(), seed, request);
    assertThat(HELPLESS).as("%s%n%s", answer, what).doesNotContain(answer.getCode());
    if (!answer.isOk()) assertThat(answer.getDescription()).as(what).isNotBlank();
    assertThat(String.valueOf(answer.getDescription())).as(what).doesNotContain(Hostile.SECRET);
    synchronized (told) {
      assertThat(told).as(what).noneMatch(line -> line.contains(Hostile.SECRET));
      told.clear();
    }
  }

  private Map<String, String> outside() throws IOException {
    var found = new TreeMap<String, String>();
    try (var files = Files.walk(world.folder.resolve("outside"))) {
      for (var file : files.toList())
        found.put(file.toString(), Files.isDirectory(file) ? "" : Files.readString(file));
    }
    try (var files = Files.list(world.folder)) {
      files.forEach(file -> found.put(file.toString(), "there"));
    }
    return found;
  }

  private void assertMountsAreGiven() {
    assertThat(world.mounts()).allMatch(it -> it.startsWith(given));
  }

  private final class Listener extends Handler {
    private final SimpleFormatter formatter = new SimpleFormatter();

    @Override
    public void publish(LogRecord record) {
      synchronized (told) {
        told.add(formatter.format(record));
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
