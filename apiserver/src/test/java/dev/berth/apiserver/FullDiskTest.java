package dev.berth.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.apiserver.core.World;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.message.Request.Part;
import dev.berth.apiserver.store.SqliteStore;
import dev.berth.apiserver.store.StoreException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// On a file system that somebody else has filled, and goes on filling, all can still be deleted.
@Timeout(300)
class FullDiskTest {
  private static final int OBJECTS = 400;

  /// As many take more than what is always kept free for deletions.
  private static final int LARGE = 10;

  /// Enough for several checkpoints.
  private static final int UPDATES = 3_000;

  @TempDir(cleanup = CleanupMode.NEVER)
  private Path folder;

  private Path disk = Path.of("");
  private boolean mounted;

  enum FileSystem {
    EXT4(List.of("mkfs.ext4", "-q", "-F", "-m", "0"), 64),
    XFS(List.of("mkfs.xfs", "-q", "-f"), 320),
    TMPFS(List.of(), 64);

    private final List<String> make;
    private final int mebibytes;

    FileSystem(List<String> make, int mebibytes) {
      this.make = make;
      this.mebibytes = mebibytes;
    }
  }

  private void mount(FileSystem type) throws Exception {
    assumeTrue(isRoot(), "mounts need root");
    disk = Files.createDirectory(folder.resolve("disk"));
    if (type.make.isEmpty()) {
      run(List.of("mount", "-t", "tmpfs", "-o", "size=" + type.mebibytes + "m", "none", disk + ""));
    } else {
      assumeTrue(isInstalled(type.make.getFirst()), type.make.getFirst() + " is not installed");
      assumeTrue(Files.exists(Path.of("/dev/loop-control")), "no loop devices");
      var image = folder.resolve("image");
      try (var channel =
          FileChannel.open(image, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.allocate(1), ((long) type.mebibytes << 20) - 1);
      }
      var make = new ArrayList<>(type.make);
      make.add(image.toString());
      run(make);
      run(List.of("mount", "-o", "loop", image.toString(), disk.toString()));
    }
    mounted = true;
  }

  @AfterEach
  void unmount() throws Exception {
    if (mounted) run(List.of("umount", "--lazy", disk.toString())); // a failed test has files open
    Files.deleteIfExists(folder.resolve("image"));
    Files.deleteIfExists(disk);
    Files.deleteIfExists(folder);
  }

  @ParameterizedTest
  @EnumSource(FileSystem.class)
  void whatMakesRoomIsStored(FileSystem type) throws Exception {
    mount(type);
    var home = disk.resolve("api");
    try (var server = start(home)) {
      for (int i = 0; i < OBJECTS; i++)
        assertThat(create(server, "map-" + i, 1000)).isInstanceOf(Answer.Created.class);
      for (int i = 0; i < LARGE; i++)
        assertThat(create(server, "large-" + i, 100_000)).isInstanceOf(Answer.Created.class);
      try (var filler = Filler.of(disk.resolve("filler"))) {
        filler.awaitFull();
        refusesWhatGrows(server);
        takesWhatDoesNot(server);
        for (int i = 0; i < LARGE; i++) delete(server, "large-" + i);
        assertThat(create(server, "instead", 1000)).isInstanceOf(Answer.Created.class);
        for (int i = 0; i < OBJECTS / 2; i++) delete(server, "map-" + i);
      }
    }
    try (var filler = Filler.of(disk.resolve("filler"))) {
      filler.awaitFull();
      try (var again = start(home)) {
        for (int i = OBJECTS / 2; i < OBJECTS; i++) delete(again, "map-" + i);
      }
    }
    Files.delete(disk.resolve("filler"));
    try (var last = start(home)) {
      assertThat(create(last, "room", 100_000)).isInstanceOf(Answer.Created.class);
      assertThat(last.trouble()).isEmpty();
    }
  }

  private static void refusesWhatGrows(ApiServer server) throws InterruptedException {
    // What the reserve still holds is used up first.
    var answer = create(server, "more-0", 100_000);
    for (int i = 1; i < 40 && answer instanceof Answer.Created; i++)
      answer = create(server, "more-" + i, 100_000);
    var refusal = ((Answer.Refused) answer).refusal();
    assertThat(refusal.code()).isEqualTo(507);
    assertThat(refusal.message())
        .startsWith("the write was not stored: the disk that holds ")
        .contains("objects.db gives no more room", "delete objects that nobody needs");
    assertThat(server.trouble()).isPresent();
    var grown = World.annotations("text", "x".repeat(400_000));
    assertThat(change(server, "map-0", Patch.merge(grown))).isInstanceOf(Answer.Refused.class);
  }

  private static void takesWhatDoesNot(ApiServer server) throws InterruptedException {
    for (int i = 0; i < UPDATES; i++)
      assertThat(
              change(
                  server,
                  "map-" + i % OBJECTS,
                  Patch.merge(World.annotations("step", "" + i % 10))))
          .isInstanceOf(Answer.Single.class);
  }

  private static EmbeddedApiServer start(Path home) throws StoreException {
    return EmbeddedApiServer.start(SqliteStore.open(home));
  }

  private static Answer create(ApiServer server, String name, int size)
      throws InterruptedException {
    var map =
        World.yaml(
            "{metadata: {name: %s, finalizers: [example.com/held]}, data: {text: %s}}"
                .formatted(name, "x".repeat(size)));
    return server.handle(new Request.Create(Resources.CONFIG_MAPS, "default", map));
  }

  private static Answer change(ApiServer server, String name, Patch patch)
      throws InterruptedException {
    return server.handle(new Request.Change(Resources.CONFIG_MAPS, key(name), Part.MAIN, patch));
  }

  private static Answer get(ApiServer server, String name) throws InterruptedException {
    return server.handle(new Request.Get(Resources.CONFIG_MAPS, key(name), ""));
  }

  /// As a user and the finalizer's owner do.
  private static void delete(ApiServer server, String name) throws InterruptedException {
    var options = DeleteOptions.DEFAULT;
    var marked = server.handle(new Request.Delete(Resources.CONFIG_MAPS, key(name), options));
    assertThat(marked).as(name).isNotInstanceOf(Answer.Refused.class);
    assertThat(get(server, name)).as(name).isInstanceOf(Answer.Single.class);
    var released = change(server, name, Patch.merge(World.yaml("{metadata: {finalizers: null}}")));
    assertThat(released).as(name).isNotInstanceOf(Answer.Refused.class);
    assertThat(get(server, name)).as(name).isInstanceOf(Answer.Refused.class);
  }

  private static ObjectKey key(String name) {
    return ObjectKey.of("default", name);
  }

  /// Takes every byte that becomes free until it is closed, as a container does that prints.
  private static final class Filler implements AutoCloseable {
    private final FileChannel file;
    private final Thread thread;
    private final CountDownLatch full = new CountDownLatch(1);
    private volatile boolean closed;

    private Filler(FileChannel file) {
      this.file = file;
      this.thread = Thread.ofPlatform().name("filler").start(this::fill);
    }

    static Filler of(Path path) throws IOException {
      return new Filler(
          FileChannel.open(
              path,
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE,
              StandardOpenOption.APPEND));
    }

    private void fill() {
      int piece = 1 << 20;
      while (!closed) {
        try {
          file.write(ByteBuffer.allocate(piece));
        } catch (IOException noSpace) {
          if (piece == 1) {
            full.countDown();
            Thread.onSpinWait();
          }
          piece = Math.max(1, piece / 2);
        }
      }
    }

    void awaitFull() throws InterruptedException {
      full.await();
    }

    @Override
    public void close() throws Exception {
      closed = true;
      thread.join();
      file.close();
    }
  }

  private static boolean isRoot() throws IOException {
    return Files.readString(Path.of("/proc/self/status")).contains("\nUid:\t0\t");
  }

  private static boolean isInstalled(String tool) {
    return List.of("/sbin", "/usr/sbin", "/bin", "/usr/bin").stream()
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, tool)));
  }

  private static void run(List<String> command) throws IOException, InterruptedException {
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var said = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).as("%s: %s", command, said).isZero();
  }
}
