package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.mount.Mounts.Unmount;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A home on a disk of its own, filled to the last byte.
class FullDiskTest {
  private static final String POD =
      """
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: {name: disk}
      provisioner: disk.berth.dev
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: {name: data}
      spec:
        storageClassName: disk
        accessModes: [ReadWriteOnce]
        resources: {requests: {storage: 20Mi}}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: web}
      spec:
        terminationGracePeriodSeconds: 1
        containers:
        - {name: main, image: host, command: [sleep, '100000'], volumeMounts: [{name: data, mountPath: /data}]}
        volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
      """;

  private final Mounts mounts = Mounts.ofThisMachine();
  private @Nullable Shell opened;

  @BeforeEach
  void aSmallDisk() throws IOException {
    opened = Shell.open("full");
    Files.createDirectory(shell().home());
    mounts.mount("tmpfs", "tmpfs", shell().home(), MountOptions.NONE.with("size=120m"));
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    if (opened == null) return;
    opened.end();
    mounts.unmount(opened.home(), Unmount.IF_UNUSED);
    try (var files = Files.list(opened.folder())) {
      for (var file : files.toList()) Files.delete(file);
    }
    Files.delete(opened.folder());
  }

  private Shell shell() {
    return Objects.requireNonNull(opened);
  }

  /// A stack with a pod that has its volume mounted, killed on a disk that is full since.
  private void aKilledStackOnAFullDisk() throws Exception {
    var stack = shell().up().isUp();
    var manifest = Files.writeString(shell().folder().resolve("pod.yaml"), POD);
    shell().berth("apply", "-f", manifest.toString()).succeeded();
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> shell().berth("get", "pod", "web").text().contains("Running"));
    stack.destroyForcibly().waitFor();
    fill();
  }

  private void fill() throws IOException {
    var zeroes = ByteBuffer.allocate(1 << 16);
    try (var file =
        FileChannel.open(
            shell().home().resolve("filler"),
            StandardOpenOption.CREATE,
            StandardOpenOption.APPEND)) {
      for (int size = zeroes.capacity(); size > 0; ) {
        try {
          if (file.write(zeroes.clear().limit(size)) < size) size /= 2;
        } catch (IOException full) {
          size /= 2;
        }
      }
    }
    assertThat(Files.getFileStore(shell().home()).getUsableSpace()).isZero();
  }

  @Test
  void aKilledStackIsTakenDown() throws Exception {
    aKilledStackOnAFullDisk();
    assertThat(shell().berth("down").succeeded().text()).contains("the stack was killed", "down");
    assertThat(shell().leftovers()).isEmpty();
  }

  /// Such as that of an earlier version, or one whose reserve somebody else took.
  @Test
  void aKilledStackIsTakenDownWithoutReserve() throws Exception {
    aKilledStackOnAFullDisk();
    Files.delete(shell().home().resolve("reserve"));
    fill();
    shell().berth("down").succeeded();
    assertThat(shell().leftovers()).isEmpty();
  }

  @Test
  void aKilledStackIsTakenOverAndRoomIsMade() throws Exception {
    aKilledStackOnAFullDisk();
    var stack = shell().up();
    stack.says("is nearly full");
    assertThat(shell().pid()).isEqualTo(stack.isUp().pid());
    var manifest = shell().folder().resolve("pod.yaml").toString();
    shell().berth("delete", "-f", manifest).succeeded();
    fill(); // what the stack has given back is gone too
    shell().berth("down").succeeded();
    assertThat(shell().leftovers()).isEmpty();
  }

  /// Another port is another kubeconfig, for which there is room.
  @Test
  void aKilledApiServerStartsAtAnyPort() throws Exception {
    var first = lone();
    await().atMost(Duration.ofMinutes(1)).until(() -> Files.exists(reserve()));
    first.destroyForcibly().waitFor();
    fill();
    var again = lone();
    shell().berth("get", "namespace", "default").succeeded();
    again.destroy();
    again.waitFor();
  }

  private Path reserve() {
    return shell().home().resolve("reserve");
  }

  private Process lone() throws Exception {
    var output = Files.createTempFile(shell().folder(), "lone", ".txt");
    var process = shell().start(output, "apiserver", "--port", "0");
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> !process.isAlive() || Files.readString(output).contains("is up"));
    assertThat(process.isAlive()).as(Files.readString(output)).isTrue();
    return process;
  }
}
