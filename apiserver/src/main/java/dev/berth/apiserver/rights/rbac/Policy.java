package dev.berth.apiserver.rights.rbac;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.StoredResources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/// The roles and bindings that every server has, from the table `bootstrap.txt`.
final class Policy {
  static final String AUTO_UPDATE = "rbac.authorization.kubernetes.io/autoupdate";

  private static final String TABLE = "bootstrap.txt";
  private static final String GROUP = "rbac.authorization.k8s.io";
  private static final String INTO = GROUP + "/aggregate-to-";

  private final List<Item> items = new ArrayList<>();

  private Policy() {}

  /// One of them.
  record Item(Resource resource, ObjectNode object) {}

  static List<Item> items() {
    var policy = new Policy();
    table().lines().filter(line -> !line.startsWith("#")).forEach(policy::line);
    return List.copyOf(policy.items);
  }

  private void line(String line) {
    if (line.startsWith("  ")) part(line.strip());
    else head(line.split(" "));
  }

  private void head(String[] words) {
    switch (words[0]) {
      case "clusterrole" -> role(StoredResources.CLUSTER_ROLES, "", words[1]);
      case "role" -> role(StoredResources.ROLES, words[1], words[2]);
      case "clusterrolebinding" ->
          binding(StoredResources.CLUSTER_ROLE_BINDINGS, "", words[1], words[2], words[3]);
      case "rolebinding" ->
          binding(StoredResources.ROLE_BINDINGS, words[1], words[2], words[3], words[4]);
      default -> throw new IllegalStateException(TABLE + ": " + words[0]);
    }
  }

  private ObjectNode add(Resource resource, String namespace, String name) {
    var object = JsonNodeFactory.instance.objectNode();
    object.put("kind", resource.kind()).put("apiVersion", resource.apiVersion());
    var metadata = object.putObject("metadata").put("name", name);
    if (!namespace.isEmpty()) metadata.put("namespace", namespace);
    metadata.putObject("labels").put("kubernetes.io/bootstrapping", "rbac-defaults");
    metadata.putObject("annotations").put(AUTO_UPDATE, "true");
    items.add(new Item(resource, object));
    return object;
  }

  private void role(Resource resource, String namespace, String name) {
    add(resource, namespace, name).putArray("rules");
  }

  private void binding(Resource resource, String namespace, String name, String kind, String role) {
    var binding = add(resource, namespace, name);
    binding.putObject("roleRef").put("apiGroup", GROUP).put("kind", kind).put("name", role);
    binding.putArray("subjects");
  }

  private void part(String text) {
    var object = items.getLast().object();
    var words = text.split(" ");
    switch (words[0]) {
      case "into" -> object.withObject("/metadata/labels").put(INTO + words[1], "true");
      case "of" ->
          object
              .putObject("aggregationRule")
              .putArray("clusterRoleSelectors")
              .addObject()
              .putObject("matchLabels")
              .put(INTO + words[1], "true");
      case "account" ->
          object
              .withArray("subjects")
              .addObject()
              .put("kind", "ServiceAccount")
              .put("name", words[2])
              .put("namespace", words[1]);
      case "user" -> subject(object, "User", words[1]);
      case "group" -> subject(object, "Group", words[1]);
      case String _ -> object.withArray("rules").add(rule(text).toJson());
    }
  }

  private static void subject(ObjectNode binding, String kind, String name) {
    binding
        .withArray("subjects")
        .addObject()
        .put("apiGroup", GROUP)
        .put("kind", kind)
        .put("name", name);
  }

  private static Rule rule(String text) {
    var parts = text.split(": ");
    var none = new TreeSet<String>();
    if (parts[1].startsWith("paths "))
      return new Rule(
          words(parts[0]), none, none, none, words(parts[1].substring("paths ".length())));
    var names = parts.length > 3 ? words(parts[3]) : none;
    return new Rule(words(parts[0]), words(parts[1]), words(parts[2]), names, none);
  }

  private static TreeSet<String> words(String text) {
    var words = new TreeSet<String>();
    for (var word : text.split(" ")) words.add(word.equals("-") ? "" : word);
    return words;
  }

  private static String table() {
    try (var in = Policy.class.getResourceAsStream(TABLE)) {
      if (in == null) throw new IllegalStateException(TABLE + " is missing from the program");
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
