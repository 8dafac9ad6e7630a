package dev.berth.apiserver.core.field;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// What is right for the metadata of every kind (API-47, API-71).
public final class MetadataRules {
  private static final int MOST_ANNOTATION_BYTES = 256 << 10;
  private static final List<String> FINALIZERS_WITHOUT_DOMAIN =
      List.of("orphan", "foregroundDeletion", "kubernetes");

  private MetadataRules() {}

  /// What finalizers of a kind may look like.
  public enum Finalizers {
    /// Each begins with the domain of whoever takes it off, or is one of Kubernetes' own.
    OF_A_DOMAIN,
    /// Any qualified name: custom kinds have many that began without a domain.
    QUALIFIED
  }

  /// What is wrong with an object's metadata.
  public static void check(Field object, Names names, Finalizers finalizers) {
    var meta = object.at("metadata");
    if (meta.at("name").isEmpty()) meta.at("name").required("name or generateName is required");
    else names.check(meta.at("name"));
    checkLabels(meta.at("labels"));
    checkAnnotations(meta.at("annotations"));
    checkOwners(meta.at("ownerReferences"));
    for (var finalizer : meta.at("finalizers").elements()) checkFinalizer(finalizer, finalizers);
  }

  /// What is wrong with the change of an object's metadata.
  public static void checkChange(Field object, Field stored) {
    var meta = object.at("metadata");
    var before = stored.at("metadata");
    for (var field :
        List.of(
            "name",
            "namespace",
            "uid",
            "creationTimestamp",
            "deletionTimestamp",
            "deletionGracePeriodSeconds")) meta.at(field).immutable(before.at(field));
    if (before.at("deletionTimestamp").isSet()) checkNoNewFinalizers(meta, before);
  }

  private static void checkNoNewFinalizers(Field meta, Field before) {
    var old =
        before.at("finalizers").elements().stream().map(Field::text).collect(Collectors.toSet());
    var added =
        meta.at("finalizers").elements().stream()
            .map(Field::text)
            .filter(finalizer -> !old.contains(finalizer))
            .map(finalizer -> "\"" + finalizer + "\"")
            .collect(Collectors.joining(", "));
    if (!added.isEmpty())
      meta.at("finalizers")
          .forbidden(
              "no new finalizers can be added if the object is being deleted, found new finalizers"
                  + " []string{"
                  + added
                  + "}");
  }

  private static void checkLabels(Field labels) {
    for (var key : labels.names()) {
      Names.QUALIFIED.checkKey(labels, key);
      var value = labels.key(key).namedAs("metadata.labels");
      Names.LABEL_VALUE.check(value);
    }
  }

  private static void checkAnnotations(Field annotations) {
    long bytes = 0;
    for (var key : annotations.names()) {
      var lower = key.toLowerCase(Locale.ROOT);
      if (!Names.QUALIFIED.admit(lower)) Names.QUALIFIED.checkKey(annotations, key);
      bytes += bytes(key) + bytes(annotations.key(key).text());
    }
    if (bytes > MOST_ANNOTATION_BYTES) annotations.tooLong(MOST_ANNOTATION_BYTES);
  }

  private static void checkOwners(Field owners) {
    var controllers = new HashSet<String>();
    for (var owner : owners.elements()) {
      for (var field : List.of("apiVersion", "kind", "name", "uid"))
        if (owner.at(field).isEmpty()) owner.at(field).invalid("must not be empty");
      if (owner.at("controller").node().asBoolean()) controllers.add(owner.at("name").text());
    }
    if (controllers.size() > 1)
      owners.invalid(
          "Only one reference can have Controller set to true. Found \"true\" in references for "
              + String.join(" and ", controllers));
  }

  private static void checkFinalizer(Field finalizer, Finalizers finalizers) {
    Names.QUALIFIED.check(finalizer);
    if (finalizers == Finalizers.OF_A_DOMAIN
        && Names.QUALIFIED.admit(finalizer.text())
        && hasNoDomain(finalizer.text()))
      finalizer.invalid("name is neither a standard finalizer name nor is it fully qualified");
  }

  /// Whether others may have the same finalizer by chance.
  public static boolean hasNoDomain(String finalizer) {
    return !finalizer.contains("/") && !FINALIZERS_WITHOUT_DOMAIN.contains(finalizer);
  }

  public static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
