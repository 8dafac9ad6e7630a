package dev.berth.apiserver.core;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.apiserver.core.state.Dependent;
import dev.berth.apiserver.core.state.Owner;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/// An object names an owner that lives in another namespace, which counts as none: before the
/// object goes for that, an event says so (GC-02). Whoever wrote the reference could not guess it.
record Complaint(Draft draft) {
  private static final String TELLER = "garbage-collector-controller";

  /// To be asked when the object is written only: all of its owners' kinds are gone through, once,
  /// and one event says what is wrong, however many owners a client has named.
  void about(Dependent dependent, Stored object) {
    var gone = new LinkedHashMap<Resource, Map<String, Owner>>();
    for (var owner : Owner.of(object.object()))
      if (owner.isGone(draft.state(), dependent.key()))
        owner
            .resource(draft.state().kinds())
            .filter(Resource::namespaced)
            .ifPresent(resource ->
                gone.computeIfAbsent(resource, _ -> new HashMap<>())
                    .putIfAbsent(owner.uid(), owner));
    gone.entrySet().stream()
        .flatMap(each -> elsewhere(each.getKey(), each.getValue(), dependent.key().namespace()))
        .findFirst()
        .ifPresent(owner -> tell(dependent, object, owner));
  }

  /// Those who live in another namespace than `own`.
  private Stream<Owner> elsewhere(Resource resource, Map<String, Owner> owners, String own) {
    return draft.state().list(resource).stream()
        .filter(it -> !it.key().namespace().equals(own))
        .flatMap(it -> Stream.ofNullable(owners.get(it.uid())));
  }

  private void tell(Dependent dependent, Stored object, Owner owner) {
    var key = dependent.key();
    var time = draft.now().truncatedTo(ChronoUnit.SECONDS).toString();
    var event = JsonNodeFactory.instance.objectNode();
    event.putObject("metadata").put("name", key.name() + "." + draft.ids().suffix());
    event
        .putObject("involvedObject")
        .put("apiVersion", dependent.resource().apiVersion())
        .put("kind", dependent.resource().kind())
        .put("namespace", key.namespace())
        .put("name", key.name())
        .put("uid", object.uid());
    event.put("type", "Warning").put("reason", Reasons.OWNER_REF_INVALID_NAMESPACE);
    event.put(
        "message",
        "ownerRef [%s/%s, namespace: %s, name: %s, uid: %s] does not exist in namespace \"%s\""
            .formatted(
                owner.apiVersion(),
                owner.kind(),
                key.namespace(),
                owner.name(),
                owner.uid(),
                key.namespace()));
    event.putObject("source").put("component", TELLER);
    event.put("reportingComponent", TELLER);
    event.put("firstTimestamp", time).put("lastTimestamp", time).put("count", 1);
    try {
      var kind = draft.state().kinds().find(Resources.EVENTS).orElseThrow();
      new Creation(draft, kind, Core.SELF).create(key.namespace(), event);
    } catch (RefusedException going) {
      // In a namespace that is being deleted nothing begins, and nobody reads of it.
    }
  }
}
