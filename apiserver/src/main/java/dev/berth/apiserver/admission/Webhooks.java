package dev.berth.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.custom.rule.AdmissionExpression.Budget;
import dev.berth.apiserver.core.custom.rule.AdmissionExpression.FailedException;
import dev.berth.apiserver.core.field.FieldError;
import dev.berth.apiserver.core.message.Refusal;
import dev.berth.apiserver.core.message.Refusal.Details;
import dev.berth.apiserver.core.message.Refusals;
import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.apiserver.core.patch.PatchException;
import dev.berth.apiserver.core.patch.Patches;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.rights.fair.Work;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.StoredResources;
import dev.berth.kube.value.HeldJson;
import dev.berth.kube.value.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/// Asks webhooks (API-115): those that change an object one after the other, those that only judge
/// it all at once. Safe for any number of threads.
final class Webhooks {
  private static final int MOST_KEPT = 256;
  private static final ObjectMapper JSON = HeldJson.mapper().build();

  /// By the text of a webhook's conditions.
  private final Map<JsonNode, Conditions> conditions = new ConcurrentHashMap<>();

  boolean concern(
      Resource kind, State state, String operation, Resource resource, String subresource) {
    return Hook.all(state, kind).stream()
        .anyMatch(hook -> hook.mayConcern(state, operation, resource, subresource));
  }

  /// What the object becomes. Those that ask for it see once more what others changed after them.
  ///
  /// @throws RefusedException if one refuses, or cannot be asked and must be
  Optional<ObjectNode> mutated(Question question, Consumer<String> warnings)
      throws InterruptedException {
    var seen = new HashMap<Hook, ObjectNode>();
    var current = question;
    for (var hook : Hook.all(question.state(), StoredResources.MUTATING_WEBHOOKS)) {
      var asked = asked(hook, current);
      if (asked.isEmpty()) continue;
      current = mutate(hook, asked.get(), warnings).as(current.shownAs());
      seen.put(hook, current.object().orElse(JsonNodeFactory.instance.objectNode()));
    }
    for (var hook : Hook.all(question.state(), StoredResources.MUTATING_WEBHOOKS)) {
      var after = seen.get(hook);
      if (after == null || !hook.asksAgain()) continue;
      if (current.object().filter(after::equals).isPresent()) continue;
      var asked = asked(hook, current);
      if (asked.isPresent()) current = mutate(hook, asked.get(), warnings).as(current.shownAs());
    }
    return current.object();
  }

  private Question mutate(Hook hook, Question question, Consumer<String> warnings)
      throws InterruptedException {
    var response = ask(hook, question, warnings);
    if (response.isEmpty() || question.object().isEmpty()) return question;
    var patch = Json.text(response.get(), "patch");
    if (patch.isEmpty()) return question;
    try {
      if (!Json.text(response.get(), "patchType").equals("JSONPatch"))
        throw new IOException("webhook returned response.patch but not response.patchType");
      var operations =
          JSON.readTree(new String(Base64.getDecoder().decode(patch), StandardCharsets.UTF_8));
      return question.with(
          Patches.apply(
              question.resource(), question.object().get().deepCopy(), Patch.json(operations)));
    } catch (IOException | IllegalArgumentException | PatchException unusable) {
      failed(hook, String.valueOf(unusable.getMessage()));
      return question;
    }
  }

  /// @throws RefusedException if one refuses, or cannot be asked and must be: the first in order
  void validate(Question question, Consumer<String> warnings) throws InterruptedException {
    var answers = new ArrayList<CompletableFuture<Optional<RefusedException>>>();
    var told = new ArrayList<List<String>>();
    for (var hook : Hook.all(question.state(), StoredResources.VALIDATING_WEBHOOKS)) {
      var asked = asked(hook, question);
      if (asked.isEmpty()) continue;
      var texts = new ArrayList<String>();
      told.add(texts);
      var answer = new CompletableFuture<Optional<RefusedException>>();
      answers.add(answer);
      Thread.startVirtualThread(() -> {
        try {
          ask(hook, asked.get(), texts::add);
          answer.complete(Optional.empty());
        } catch (RefusedException refused) {
          answer.complete(Optional.of(refused));
        } catch (InterruptedException | RuntimeException defect) {
          answer.completeExceptionally(defect);
        } finally { // whatever it was: a write waits for it
          answer.completeExceptionally(new IllegalStateException("the asking thread died"));
        }
      });
    }
    var work = Work.current();
    work.leave();
    Optional<RefusedException> first = Optional.empty();
    for (var answer : answers) {
      try {
        var refused = answer.get();
        if (first.isEmpty()) first = refused;
      } catch (ExecutionException defect) {
        throw new IllegalStateException("a webhook could not be asked", defect);
      }
    }
    work.beginBriefly();
    told.forEach(texts -> texts.forEach(warnings));
    if (first.isPresent()) throw first.get();
  }

  /// What of a configuration's conditions cannot be used; compiled on this thread.
  List<FieldError> faults(JsonNode configuration) {
    var faults = new ArrayList<FieldError>();
    int at = 0;
    for (var hook : configuration.path("webhooks")) {
      var wanted = hook.path("matchConditions");
      faults.addAll(
          Conditions.of(wanted).faults("webhooks[%d].matchConditions".formatted(at++), wanted));
    }
    return faults;
  }

  /// What a webhook is asked; empty: nothing.
  private Optional<Question> asked(Hook hook, Question wish) {
    var question = hook.asked(wish);
    var wanted = hook.spec().path("matchConditions");
    if (question.isEmpty() || wanted.isEmpty()) return question;
    if (conditions.size() >= MOST_KEPT) conditions.clear();
    try {
      boolean hold =
          conditions
              .computeIfAbsent(wanted, Conditions::of)
              .hold(Conditions.facts(question.get()), new Budget());
      return hold ? question : Optional.empty();
    } catch (FailedException failed) {
      if (hook.ignoresFailures()) return Optional.empty();
      throw new RefusedException(
          Refusals.forbidden(
              wish.resource(), wish.key().name(), String.valueOf(failed.getMessage())));
    }
  }

  /// @return empty: it could not be asked, and need not be
  private Optional<JsonNode> ask(Hook hook, Question question, Consumer<String> warnings)
      throws InterruptedException {
    var effects = Json.text(hook.spec(), "sideEffects");
    if (question.dryRun() && !effects.equals("None") && !effects.equals("NoneOnDryRun"))
      throw new RefusedException(
          Refusals.badRequest(
              "admission webhook \"%s\" does not support dry run".formatted(hook.name())));
    try {
      var response = response(hook, question);
      for (var warning : response.path("warnings")) warnings.accept(warning.asText());
      if (!response.path("allowed").asBoolean())
        throw new RefusedException(denied(hook, response.path("status")));
      return Optional.of(response);
    } catch (IOException unreachable) {
      failed(hook, "failed to call webhook: " + unreachable.getMessage());
      return Optional.empty();
    }
  }

  private static JsonNode response(Hook hook, Question question)
      throws IOException, InterruptedException {
    var uid = UUID.randomUUID().toString();
    var review = JsonNodeFactory.instance.objectNode();
    var version = "admission.k8s.io/" + hook.reviewVersion();
    review.put("kind", "AdmissionReview").put("apiVersion", version);
    var request = review.putObject("request").put("uid", uid);
    request.setAll(question.request());
    request.set("object", question.object().<JsonNode>map(it -> it).orElse(null));
    request.set("oldObject", question.old().<JsonNode>map(it -> it).orElse(null));
    request.putNull("options");
    var work = Work.current();
    work.leave(); // whoever is asked may take his time
    var answer =
        HookClient.call(hook.spec().path("clientConfig"), review, hook.timeout(), question.state());
    work.beginBriefly();
    var response = answer.path("response");
    if (!response.isObject()) throw new IOException("webhook response was absent");
    if (!Json.text(response, "uid").equals(uid))
      throw new IOException(
          "expected response.uid=\"%s\", got \"%s\"".formatted(uid, Json.text(response, "uid")));
    if (!Json.text(answer, "kind").equals("AdmissionReview")
        || !Json.text(answer, "apiVersion").equals(version))
      throw new IOException(
          "expected webhook response of %s, Kind=AdmissionReview".formatted(version));
    return response;
  }

  private static Refusal denied(Hook hook, JsonNode status) {
    var by = "admission webhook \"%s\" denied the request".formatted(hook.name());
    var message = Json.text(status, "message");
    var reason = Json.text(status, "reason");
    int code = status.path("code").asInt();
    return new Refusal(
        code < 400 || code > 599 ? 400 : code,
        reason,
        !message.isEmpty()
            ? by + ": " + message
            : !reason.isEmpty() ? by + ": " + reason : by + " without explanation",
        Details.NONE);
  }

  /// @throws RefusedException if nothing may be written without its word
  private static void failed(Hook hook, String why) {
    if (hook.ignoresFailures()) return;
    throw new RefusedException(
        new Refusal(
            500,
            "InternalError",
            "Internal error occurred: failed calling webhook \"%s\": %s"
                .formatted(hook.name(), why),
            Details.NONE));
  }
}
