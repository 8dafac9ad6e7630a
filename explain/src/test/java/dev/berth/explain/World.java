package dev.berth.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.explain.answer.Explanation;
import dev.berth.explain.voice.Voices;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.snapshot.SnapshotResources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.stream.Stream;

/// A folder of objects: `in-*.yaml` is what the server shows, `explain.txt` what is asked of it and
/// what the command prints.
record World(Path folder) {
  static final Instant NOW = Instant.parse("2026-01-01T00:10:00Z");
  static final String ASK = "$ berth explain ";
  private static final Path ALL = Path.of("src/test/resources/worlds");

  static Stream<World> all() {
    try (var folders = Files.list(ALL)) {
      return folders.sorted().toList().stream().map(World::new);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path answers() {
    return folder.resolve("explain.txt");
  }

  /// The command's arguments, in their order.
  List<String> questions() throws IOException {
    return Files.readAllLines(answers()).stream()
        .filter(line -> line.startsWith(ASK))
        .map(line -> line.substring(ASK.length()))
        .toList();
  }

  static World named(String name) {
    return new World(ALL.resolve(name));
  }

  Snapshot objects() throws IOException {
    return objects(List.of());
  }

  /// As they are after some changes.
  Snapshot objects(List<String> edits) throws IOException {
    var trees = read();
    for (var edit : edits) Edits.apply(edit, trees);
    var kinds = new HashMap<Kind<?>, List<ObjectNode>>();
    for (var tree : trees) kinds.computeIfAbsent(kind(tree), _ -> new ArrayList<>()).add(tree);
    var objects = Snapshots.empty();
    for (var kind : kinds.entrySet()) objects = objects.read(kind.getKey(), kind.getValue());
    return objects;
  }

  static Explanation explain(String question, Snapshot objects) {
    return new Explainer(objects).explain(subject(question), NOW);
  }

  private List<ObjectNode> read() throws IOException {
    var trees = new ArrayList<ObjectNode>();
    try (var files = Files.list(folder)) {
      for (var file : files.sorted().toList()) {
        var name = file.getFileName().toString();
        if (name.equals("explain.txt")) continue;
        assertThat(name).as("a file that nobody reads").matches("in-.*\\.yaml");
        try (var documents =
            new YAMLMapper().readerFor(ObjectNode.class).readValues(file.toFile())) {
          documents.readAll().forEach(object -> trees.add((ObjectNode) object));
        }
      }
    }
    return trees;
  }

  private static Kind<?> kind(ObjectNode object) {
    return Voices.KINDS.stream()
        .filter(kind -> kind.resource().kind().equals(object.path("kind").asText()))
        .findFirst()
        .orElseThrow(() -> new AssertionError("explain does not look at " + object));
  }

  private static Ref subject(String text) {
    var parts = text.split("/", 2);
    Resource resource =
        Resources.named(parts[0])
            .or(() -> SnapshotResources.named(parts[0]))
            .or(() -> BareMetalKinds.named(parts[0]))
            .orElseThrow();
    return Ref.of(resource, ObjectKey.of(resource.namespaced() ? "shop" : "", parts[1]));
  }

  @Override
  public String toString() {
    return folder.getFileName().toString();
  }
}
