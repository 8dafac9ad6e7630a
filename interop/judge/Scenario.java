package judge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;

/// What is played: README.md in `scenarios.d` says how one is written down.
///
/// @param token what all its names have, and no other's
record Scenario(String title, String token, String program, List<String> flags, JsonNode tree) {
  private static final YAMLMapper YAML = new YAMLMapper();

  /// All of a folder, in the order of its files.
  static List<Scenario> all(Path folder) throws IOException {
    var all = new ArrayList<Scenario>();
    try (var files = Files.list(folder)) {
      for (var file : files.filter(it -> it.toString().endsWith(".yaml")).sorted().toList()) {
        var name = file.getFileName().toString().replace(".yaml", "");
        try (MappingIterator<JsonNode> documents =
            YAML.readerFor(JsonNode.class).readValues(file.toFile())) {
          for (var tree : documents.readAll()) {
            if (tree.isNull() || tree.isMissingNode()) continue;
            var title = name + ": " + tree.path("name").asText();
            if (all.stream().anyMatch(each -> each.title.equals(title)))
              throw new IllegalStateException("twice: " + title);
            all.add(
                new Scenario(
                    title,
                    "k%03dz".formatted(all.size()),
                    tree.path("sidecar").asText(name.replaceFirst("\\..*", "")),
                    words(tree.path("flags")),
                    tree));
          }
        }
      }
    }
    return all;
  }

  static List<String> words(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false).map(JsonNode::asText).toList();
  }
}
