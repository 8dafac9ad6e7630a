package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The real `kubectl` with a kind of somebody's own, by the commands of `docs/custom-resources.md`
/// (API-124, API-125).
@Timeout(120)
class CustomKubectlTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final String PROMPT = "    $ kubectl ";

  @TempDir private static Path home;
  private static @Nullable RunningServer server;

  /// Every command of the page, and that it prints what the page shows.
  @BeforeAll
  static void thePageIsTrue() throws Exception {
    assumeTrue(executable().isPresent(), "no kubectl here");
    server = RunningServer.in(home);
    var output = "";
    for (var line : Files.readAllLines(ROOT.resolve("docs/custom-resources.md"))) {
      if (line.startsWith(PROMPT)) output = kubectl(line.substring(PROMPT.length()));
      else if (line.startsWith("    "))
        assertThat(output).contains(line.strip().replaceFirst("^… ", ""));
    }
  }

  @AfterAll
  static void stop() {
    if (server != null) server.close();
  }

  @Test
  void itIsShownByItsCategoryAndSelected() throws Exception {
    assertThat(kubectl("get kitchen -o wide")).containsPattern("NAME +FUEL +DOORS\n");
    assertThat(kubectl("get ov --field-selector spec.fuel=gas")).contains("No resources found");
    assertThat(kubectl("get ov --field-selector spec.fuel=wood")).contains("big");
    assertThat(kubectl("explain oven")).contains("Where bread is made.");
  }

  @Test
  void itsStatusIsPatched() throws Exception {
    assertThat(
            kubectl(
                "patch oven big --subresource=status --type=merge -p '{\"status\":{\"doors\":2}}'"))
        .contains("patched");
    assertThat(kubectl("get oven big --subresource=scale -o jsonpath={.status.replicas}"))
        .isEqualTo("2");
    assertThat(kubectl("get ov big -o jsonpath={.spec.doors}")).isEqualTo("3");
  }

  @Test
  void whatIsWrongIsSaid() throws Exception {
    var oven = Files.readString(ROOT.resolve("examples/custom/oven.yaml"));
    Files.writeString(home.resolve("typo.yaml"), oven.replace("fuel", "fule"));
    assertThat(kubectl("apply -f " + home.resolve("typo.yaml")))
        .contains("unknown field \"spec.fule\"");
  }

  /// @param arguments as somebody types them: a shell reads them
  /// @return what was printed, errors too
  private static String kubectl(String arguments) throws Exception {
    var command = new ArrayList<String>(List.of("sh", "-c", "exec \"$@\" " + arguments, "sh"));
    command.add(executable().orElseThrow().toString());
    command.addAll(List.of("--kubeconfig", home.resolve("kubeconfig").toString()));
    command.addAll(List.of("--cache-dir", home.resolve("cache").toString()));
    var process =
        new ProcessBuilder(command).directory(ROOT.toFile()).redirectErrorStream(true).start();
    var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return text;
  }

  private static Optional<Path> executable() {
    var named = System.getProperty("berth.kubectl");
    if (named != null) return Optional.of(Path.of(named));
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .map(folder -> Path.of(folder, "kubectl"))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
