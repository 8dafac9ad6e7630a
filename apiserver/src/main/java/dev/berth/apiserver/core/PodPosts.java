package dev.berth.apiserver.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.MetadataRules;
import dev.berth.apiserver.core.field.Names;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Refusal;
import dev.berth.apiserver.core.message.Refusals;
import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.state.Served;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.util.Optional;
import java.util.OptionalLong;

/// What is posted to a pod: its node, or that it shall leave it (API-118).
final class PodPosts {
  private static final Resource PODS = Resources.PODS;

  private final Draft draft;

  PodPosts(Draft draft) {
    this.draft = draft;
  }

  Answer post(Request.Post request) {
    if (!request.resource().equals(PODS)) throw new RefusedException(Refusals.notServed());
    checkName(request.key(), request.body());
    return switch (request.subresource()) {
      case "binding" -> bind(request.key(), request.body());
      case "eviction" -> evict(request.key(), request.body());
      default -> throw new RefusedException(Refusals.notServed());
    };
  }

  private static void checkName(ObjectKey key, JsonNode body) {
    var name = Json.text(body.path("metadata"), "name");
    if (!name.isEmpty() && !name.equals(key.name()))
      throw new RefusedException(Refusals.badRequest("name in URL does not match name in body"));
  }

  /// Puts the pod on a node, once.
  private Answer bind(ObjectKey key, JsonNode binding) {
    var target = binding.path("target");
    var node = Json.text(target, "name");
    var kind = Json.text(target, "kind");
    if (node.isEmpty())
      throw new RefusedException(Refusals.badRequest("target.name: Required value"));
    if (!kind.isEmpty() && !kind.equals("Node"))
      throw new RefusedException(
          Refusals.badRequest("target.kind: Unsupported value: \"" + kind + "\""));
    var stored = pod(key);
    checkBindable(stored, binding);
    var pod = stored.object().deepCopy();
    pod.withObject("spec").put("nodeName", node);
    if (pod.get("metadata") instanceof ObjectNode meta) {
      meta.put("generation", meta.path("generation").asLong() + 1);
      if (binding.path("metadata").path("annotations") instanceof ObjectNode annotations)
        meta.withObject("annotations").setAll(annotations);
    }
    markScheduled(pod);
    var bound = Bodies.take(kind(), pod);
    checkMetadata(key, bound);
    draft.put(PODS, key, Optional.of(stored), bound);
    return done();
  }

  private Served kind() {
    return draft.state().kinds().find(PODS).orElseThrow();
  }

  /// A binding brings annotations with it.
  private static void checkMetadata(ObjectKey key, ObjectNode pod) {
    var root = Field.root(pod);
    MetadataRules.check(root, Names.SUBDOMAIN, MetadataRules.Finalizers.OF_A_DOMAIN);
    if (!root.errors().isEmpty())
      throw new RefusedException(Refusals.invalid(PODS, key.name(), root.errors()));
  }

  private static void checkBindable(Stored stored, JsonNode binding) {
    var pod = stored.object();
    var name = stored.key().name();
    var uid = Json.text(binding.path("metadata"), "uid");
    if (!uid.isEmpty() && !uid.equals(stored.uid()))
      throw conflict(
          name,
          "Precondition failed: UID in precondition: %s, UID in object meta: %s"
              .formatted(uid, stored.uid()));
    if (pod.path("metadata").has("deletionTimestamp"))
      throw conflict(name, "pod " + name + " is being deleted, cannot be assigned to a host");
    var node = Json.text(pod.path("spec"), "nodeName");
    if (!node.isEmpty())
      throw conflict(name, "pod " + name + " is already assigned to node \"" + node + "\"");
    if (!pod.path("spec").path("schedulingGates").isEmpty())
      throw conflict(name, "pod " + name + " has non-empty .spec.schedulingGates");
  }

  private void markScheduled(ObjectNode pod) {
    var conditions = pod.withObject("status").withArray("conditions");
    for (int i = conditions.size() - 1; i >= 0; i--)
      if (Json.text(conditions.get(i), "type").equals("PodScheduled")) conditions.remove(i);
    conditions
        .addObject()
        .put("type", "PodScheduled")
        .put("status", "True")
        .put("lastTransitionTime", draft.now().toString());
  }

  private Answer evict(ObjectKey key, JsonNode eviction) {
    new Evictions(draft).evict(pod(key), options(eviction.path("deleteOptions")));
    return done();
  }

  private static DeleteOptions options(JsonNode options) {
    var preconditions = options.path("preconditions");
    return new DeleteOptions(
        Json.optionalText(preconditions, "uid"),
        Json.optionalText(preconditions, "resourceVersion"),
        seconds(options.path("gracePeriodSeconds")),
        Json.optionalText(options, "propagationPolicy"));
  }

  private static OptionalLong seconds(JsonNode number) {
    if (number.isMissingNode() || number.isNull()) return OptionalLong.empty();
    if (number.isIntegralNumber() && number.canConvertToLong())
      return OptionalLong.of(number.longValue());
    throw new RefusedException(
        Refusals.badRequest(
            "deleteOptions.gracePeriodSeconds: expected a whole number of 64 bits"));
  }

  private Stored pod(ObjectKey key) {
    return draft
        .get(PODS, key)
        .orElseThrow(() -> new RefusedException(Refusals.notFound(PODS, key.name())));
  }

  private static RefusedException conflict(String name, String why) {
    var refusal = Refusals.conflict(PODS, name, why);
    return new RefusedException(
        new Refusal(
            refusal.code(),
            refusal.reason(),
            refusal.message().replaceFirst("on pods ", "on pods/binding "),
            refusal.details()));
  }

  private static Answer done() {
    return new Answer.Done(Refusal.success(201));
  }
}
