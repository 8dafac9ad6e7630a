package dev.berth.volume.snapshot;

import dev.berth.kube.model.Volume.SecretRef;
import dev.berth.kube.object.ObjectKey;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Finds out which Secret a snapshot class names for one use: a pair of templates (SNAP-16).
public final class ClassSecrets {
  private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
  private static final Pattern SUBDOMAIN =
      Pattern.compile(
          "(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

  /// As Go's `os.Expand` reads it: `$name` is a token too.
  private static final Pattern TOKEN = Pattern.compile("\\$(?:\\{([^}]*)\\}|(\\w+|.|$))");

  /// What a Secret of a class is for.
  public enum Use {
    /// CreateSnapshot and DeleteSnapshot.
    SNAPSHOT("Snapshotter", "snapshotter"),
    /// ListSnapshots.
    LIST("SnapshotterList", "snapshotter-list"),
    /// CreateVolumeGroupSnapshot and DeleteVolumeGroupSnapshot.
    GROUP("GroupSnapshotter", "group-snapshotter"),
    /// GetVolumeGroupSnapshot.
    GROUP_GET("GroupSnapshotterGet", "group-snapshotter-get");

    private final String title;
    private final String word;

    Use(String title, String word) {
      this.title = title;
      this.word = word;
    }

    String nameKey() {
      return ClassParameters.PREFIX + word + "-secret-name";
    }

    String namespaceKey() {
      return ClassParameters.PREFIX + word + "-secret-namespace";
    }
  }

  /// Whose names the templates may use.
  ///
  /// @param name tokens of the Secret's name
  /// @param namespace tokens of its namespace
  public record Subject(Map<String, String> name, Map<String, String> namespace) {
    public Subject {
      name = Map.copyOf(name);
      namespace = Map.copyOf(namespace);
    }

    /// A content alone: the sidecar never looks at snapshots (SNAP-17).
    public static Subject content(String content) {
      return of("volumesnapshot", content, Optional.empty());
    }

    public static Subject snapshot(String content, ObjectKey snapshot) {
      return of("volumesnapshot", content, Optional.of(snapshot));
    }

    public static Subject groupContent(String content) {
      return of("volumegroupsnapshot", content, Optional.empty());
    }

    public static Subject groupSnapshot(String content, ObjectKey snapshot) {
      return of("volumegroupsnapshot", content, Optional.of(snapshot));
    }

    private static Subject of(String kind, String content, Optional<ObjectKey> snapshot) {
      var namespace = new TreeMap<>(Map.of(kind + "content.name", content));
      snapshot.ifPresent(it -> namespace.put(kind + ".namespace", it.namespace()));
      var name = new TreeMap<>(namespace);
      snapshot.ifPresent(it -> name.put(kind + ".name", it.name()));
      return new Subject(name, namespace);
    }
  }

  /// What the class's parameters come to.
  public sealed interface Resolution {}

  /// @param secret empty: the class names none for this use
  public record Resolved(Optional<SecretRef> secret) implements Resolution {}

  /// @param why which parameter is wrong and how, as upstream's users read it
  public record Unresolvable(String why) implements Resolution {}

  private ClassSecrets() {}

  public static Resolution resolve(Use use, Map<String, String> parameters, Subject subject) {
    var name = parameters.get(use.nameKey());
    var namespace = parameters.get(use.namespaceKey());
    if (name == null && namespace == null) return new Resolved(Optional.empty());
    if (name == null || namespace == null)
      return pairWrong(
          "either name and namespace for %s secrets specified, Both must be specified", use);
    if (name.isEmpty() || namespace.isEmpty())
      return pairWrong(
          "%s secrets specified in parameters but value of either namespace or name is empty", use);
    try {
      var resolvedNamespace = expand(namespace, subject.namespace(), LABEL, "namespace");
      var resolvedName = expand(name, subject.name(), SUBDOMAIN, "secret");
      return new Resolved(Optional.of(new SecretRef(resolvedNamespace, resolvedName)));
    } catch (WrongTemplate wrong) {
      return new Unresolvable(wrong.why);
    }
  }

  private static Unresolvable pairWrong(String how, Use use) {
    return new Unresolvable(
        "failed to get name and namespace template from params: " + how.formatted(use.title));
  }

  private static String expand(
      String template, Map<String, String> tokens, Pattern form, String what) throws WrongTemplate {
    var unknown = new TreeSet<String>();
    var text =
        TOKEN
            .matcher(template)
            .replaceAll(token -> {
              var name = token.group(1) == null ? token.group(2) : token.group(1);
              if (!tokens.containsKey(name)) unknown.add(name);
              return Matcher.quoteReplacement(tokens.getOrDefault(name, ""));
            });
    var shown = GoWords.quoted(template);
    if (!unknown.isEmpty())
      throw new WrongTemplate(
          "error resolving value %s: invalid tokens: %s"
              .formatted(
                  shown,
                  unknown.stream()
                      .map(GoWords::quoted)
                      .collect(Collectors.joining(" ", "[", "]"))));
    if (form.matcher(text).matches()) return text;
    throw new WrongTemplate(
        text.equals(template)
            ? "%s is not a valid %s name".formatted(shown, what)
            : "%s resolved to %s which is not a valid %s name"
                .formatted(shown, GoWords.quoted(text), what));
  }

  /// Leaves the nested look-ups; never leaves this class.
  private static final class WrongTemplate extends Exception {
    private static final long serialVersionUID = 1;

    private final String why;

    WrongTemplate(String why) {
      super(why);
      this.why = why;
    }
  }
}
