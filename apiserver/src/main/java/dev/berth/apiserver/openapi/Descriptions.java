package dev.berth.apiserver.openapi;

import dev.berth.apiserver.schema.Structure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// What a structure and its fields are for, as `kubectl explain` says it (API-38): the Javadoc of
/// Fabric8's model, whose sources the build unpacks beside this class. Of a field that is a
/// structure that Javadoc says nothing of its own; what the structure is for stands there.
///
/// @param structure empty: nothing is known of it
/// @param fields by their names; those of whom nothing is known are missing
record Descriptions(String structure, Map<String, String> fields) {
  static final Descriptions NONE = new Descriptions("", Map.of());
  private static final String MODEL = "model/io/fabric8/kubernetes/api/model/";

  /// Their structures stand in the model's own package.
  private static final Set<String> ROOT =
      Set.of("io.k8s.api.core.v1", "io.k8s.apimachinery.pkg.apis.meta.v1");

  /// One comment of Javadoc, and the field that it is about if it is about one.
  private static final Pattern COMMENT =
      Pattern.compile(" *\\Q/**\\E\n *\\* (.*)\n *\\*/\n(?: *@JsonProperty\\(\"(\\w+)\"\\))?");

  private static final Map<String, String> ENTITIES =
      Map.of("&lt;", "<", "&gt;", ">", "&#42;", "*", "&#64;", "@");

  Descriptions {
    fields = Map.copyOf(fields);
  }

  static Descriptions of(Structure structure) {
    return places(structure).stream()
        .flatMap(place -> source(place + structure.name() + ".java").stream())
        .findFirst()
        .map(Descriptions::read)
        .orElse(NONE);
  }

  /// The model has groups of one version in a package of the group's name.
  private static List<String> places(Structure structure) {
    if (ROOT.contains(structure.domain())) return List.of("");
    var parts = structure.domain().split("\\.", -1);
    var group = parts[parts.length - 2] + "/";
    return List.of(group + parts[parts.length - 1] + "/", group);
  }

  private static Optional<String> source(String file) {
    try (var in = Descriptions.class.getResourceAsStream(MODEL + file)) {
      if (in == null) return Optional.empty();
      return Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private static Descriptions read(String source) {
    var structure = "";
    var fields = new HashMap<String, String>();
    for (var comment = COMMENT.matcher(source); comment.find(); ) {
      var text = plain(comment.group(1));
      var field = comment.group(2);
      if (structure.isEmpty()) structure = text;
      else if (field != null && !text.equals(structure)) fields.putIfAbsent(field, text);
    }
    return new Descriptions(structure, fields);
  }

  private static String plain(String javadoc) {
    var plain = javadoc.replace("<br><p> ", "\n");
    for (var entity : ENTITIES.entrySet())
      plain = plain.replace(entity.getKey(), entity.getValue());
    return plain.replace("&amp;", "&").strip();
  }
}
