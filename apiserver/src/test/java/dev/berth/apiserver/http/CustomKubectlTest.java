package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
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
  private static Kubectl kubectl;
  private static @Nullable RunningServer server;

  /// Every command of the page, and that it prints what the page shows.
  @BeforeAll
  static void thePageIsTrue() throws Exception {
    kubectl = Kubectl.in(home).at(ROOT);
    server = RunningServer.in(home);
    var output = "";
    for (var line : Files.readAllLines(ROOT.resolve("docs/custom-resources.md"))) {
      if (line.startsWith(PROMPT)) output = kubectl.typed(line.substring(PROMPT.length()));
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
    assertThat(kubectl.typed("get kitchen -o wide")).containsPattern("NAME +FUEL +DOORS\n");
    assertThat(kubectl.typed("get ov --field-selector spec.fuel=gas"))
        .contains("No resources found");
    assertThat(kubectl.typed("get ov --field-selector spec.fuel=wood")).contains("big");
    assertThat(kubectl.typed("explain oven")).contains("Where bread is made.");
  }

  @Test
  void itsStatusIsPatched() throws Exception {
    assertThat(
            kubectl.typed(
                "patch oven big --subresource=status --type=merge -p '{\"status\":{\"doors\":2}}'"))
        .contains("patched");
    assertThat(kubectl.typed("get oven big --subresource=scale -o jsonpath={.status.replicas}"))
        .isEqualTo("2");
    assertThat(kubectl.typed("get ov big -o jsonpath={.spec.doors}")).isEqualTo("3");
  }

  @Test
  void whatIsWrongIsSaid() throws Exception {
    var oven = Files.readString(ROOT.resolve("examples/custom/oven.yaml"));
    Files.writeString(home.resolve("typo.yaml"), oven.replace("fuel", "fule"));
    assertThat(kubectl.typed("apply -f " + home.resolve("typo.yaml")))
        .contains("unknown field \"spec.fule\"");
  }
}
