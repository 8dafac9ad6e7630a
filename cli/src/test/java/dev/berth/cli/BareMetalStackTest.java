package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
