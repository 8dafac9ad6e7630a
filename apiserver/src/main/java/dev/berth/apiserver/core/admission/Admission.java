package dev.berth.apiserver.core.admission;

import dev.berth.apiserver.core.message.Refusal.Cause;
import dev.berth.apiserver.core.message.Refusals;
import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.apiserver.core.state.State;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import java.util.List;

/// What a write must pass, or is given, because of other objects.
public final class Admission {
  /// In upstream's order (API-110); NamespaceLifecycle comes before all of them.
  private static final List<Plugin> PLUGINS =
      List.of(
          new LimitRanger(),
          new ServiceAccounts(),
          new Priorities(),
          new DefaultTolerations(),
          new DefaultClasses(),
          new InUseProtection(),
          new ClaimResize(),
          new Quotas());

  private Admission() {}

  /// NamespaceLifecycle: the namespace of a new object is there, and stays (API-89).
  public static void checkNamespace(State state, Resource resource, ObjectKey key) {
    if (!resource.namespaced()) return;
    var namespace =
        state
            .get(Resources.NAMESPACES, ObjectKey.cluster(key.namespace()))
            .orElseThrow(() ->
                new RefusedException(Refusals.notFound(Resources.NAMESPACES, key.namespace())));
    if (namespace.object().path("metadata").has("deletionTimestamp"))
      throw new RefusedException(
          Refusals.forbidden(
              resource,
              key.name(),
              "unable to create new content in namespace %s because it is being terminated"
                  .formatted(key.namespace()),
              new Cause(
                  "NamespaceTerminating",
                  "namespace %s is being terminated".formatted(key.namespace()),
                  "metadata.namespace")));
  }

  /// Completes an object, before it is checked.
  public static void complete(Attempt attempt) {
    PLUGINS.forEach(plugin -> plugin.complete(attempt));
  }

  /// Refuses an object that was found right by itself.
  public static void validate(Attempt attempt) {
    PLUGINS.forEach(plugin -> plugin.validate(attempt));
  }
}
