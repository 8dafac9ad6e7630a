package dev.berth.apiserver.table;

import static dev.berth.apiserver.table.Column.age;
import static dev.berth.apiserver.table.Column.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.StoredResources;
import dev.berth.kube.value.Json;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/// Who has which role. Roles themselves have no columns of their own.
final class RbacTables {
  private static final Layout BINDING =
      Layout.of(
          Cells.name(),
          text(
              "Role",
              "What they may do",
              binding ->
                  binding.at("/roleRef/kind").asText()
                      + "/"
                      + binding.at("/roleRef/name").asText()),
          age(),
          subjects("Users", "User", "People who have it", RbacTables::name),
          subjects("Groups", "Group", "Groups who have it", RbacTables::name),
          subjects(
              "ServiceAccounts",
              "ServiceAccount",
              "Programs that have it",
              subject -> Json.text(subject, "namespace") + "/" + name(subject)));

  static final Map<Resource, Layout> ALL =
      Map.of(
          StoredResources.ROLE_BINDINGS, BINDING,
          StoredResources.CLUSTER_ROLE_BINDINGS, BINDING);

  private RbacTables() {}

  private static Column subjects(
      String heading, String kind, String description, Function<JsonNode, String> word) {
    return text(
            heading,
            description,
            binding ->
                StreamSupport.stream(binding.path("subjects").spliterator(), false)
                    .filter(subject -> Json.text(subject, "kind").equals(kind))
                    .map(word)
                    .collect(Collectors.joining(", ")))
        .wide();
  }

  private static String name(JsonNode subject) {
    return Json.text(subject, "name");
  }
}
