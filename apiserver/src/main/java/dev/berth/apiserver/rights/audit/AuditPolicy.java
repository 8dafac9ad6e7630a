package dev.berth.apiserver.rights.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.apiserver.rights.Attributes;
import dev.berth.apiserver.rights.User;
import dev.berth.kube.value.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Which requests are written down: a `Policy` of audit.k8s.io, of which the first rule that a
/// request matches decides at which level. Of what holds secrets or tokens no body is ever written,
/// whatever the policy says.
public final class AuditPolicy {
  /// Resources whose bodies hold secrets or tokens.
  private static final Set<String> SECRET =
      Set.of("secrets", "tokenreviews", "serviceaccounts/token");

  /// How much is written of a request; each more than the one before.
  public enum Level {
    NONE("None"),
    METADATA("Metadata"),
    REQUEST("Request"),
    REQUEST_RESPONSE("RequestResponse");

    final String word;

    Level(String word) {
      this.word = word;
    }
  }

  /// The only one at which we write.
  private static final String STAGE = "ResponseComplete";

  private static final String OMITTED = "omitStages";
  private static final Set<String> POLICY =
      Set.of("apiVersion", "kind", "metadata", "rules", OMITTED, "omitManagedFields");
  private static final Set<String> RULE =
      Set.of(
          "level",
          "users",
          "userGroups",
          "verbs",
          "namespaces",
          "resources",
          "nonResourceURLs",
          OMITTED,
          "omitManagedFields");
  private static final Set<String> KINDS = Set.of("group", "resources", "resourceNames");

  private final List<Rule> rules;

  private AuditPolicy(List<Rule> rules) {
    this.rules = List.copyOf(rules);
  }

  /// What is empty matches anything.
  private record Rule(
      Level level,
      Set<String> users,
      Set<String> groups,
      Set<String> verbs,
      Set<String> namespaces,
      List<Kinds> resources,
      Set<String> paths) {
    boolean matches(User user, Attributes wish) {
      if (!admits(users, user.name()) || !admits(verbs, wish.verb())) return false;
      if (!groups.isEmpty() && user.groups().stream().noneMatch(groups::contains)) return false;
      if (!wish.isResource())
        return resources.isEmpty()
            && namespaces.isEmpty()
            && (paths.isEmpty() || paths.stream().anyMatch(path -> isUnder(path, wish.path())));
      return paths.isEmpty()
          && admits(namespaces, wish.namespace())
          && (resources.isEmpty() || resources.stream().anyMatch(kinds -> kinds.include(wish)));
    }

    private static boolean admits(Set<String> wanted, String value) {
      return wanted.isEmpty() || wanted.contains(value);
    }

    private static boolean isUnder(String pattern, String path) {
      return pattern.endsWith("*")
          ? path.startsWith(pattern.substring(0, pattern.length() - 1))
          : pattern.equals(path);
    }
  }

  private record Kinds(String group, Set<String> resources, Set<String> names) {
    boolean include(Attributes wish) {
      return group.equals(wish.group())
          && Rule.admits(names, wish.name())
          && (resources.isEmpty() || resources.stream().anyMatch(each -> is(each, wish)));
    }

    /// `pods`, `pods/log`, `*`; `pods/*` is of pods themselves too, as upstream has it.
    private static boolean is(String resource, Attributes wish) {
      if (resource.equals("*") || resource.equals(wish.wholeResource())) return true;
      return resource.equals(wish.resource() + "/*")
          || !wish.subresource().isEmpty() && resource.equals("*/" + wish.subresource());
    }
  }

  /// The policy in a file.
  ///
  /// @return empty: there is no such file, and nothing is written
  /// @throws IOException if it cannot be read, or is none
  public static Optional<AuditPolicy> in(Path file) throws IOException {
    if (!Files.exists(file)) return Optional.empty();
    var policy = new YAMLMapper().readTree(Files.readString(file));
    checkFields(file, policy, POLICY);
    if (!Json.text(policy, "kind").equals("Policy") || !policy.path("rules").isArray())
      throw new IOException(file + " is no Policy of audit.k8s.io with rules");
    var rules = new ArrayList<Rule>();
    for (var rule : policy.path("rules")) rules.add(rule(file, rule, texts(policy, OMITTED)));
    return Optional.of(new AuditPolicy(rules));
  }

  private static Rule rule(Path file, JsonNode rule, Set<String> omitted) throws IOException {
    checkFields(file, rule, RULE);
    var word = Json.text(rule, "level");
    var level =
        Arrays.stream(Level.values())
            .filter(each -> each.word.equals(word))
            .findFirst()
            .orElseThrow(() -> new IOException(file + ": there is no level " + word));
    var kinds = new ArrayList<Kinds>();
    for (var each : rule.path("resources")) kinds.add(kinds(file, each));
    boolean written = !omitted.contains(STAGE) && !texts(rule, OMITTED).contains(STAGE);
    return new Rule(
        written ? level : Level.NONE,
        texts(rule, "users"),
        texts(rule, "userGroups"),
        texts(rule, "verbs"),
        texts(rule, "namespaces"),
        List.copyOf(kinds),
        texts(rule, "nonResourceURLs"));
  }

  private static Kinds kinds(Path file, JsonNode kinds) throws IOException {
    checkFields(file, kinds, KINDS);
    var resources = texts(kinds, "resources");
    var names = texts(kinds, "resourceNames");
    if (resources.isEmpty() && !names.isEmpty())
      throw new IOException(file + ": resourceNames need resources");
    return new Kinds(Json.text(kinds, "group"), resources, names);
  }

  /// What is passed over in silence would leave requests out, or let secrets in.
  private static void checkFields(Path file, JsonNode node, Set<String> known) throws IOException {
    for (var field : node.properties())
      if (!known.contains(field.getKey()))
        throw new IOException("%s: there is no field %s".formatted(file, field.getKey()));
  }

  private static Set<String> texts(JsonNode rule, String field) {
    return Set.copyOf(Json.list(rule.path(field), JsonNode::asText));
  }

  /// How much of a request is written down.
  public Level level(User user, Attributes wish) {
    var level =
        rules.stream()
            .filter(rule -> rule.matches(user, wish))
            .findFirst()
            .map(Rule::level)
            .orElse(Level.NONE);
    return level != Level.NONE && SECRET.contains(wish.wholeResource()) ? Level.METADATA : level;
  }
}
