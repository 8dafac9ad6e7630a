package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The whole way, as a new user goes it: real processes, real mounts, real kills.
class FirstVoyageTest {
  private static final Path EXAMPLE = Path.of("../examples/first-volume.yaml").toAbsolutePath();

  /// Appends numbered lines to its volume and to its log, once a tenth of a second.
  private static final String COUNTING =
      """
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: {name: counting}
      provisioner: disk.berth.dev
      volumeBindingMode: WaitForFirstConsumer
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: {name: counting}
      spec:
        storageClassName: counting
        accessModes: [ReadWriteOnce]
        resources: {requests: {storage: 100Mi}}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: counting}
      spec:
        restartPolicy: Never
        terminationGracePeriodSeconds: 1
        containers:
        - name: main
          image: host
          command: [sh, -c, 'n=0; while :; do n=$((n+1)); echo $n >> /data/numbers; echo $n; sleep 0.1; done']
          volumeMounts: [{name: data, mountPath: /data}]
        volumes: [{name: data, persistentVolumeClaim: {claimName: counting}}]
      """;

  private @Nullable Shell opened;

  @BeforeEach
  void aHome() throws IOException {
    opened = Shell.open("voyage");
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    if (opened != null) opened.end();
  }

  private Shell shell() {
    return Objects.requireNonNull(opened);
  }

  @Test
  void aVolumeGoesFromClaimToFileAndIsThereTheNextTime() throws Exception {
    var first = shell().berth("run", "--port", "0", EXAMPLE.toString()).succeeded();
    assertThat(first.text())
        .contains("node selected: node-1", "volume created: pvc-", "Bound to pvc-")
        .contains("attached to node-1", "staged volume", "published volume", "Running", "Succeeded")
        .contains("first-volume: 1 line, checksum ok");
    assertThat(shell().leftovers()).isEmpty();

    var second = shell().berth("run", "--port", "0", EXAMPLE.toString()).succeeded();
    assertThat(second.text()).contains("first-volume: 2 lines, checksum ok");
  }

  @Test
  void aKilledStackLosesNothingAndIsTakenOver() throws Exception {
    var manifest = Files.writeString(shell().folder().resolve("counting.yaml"), COUNTING);
    var stack = shell().up().isUp();
    shell().berth("apply", "-f", manifest.toString()).succeeded();
    await().atMost(Duration.ofSeconds(60)).until(() -> numbers().size() > 5);

    stack.destroyForcibly().waitFor();
    int before = numbers().size();
    await().atMost(Duration.ofSeconds(30)).until(() -> numbers().size() > before + 5);

    stack = shell().up().isUp();
    var shown = shell().berth("get", "pod", "counting", "-o", "yaml").succeeded().text();
    assertThat(shown).contains("phase: \"Running\"", "restartCount: 0");
    int after = numbers().size();
    await().atMost(Duration.ofSeconds(30)).until(() -> numbers().size() > after + 5);
    assertThat(numbers())
        .isEqualTo(IntStream.rangeClosed(1, numbers().size()).mapToObj(String::valueOf).toList());

    shell().berth("delete", "-f", manifest.toString()).succeeded();
    var again = shell().berth("delete", "pod", "counting");
    assertThat(again).returns(1, Ended::exitCode);
    assertThat(again.text()).isEqualTo("berth: there is no pod/counting in namespace default\n");
    assertThat(shell().berth("delete", "--ignore-not-found", "pod", "counting").succeeded().text())
        .isEqualTo("pod/counting is not there\n");
    assertThat(shell().leftovers()).isEmpty();
    try (var files = Files.list(shell().home().resolve("pool/volumes"))) {
      assertThat(files).isEmpty();
    }
    shell().berth("down").succeeded();
    assertThat(stack.waitFor()).isNotNegative();
  }

  @Test
  void whatAKilledStackLeftIsTakenDown() throws Exception {
    var manifest = Files.writeString(shell().folder().resolve("counting.yaml"), COUNTING);
    var stack = shell().up().isUp();
    shell().berth("apply", "-f", manifest.toString()).succeeded();
    await().atMost(Duration.ofSeconds(60)).until(() -> numbers().size() > 5);
    stack.destroyForcibly().waitFor();
    assertThat(shell().leftovers()).isNotEmpty();
    assertThat(shell().berth("down").succeeded().text()).contains("the stack was killed");
    assertThat(shell().leftovers()).isEmpty();
  }

  /// What the container has logged, whichever agent reads it.
  private List<String> numbers() throws IOException {
    var logs = shell().home().resolve("log/pods");
    if (!Files.isDirectory(logs)) return List.of();
    try (var files = Files.walk(logs)) {
      var file = files.filter(each -> each.toString().endsWith(".log")).findFirst();
      if (file.isEmpty()) return List.of();
      var text = Files.readString(file.get());
      return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    }
  }

  @Test
  void whatCannotWorkIsSaidInOneLine() throws Exception {
    var broken = shell().folder().resolve("broken.yaml");
    Files.writeString(broken, "kind: Pod\nmetadata: {name: a}\n");
    assertThat(shell().berth("run", "--port", "0", broken.toString()))
        .returns(1, Ended::exitCode)
        .extracting(Ended::text)
        .asString()
        .isEqualTo("berth: " + broken + ": an object without apiVersion\n");
    assertThat(shell().home()).doesNotExist();

    assertThat(shell().berth("get", "pod").text()).contains("berth is not up in");
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(shell().berth("up", "--port", "" + taken.getLocalPort()).text())
          .contains("is taken by another program or stack; choose another with --port");
    }
    assertThat(shell().home()).doesNotExist();

    var stack = shell().up().isUp();
    var port = URI.create(server()).getPort();
    for (var wanted : List.of(0, port))
      assertThat(shell().berth("up", "--port", "" + wanted).text())
          .contains("berth is already up in", "(pid " + stack.pid() + ")");
    assertThat(shell().berth("explain", "pod/none")).returns(2, Ended::exitCode);
    shell().berth("down").succeeded();
  }

  private String server() throws IOException {
    return Files.readAllLines(shell().home().resolve("kubeconfig")).stream()
        .map(String::strip)
        .filter(line -> line.startsWith("server:"))
        .map(line -> line.substring("server:".length()).replace("\"", "").strip())
        .findFirst()
        .orElseThrow();
  }
}
