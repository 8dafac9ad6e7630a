package dev.berth.apiserver.rights.rbac;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.rights.Attributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// A `PolicyRule`: what it allows.
public record Rule(
    Set<String> verbs,
    Set<String> groups,
    Set<String> resources,
    Set<String> names,
    Set<String> paths) {
  private static final String ALL = "*";

  /// What cluster administrators may do.
  public static final List<Rule> EVERYTHING =
      List.of(
          new Rule(Set.of(ALL), Set.of(ALL), Set.of(ALL), Set.of(), Set.of()),
          new Rule(Set.of(ALL), Set.of(), Set.of(), Set.of(), Set.of(ALL)));

  public Rule {
    verbs = Set.copyOf(verbs);
    groups = Set.copyOf(groups);
    resources = Set.copyOf(resources);
    names = Set.copyOf(names);
    paths = Set.copyOf(paths);
  }

  /// The rules of a role.
  static List<Rule> ofRole(JsonNode role) {
    var rules = new ArrayList<Rule>();
    for (var rule : role.path("rules")) rules.add(of(rule));
    return List.copyOf(rules);
  }

  /// One of them.
  static Rule of(JsonNode rule) {
    return new Rule(
        texts(rule, "verbs"),
        texts(rule, "apiGroups"),
        texts(rule, "resources"),
        texts(rule, "resourceNames"),
        texts(rule, "nonResourceURLs"));
  }

  private static Set<String> texts(JsonNode rule, String field) {
    var texts = new TreeSet<String>();
    rule.path(field).forEach(each -> texts.add(each.asText()));
    return texts;
  }

  public boolean allows(Attributes wish) {
    if (!admits(verbs, wish.verb())) return false;
    return wish.isResource()
        ? admits(groups, wish.group())
            && admitsResource(wish.resource(), wish.subresource())
            && (names.isEmpty() || names.contains(wish.name()))
        : paths.stream().anyMatch(pattern -> matches(pattern, wish.path()));
  }

  private static boolean admits(Set<String> allowed, String wanted) {
    return allowed.contains(ALL) || allowed.contains(wanted);
  }

  private boolean admitsResource(String resource, String subresource) {
    if (resources.contains(ALL)) return true;
    return subresource.isEmpty()
        ? resources.contains(resource)
        : resources.contains(resource + "/" + subresource)
            || resources.contains("*/" + subresource);
  }

  private static boolean matches(String pattern, String path) {
    if (pattern.equals(ALL) || pattern.equals(path)) return true;
    return pattern.endsWith(ALL) && path.startsWith(pattern.substring(0, pattern.length() - 1));
  }

  /// What it allows, in single steps: one verb, group, resource and name, or one verb and path.
  List<Rule> steps() {
    var steps = new ArrayList<Rule>();
    for (var verb : verbs) {
      for (var path : paths)
        steps.add(new Rule(Set.of(verb), Set.of(), Set.of(), Set.of(), Set.of(path)));
      for (var group : groups)
        for (var resource : resources) {
          if (names.isEmpty())
            steps.add(new Rule(Set.of(verb), Set.of(group), Set.of(resource), Set.of(), Set.of()));
          for (var name : names)
            steps.add(
                new Rule(Set.of(verb), Set.of(group), Set.of(resource), Set.of(name), Set.of()));
        }
    }
    return steps;
  }

  /// Of how many single steps it is; so much may be asked to be compared.
  long size() {
    return (long) verbs.size()
        * (paths.size() + (long) groups.size() * resources.size() * Math.max(1, names.size()));
  }

  /// Whether it allows all that a single step does.
  boolean covers(Rule step) {
    if (!verbs.contains(ALL) && !verbs.containsAll(step.verbs)) return false;
    if (!step.paths.isEmpty())
      return step.paths.stream()
          .allMatch(path -> paths.stream().anyMatch(own -> matches(own, path)));
    return (groups.contains(ALL) || groups.containsAll(step.groups))
        && step.resources.stream().allMatch(this::coversResource)
        && (names.isEmpty() || (!step.names.isEmpty() && names.containsAll(step.names)));
  }

  private boolean coversResource(String resource) {
    if (resources.contains(ALL) || resources.contains(resource)) return true;
    int slash = resource.indexOf('/');
    return slash >= 0 && resources.contains(ALL + resource.substring(slash));
  }

  /// As a role has it.
  public ObjectNode toJson() {
    var rule = JsonNodeFactory.instance.objectNode();
    put(rule, "apiGroups", groups);
    put(rule, "nonResourceURLs", paths);
    put(rule, "resourceNames", names);
    put(rule, "resources", resources);
    put(rule, "verbs", verbs);
    return rule;
  }

  private static void put(ObjectNode rule, String field, Set<String> texts) {
    if (texts.isEmpty()) return;
    ArrayNode array = rule.putArray(field);
    new TreeSet<>(texts).forEach(array::add);
  }

  /// As upstream prints it when it may not be given.
  @Override
  public String toString() {
    var parts = new ArrayList<String>();
    part(parts, "APIGroups", groups);
    part(parts, "Resources", resources);
    part(parts, "NonResourceURLs", paths);
    part(parts, "ResourceNames", names);
    part(parts, "Verbs", verbs);
    return "{" + String.join(", ", parts) + "}";
  }

  private static void part(List<String> parts, String name, Set<String> texts) {
    if (texts.isEmpty()) return;
    var quoted = new TreeSet<>(texts).stream().map(text -> "\"" + text + "\"").toList();
    parts.add(name + ":" + quoted.toString().replace(", ", " "));
  }
}
