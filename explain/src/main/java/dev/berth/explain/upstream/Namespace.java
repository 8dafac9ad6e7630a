package dev.berth.explain.upstream;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Commands;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.snapshot.SnapshotKinds;
import dev.berth.kube.value.Json;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/// A Namespace, which goes when all that is in it has gone (D21).
///
/// @param left what keeps it, as the namespace controller says it
record Namespace(Meta meta, List<String> left) implements KubeObject {
  static final Kind<Namespace> KIND = new Kind<>(Resources.NAMESPACES, Namespace::of);

  Namespace {
    left = List.copyOf(left);
  }

  private static Namespace of(JsonNode object) {
    return new Namespace(
        Meta.of(object),
        object
            .path("status")
            .path("conditions")
            .valueStream()
            .filter(it -> Json.text(it, "status").equals("True"))
            .map(it -> Json.text(it, "message"))
            .toList());
  }

  static Stream<Step> steps(Ref subject, Snapshot objects, Instant now) {
    return subject
        .as(KIND)
        .flatMap(key -> objects.get(KIND, key).found().stream())
        .filter(namespace -> namespace.meta.deleting())
        .map(namespace -> untilEmpty(namespace, objects));
  }

  /// What storage keeps in it can be asked about in its turn: pods before the claims that they use.
  private static Step untilEmpty(Namespace namespace, Snapshot objects) {
    var name = namespace.meta.name();
    var since = namespace.meta.deleted().orElseThrow();
    return Stream.of(
            in(name, Kinds.POD.resource(), objects.all(Kinds.POD)),
            in(name, Kinds.CLAIM.resource(), objects.all(Kinds.CLAIM)),
            in(name, SnapshotKinds.SNAPSHOT.resource(), objects.all(SnapshotKinds.SNAPSHOT)))
        .flatMap(it -> it)
        .findFirst()
        .map(held ->
            Wait.on(held)
                .since(since)
                .until("%s has gone, which is in the namespace".formatted(held))
                .remedy("see what keeps it: " + Commands.explain(held)))
        .orElseGet(() ->
            Wait.on(Ref.of(Resources.NAMESPACES, ObjectKey.cluster(name)), "status.conditions")
                .since(since)
                .until(
                    namespace.left.isEmpty()
                        ? "the namespace controller has removed what is in it"
                        : "nothing is left in it: " + String.join("; ", namespace.left))
                .remedy("see what is left: kubectl describe namespace " + name));
  }

  private static Stream<Ref> in(
      String namespace, Resource resource, Collection<? extends KubeObject> all) {
    return all.stream()
        .map(KubeObject::meta)
        .filter(meta -> meta.namespace().equals(namespace) && !meta.finalizers().isEmpty())
        .map(meta -> Ref.of(resource, meta));
  }
}
