package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A stack whose nodes have drives: from a claim to a file on a whole drive, and back (BM-281).
class BareMetalStackTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final String EXAMPLE = ROOT.resolve("examples/bare-metal.yaml").toString();
  private static final String DRIVES = ROOT.resolve("examples/drives.yaml").toString();

  private @Nullable Shell opened;

  @BeforeEach
  void aHome() throws IOException {
    opened = Shell.open("metal");
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    if (opened != null) opened.end();
  }

  private Shell shell() {
    return Objects.requireNonNull(opened);
  }

  private Ended run() throws IOException, InterruptedException {
    return shell().berth("run", "--port", "0", "--bare-metal", DRIVES, EXAMPLE);
  }

  @Test
  void aClaimReachesARunningPodOnADriveAndIsThereTheNextTime() throws Exception {
    var first = run().succeeded();
    assertThat(first.text())
        .contains("volume created: pvc-", "staged volume", "published volume", "Succeeded")
        .contains("bare-metal: 1 line on a drive of 1", "checksum ok");
    // Neither mounts nor loop devices: the drives are files again.
    assertThat(shell().leftovers()).isEmpty();
    assertThat(run().succeeded().text()).contains("bare-metal: 2 lines on a drive of 1");
    assertThat(shell().leftovers()).isEmpty();
  }

  /// Who starts a stack without the drives is told what waits for them.
  @Test
  void aKilledStackWithDrivesIsTakenDown() throws Exception {
    var stack = shell().up("--bare-metal", DRIVES).isUp();
    // BM-03
    assertThat(shell().berth("get", "csidriver", "csi-baremetal", "-o", "yaml").succeeded().text())
        .contains("attachRequired: false", "podInfoOnMount: true", "storageCapacity: true");
    shell().berth("apply", "-f", holding().toString()).succeeded();
    assertThat(shell().home().resolve("drives/images")).isDirectoryContaining("glob:**HDD0001*");
    await()
        .atMost(Duration.ofMinutes(2))
        .until(
            () -> shell().berth("get", "pod", "holding", "-o", "yaml").text().contains("Running"));
    stack.destroyForcibly().waitFor();
    assertThat(shell().leftovers()).isNotEmpty();
    assertThat(shell().berth("down").succeeded().text()).contains("the stack was killed");
    assertThat(shell().leftovers()).isEmpty();
    shell().up().says("an earlier stack here had drives").isUp();
  }

  /// BM-83, BM-84: what could be had on a node is known to the scheduler as soon as a drive of it
  /// is pulled or plugged in, and the largest single drive is the largest volume.
  @Test
  void theRoomOfANodeFollowsItsDrives() throws Exception {
    var drives = shell().folder().resolve("drives.yaml");
    plan(drives, "ONE, size: 64Mi", "TWO, size: 96Mi");
    var stack = shell().up("--bare-metal", drives.toString()).isUp();
    var any =
        """
        apiVersion: storage.k8s.io/v1
        kind: StorageClass
        metadata: {name: any-drive}
        provisioner: csi-baremetal
        volumeBindingMode: WaitForFirstConsumer
        """;
    var file = Files.writeString(shell().folder().resolve("class.yaml"), any);
    shell().berth("apply", "-f", file.toString()).succeeded();
    published("160Mi", "96Mi");
    plan(drives, "ONE, size: 64Mi", "TWO, size: 96Mi, removed: true");
    published("64Mi", "64Mi");
    plan(drives, "ONE, size: 64Mi", "TWO, size: 96Mi", "THREE, size: 128Mi");
    published("288Mi", "128Mi");
    stack.destroyForcibly().waitFor();
    shell().berth("down").succeeded();
    assertThat(shell().leftovers()).isEmpty();
  }

  private static void plan(Path file, String... drives) throws IOException {
    var all =
        new StringBuilder(
            "nodes: [{nodeID: node-1, driveCount: %d, drives: [".formatted(drives.length));
    for (var drive : drives) all.append("{serialNumber: ").append(drive).append("}, ");
    var fresh = Files.writeString(file.resolveSibling("drives.new"), all + "]}]");
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private void published(String capacity, String largest) {
    await()
        .atMost(Duration.ofMinutes(2))
        .untilAsserted(() ->
            assertThat(
                    shell()
                        .berth("get", "csistoragecapacities", "-n", "kube-system", "-o", "yaml")
                        .text())
                .containsPattern("(?m)^ *capacity: \"?" + capacity + "\"?$")
                .containsPattern("(?m)^ *maximumVolumeSize: \"?" + largest + "\"?$"));
  }

  private Path holding() throws IOException {
    var whole = Files.readString(Path.of(EXAMPLE));
    var pod = whole.indexOf("kind: Pod");
    return Files.writeString(
        shell().folder().resolve("holding.yaml"),
        whole.substring(0, pod)
            + """
            kind: Pod
            metadata: {name: holding}
            spec:
              terminationGracePeriodSeconds: 1
              containers:
              - name: main
                image: host
                command: [sh, -c, 'echo here > /data/file; sync; sleep 100000']
                volumeMounts: [{name: data, mountPath: /data}]
              volumes: [{name: data, persistentVolumeClaim: {claimName: bare-metal}}]
            """);
  }

  @Test
  void aFileThatMakesNoSenseIsRefusedInOneLine() throws Exception {
    var wrong = Files.writeString(shell().folder().resolve("d.yaml"), "nodes: [{nodeID: other}]");
    assertThat(shell().berth("up", "--port", "0", "--bare-metal", wrong.toString()))
        .returns(2, Ended::exitCode)
        .extracting(Ended::text)
        .asString()
        .isEqualTo(
            "berth: --bare-metal %s: nodeID other: the nodes of this stack are node-1\n"
                .formatted(wrong));
    Files.writeString(wrong, "nods: []");
    assertThat(shell().berth("up", "--port", "0", "--bare-metal", wrong.toString()))
        .returns(2, Ended::exitCode)
        .extracting(Ended::text)
        .asString()
        .contains("has an unknown field nods");
    assertThat(shell().home()).doesNotExist();
  }
}
