package dev.berth.cli;

import static java.nio.file.attribute.PosixFilePermissions.asFileAttribute;
import static java.nio.file.attribute.PosixFilePermissions.fromString;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.cli.Document.Shown;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Goes the way of docs/sidecars.md, with folders of its own: an API server, a driver and the
/// sidecars, each a process (ONE-12, ONE-13, ONE-18, ONE-19, ONE-26, PROV-170, PROV-173).
class SidecarsPageTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Pattern SERVES = Pattern.compile("berth (apiserver|driver disk|sidecars) ");

  @TempDir private Path folder;
  private final List<Process> servers = new ArrayList<>();

  @BeforeEach
  void writeLauncher() throws IOException {
    assumeTrue("root".equals(System.getProperty("user.name")), "the disk driver needs root");
    var launcher =
        Files.createFile(folder.resolve("berth"), asFileAttribute(fromString("rwx------")));
    Files.writeString(
        launcher,
        """
        #!/bin/sh
        exec %s -XX:+UseSerialGC -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED \
          -cp '%s' dev.berth.cli.Main "$@"
        """
            .formatted(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                System.getProperty("java.class.path")));
    Files.createDirectory(folder.resolve("pool"));
  }

  @AfterEach
  void stop() throws InterruptedException {
    for (var server : servers.reversed()) {
      server.destroy();
      if (!server.waitFor(20, TimeUnit.SECONDS)) server.destroyForcibly().waitFor();
    }
  }

  @Test
  void theWayLeadsThere() throws Exception {
    for (var shown : Document.read(ROOT.resolve("docs/sidecars.md")).commands()) {
      if (SERVES.matcher(shown.command()).find()) serve(shown);
      else untilItSays(shown);
    }
    servers.getLast().destroy(); // SIGTERM: what it holds is given up, not left to run out
    assertThat(servers.getLast().waitFor(30, TimeUnit.SECONDS)).isTrue();
    untilItSays(
        new Shown(
            "./berth get lease -n default --home /tmp/folder/api -o json",
            List.of("\"holderIdentity\" : \"\"")));
  }

  @Test
  void mistakesAreToldBeforeAnythingBegins() throws Exception {
    refused("--csi-address csi.sock", "--csi-address csi.sock: write an absolute path");
    refused("--csi-address /a --kubeconfig /tmp/folder/no", "there is no such file");
    refused("--csi-address /a --timeout 5", "write a time such as 15s, 1m30s or 250ms, not 5");
    Files.writeString(folder.resolve("secret"), "abc");
    refused("--csi-address /a --kubeconfig /tmp/folder/secret", "/secret is no kubeconfig");
    assertThat(folder.resolve("refused.txt")).content().doesNotContain("abc");
    Files.writeString(folder.resolve("config"), "{kind: Config, apiVersion: v1}");
    refused("--csi-address /a --kubeconfig /tmp/folder/config", "/config is no kubeconfig");
    refused(
        "--csi-address /a --leader-election --leader-election-renew-deadline 20s",
        "the lease duration (PT15S) has to be longer than the renew deadline (PT20S)");
    refused("--csi-address /a --snapshots", "--snapshots");
    if (System.getenv("KUBECONFIG") == null && !Files.exists(Path.of("/root/.kube/config")))
      refused("--csi-address /a", "no cluster is named");
  }

  private void refused(String options, String words) throws Exception {
    var said = folder.resolve("refused.txt");
    var process = begin("./berth sidecars " + options, said);
    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(said).content().contains(words);
    assertThat(process.exitValue()).isEqualTo(2);
  }

  private void serve(Shown shown) throws IOException {
    var said = Files.createTempFile(folder, "server", ".txt");
    var process = begin("exec " + shown.command(), said);
    servers.add(process);
    await()
        .atMost(PATIENCE)
        .until(() -> !process.isAlive() || mine(shown).missingIn(Files.readString(said)).isEmpty());
    assertThat(process.isAlive()).as(Files.readString(said)).isTrue();
  }

  private void untilItSays(Shown shown) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> {
          var said = Files.createTempFile(folder, "said", ".txt");
          var process = begin(shown.command(), said);
          assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
          assertThat(mine(shown).missingIn(Files.readString(said)))
              .as(Files.readString(said))
              .isEmpty();
        });
  }

  private Process begin(String command, Path said) throws IOException {
    return new ProcessBuilder("sh", "-c", mine(command))
        .directory(ROOT.toFile())
        .redirectErrorStream(true)
        .redirectOutput(said.toFile())
        .start();
  }

  private Shown mine(Shown shown) {
    return new Shown(shown.command(), shown.output().stream().map(this::mine).toList());
  }

  private String mine(String text) {
    return text.replace("./berth", folder + "/berth").replace("/tmp/folder", "" + folder);
  }
}
