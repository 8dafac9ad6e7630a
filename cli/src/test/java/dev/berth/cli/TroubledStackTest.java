package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.kube.model.VolumeName;
import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.mount.Mounts.Unmount;
import dev.berth.node.layout.Layout;
import dev.berth.node.volume.disk.KubeletFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What a stack says of what it cannot mend itself.
class TroubledStackTest {
  private final Mounts mounts = Mounts.ofThisMachine();
  private @Nullable Shell opened;

  @BeforeEach
  void aHome() throws IOException {
    assumeTrue("root".equals(System.getProperty("user.name")), "mounts need root");
    assumeTrue(Files.exists(Path.of("/dev/loop-control")), "no loop devices here");
    opened = new Shell(Files.createTempDirectory(Path.of("/tmp"), "trouble"));
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    if (opened == null) return;
    opened.berth("down");
    assertThat(opened.leftovers()).isEmpty();
  }

  private Shell shell() {
    return Objects.requireNonNull(opened);
  }

  private Process up(String text) throws IOException {
    var output = Files.createTempFile(shell().folder(), "up", ".txt");
    var stack = shell().start(output, "up", "--port", "0");
    await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> Files.readString(output).contains("berth is up") || !stack.isAlive());
    assertThat(Files.readString(output)).contains("berth is up", text);
    return stack;
  }

  /// Only its driver may take a volume down; who waits for one that never comes is told so instead.
  @Test
  void aVolumeWhoseDriverHasGoneIsNamed() throws Exception {
    up("").destroyForcibly().waitFor();
    var name = new VolumeName("gone.example", "vol-1");
    var files =
        new KubeletFiles(
            new Layout(shell().home().resolve("nodes/node-1/kubelet")), "node-1", mounts);
    files.announceStaging(name, "");
    var target = files.stagingTarget(name);
    mounts.mount("tmpfs", "tmpfs", target, MountOptions.NONE);
    try {
      var down = shell().berth("down");
      assertThat(down.exitCode()).isEqualTo(1);
      assertThat(down.text())
          .contains("the stack is down, but this is still mounted:")
          .contains("  kubernetes.io/csi/gone.example^vol-1: " + target)
          .contains("start gone.example again, then: berth down --home " + shell().home());
    } finally {
      mounts.unmount(target, Unmount.IF_UNUSED);
    }
    assertThat(shell().berth("down").succeeded().text()).contains("berth is not up in");
  }

  @Test
  void aDamagedLedgerIsTold() throws Exception {
    var claim = Files.writeString(shell().folder().resolve("claim.yaml"), CLAIM);
    up("");
    shell().berth("apply", "-f", claim.toString()).succeeded();
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> shell().berth("get", "pvc", "data").text().contains("Bound"));
    shell().berth("down").succeeded();
    var ledger = shell().home().resolve("pool/ledger");
    var lines = Files.readString(ledger);
    Files.writeString(
        ledger, lines.substring(0, lines.length() / 2), StandardOpenOption.TRUNCATE_EXISTING);
    up("ledger is damaged");
  }

  private static final String CLAIM =
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
      """;
}
