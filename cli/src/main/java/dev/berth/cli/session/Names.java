package dev.berth.cli.session;

import dev.berth.apiserver.core.state.Kinds;
import dev.berth.apiserver.core.state.Served;
import dev.berth.cli.Problem;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.snapshot.SnapshotResources;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Kinds and names as people type them.
public final class Names {
  private Names() {}

  /// Whether every stack has the kind.
  public static boolean isBuiltIn(String word) {
    return served(word).filter(found -> Kinds.builtIn().find(found).isPresent()).isPresent();
  }

  /// @param word plural, singular or short name, with or without its group as `kubectl get -o name`
  ///   prints it (`statefulset.apps`); `va`, which kubectl lacks, too
  /// @return empty: there is no such kind
  public static Optional<Resource> find(String word) {
    int dot = word.indexOf('.');
    var name = dot < 0 ? word : word.substring(0, dot);
    return (name.equalsIgnoreCase("va")
            ? Optional.of(Resources.ATTACHMENTS)
            : Resources.named(name).or(() -> SnapshotResources.named(name)))
        .filter(it -> dot < 0 || isGroup(word.substring(dot + 1), it));
  }

  /// The same of every kind that the API server keeps, also of those that nothing in a stack waits
  /// for. Of two that are called the same the core group's is meant, unless its group is named.
  private static Optional<Resource> served(String word) {
    return find(word).or(() -> catalogued(word.toLowerCase(Locale.ROOT)));
  }

  private static Optional<Resource> catalogued(String word) {
    int dot = word.indexOf('.');
    var name = dot < 0 ? word : word.substring(0, dot);
    return Kinds.builtIn().all().stream()
        .filter(kind ->
            name.equals(kind.resource().plural())
                || name.equals(kind.singular())
                || kind.shortNames().contains(name))
        .map(Served::resource)
        .filter(it -> dot < 0 || isGroup(word.substring(dot + 1), it))
        .findFirst();
  }

  /// With the version before it, too, as kubectl takes it: `deployments.v1.apps`.
  private static boolean isGroup(String typed, Resource resource) {
    return typed.equalsIgnoreCase(resource.group())
        || typed.equalsIgnoreCase(resource.version() + "." + resource.group());
  }

  /// @param word as [#find] takes it
  /// @throws Problem if there is no such kind
  public static Resource kind(String word) {
    return served(word)
        .orElseThrow(() ->
            new Problem(
                "no kind \""
                    + word
                    + "\"; there are "
                    + Kinds.builtIn().all().stream()
                        .map(kind -> kind.resource().plural())
                        .distinct()
                        .collect(Collectors.joining(", "))
                    + "; kinds of your own (CustomResourceDefinition) are shown by berth get, and"
                    + " the rest is for kubectl"));
  }

  /// @param namespace ignored for kinds that have none
  /// @throws Problem if no object can have the name
  public static ObjectKey key(Resource resource, String namespace, String name) {
    if (!name.matches("[A-Za-z0-9.:_-]+"))
      throw new Problem("\"" + name + "\" is no name of a " + resource.kind(), 2);
    return ObjectKey.of(resource.namespaced() ? namespace : "", name);
  }

  /// Objects as with kubectl: `pod/web-0 pvc/data`, or `pod web-0 web-1`.
  public static List<Ref> refs(List<String> words, String namespace) {
    var first = words.getFirst();
    if (first.contains("/") || words.size() == 1)
      return words.stream().map(word -> ref(word, namespace)).toList();
    return Stream.of(first.split(",", -1))
        .map(Names::kind)
        .flatMap(
            kind -> words.stream().skip(1).map(name -> Ref.of(kind, key(kind, namespace, name))))
        .toList();
  }

  /// An object by `KIND/NAME`.
  public static Ref ref(String subject, String namespace) {
    int slash = subject.indexOf('/');
    if (slash < 1 || slash == subject.length() - 1)
      throw new Problem("\"" + subject + "\" is not KIND/NAME, such as pod/web-0 or pvc/data", 2);
    var resource = kind(subject.substring(0, slash));
    return Ref.of(resource, key(resource, namespace, subject.substring(slash + 1)));
  }
}
