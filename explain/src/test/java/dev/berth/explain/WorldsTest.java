package dev.berth.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.kube.api.Api;
import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.model.Kind;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.Ref;
import dev.berth.kube.model.Resource;
import dev.berth.kube.model.Resources;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Worlds in which something is stuck, a folder each: `in-*.yaml` is what the server shows,
/// `explain.txt` what the command prints, with its exit code. Run with `-Dberth.worlds=write` it
/// writes the answers down, to be read before they are committed.
class WorldsTest {
  private static final Path WORLDS = Path.of("src/test/resources/worlds");
  private static final Instant NOW = Instant.parse("2026-01-01T00:10:00Z");
  private static final String ASK = "$ berth explain ";

  static Stream<String> worlds() throws IOException {
    try (var folders = Files.list(WORLDS)) {
      return folders.map(folder -> folder.getFileName().toString()).sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("worlds")
  void isExplained(String world) throws IOException {
    var folder = WORLDS.resolve(world);
    var objects = Snapshots.empty();
    for (var kind : read(folder).entrySet()) objects = objects.read(kind.getKey(), kind.getValue());
    var answers = folder.resolve("explain.txt");
    var told = new ArrayList<String>();
    for (var line : Files.readAllLines(answers)) {
      if (!line.startsWith(ASK)) continue;
      var subject = subject(line.substring(ASK.length()));
      var explanation = new Explainer(Voices.all(nobody(), objects)).explain(subject, objects, NOW);
      told.add(line);
      told.addAll(ChainText.lines(explanation, NOW));
      told.add("exit code " + explanation.verdict().exitCode());
      told.add("");
    }
    if (System.getProperty("berth.worlds", "").equals("write")) Files.write(answers, told);
    assertThat(told).isEqualTo(Files.readAllLines(answers));
  }

  private static Map<Kind<?>, List<ObjectNode>> read(Path folder) throws IOException {
    var kinds = new HashMap<Kind<?>, List<ObjectNode>>();
    try (var files = Files.list(folder)) {
      for (var file : files.sorted().toList()) {
        var name = file.getFileName().toString();
        if (name.equals("explain.txt")) continue;
        assertThat(name).as("a file that nobody reads").matches("in-.*\\.yaml");
        try (var documents =
            new YAMLMapper().readerFor(ObjectNode.class).readValues(file.toFile())) {
          documents
              .readAll()
              .forEach(object ->
                  kinds
                      .computeIfAbsent(kind((ObjectNode) object), _ -> new ArrayList<>())
                      .add((ObjectNode) object));
        }
      }
    }
    return kinds;
  }

  private static Kind<?> kind(ObjectNode object) {
    return Voices.KINDS.stream()
        .filter(kind -> kind.resource().kind().equals(object.path("kind").asText()))
        .findFirst()
        .orElseThrow(() -> new AssertionError("explain does not look at " + object));
  }

  private static Ref subject(String text) {
    var parts = text.split("/", 2);
    Resource resource = Resources.named(parts[0]).orElseThrow();
    return Ref.of(resource, ObjectKey.of(resource.namespaced() ? "shop" : "", parts[1]));
  }

  /// A server that must not be asked.
  private static Api nobody() {
    return (Api)
        Proxy.newProxyInstance(
            Api.class.getClassLoader(),
            new Class<?>[] {Api.class},
            (_, method, _) -> {
              throw new AssertionError("an explanation called " + method);
            });
  }
}
