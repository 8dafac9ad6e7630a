package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.kube.model.VolumeName;
import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.mount.Mounts.Unmount;
import dev.berth.node.layout.Layout;
import dev.berth.node.volume.disk.KubeletFiles;
import java.io.IOException;
import java.nio.file.Files;
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
    opened = Shell.open("trouble");
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    if (opened != null) opened.end();
  }

  private Shell shell() {
    return Objects.requireNonNull(opened);
  }

  /// Only its driver may take a volume down; who waits for one that never comes is told so instead.
  @Test
  void aVolumeWhoseDriverHasGoneIsNamed() throws Exception {
    shell().up().isUp().destroyForcibly().waitFor();
    var name = new VolumeName("gone.example", "vol-1");
    var files =
        new KubeletFiles(
            new Layout(shell().home().resolve("nodes/node-1/kubelet")), "node-1", mounts);
    files.announceStaging(name, "pv-1", "");
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
    shell().up().isUp();
    shell().berth("apply", "-f", claim.toString()).succeeded();
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> shell().berth("get", "pvc", "data").text().contains("Bound"));
    shell().berth("down").succeeded();
    var ledger = shell().home().resolve("pool/ledger");
    var lines = Files.readString(ledger);
    Files.writeString(
        ledger, lines.substring(0, lines.length() / 2), StandardOpenOption.TRUNCATE_EXISTING);
    shell().up().says("ledger is damaged").isUp();
  }

  /// It may come later; but who mistyped its socket would wait for ever.
  @Test
  void aDriverThatIsNotThereIsNamed() throws Exception {
    var socket = shell().folder().resolve("none.sock");
    shell()
        .up("--driver", "unix://" + socket)
        .says("no driver answers at " + socket + "; its volumes wait until one does")
        .isUp();
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
