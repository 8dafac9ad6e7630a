package dev.berth.apiserver.rights.token;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.FieldError;
import dev.berth.apiserver.core.message.Refusal;
import dev.berth.apiserver.core.message.Refusal.Details;
import dev.berth.apiserver.core.message.Refusals;
import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.tls.SigningKeys;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// `serviceaccounts/<name>/token`: what was asked is checked and answered with a token (API-10).
public final class TokenRequests {
  private static final String GROUP = "authentication.k8s.io";
  private static final String KIND = "TokenRequest";
  private static final long USUAL_SECONDS = 3_600;
  private static final long LEAST_SECONDS = 600;
  private static final long MOST_SECONDS = 1L << 32;
  private static final int MOST_AUDIENCES = 64;

  private final Tokens tokens;

  public TokenRequests(Tokens tokens) {
    this.tokens = tokens;
  }

  /// Answers a request.
  ///
  /// @param account whose token it is to be
  /// @param warnings where to say what was not done as asked
  /// @return the request with its answer in `status`
  /// @throws RefusedException if it is not to be had
  public ObjectNode answer(
      ObjectKey account, ObjectNode request, State state, Instant now, List<String> warnings) {
    checkName(account, request);
    var found = find(state, Resources.SERVICE_ACCOUNTS, account);
    var spec = request.path("spec");
    var uid = Json.text(request.path("metadata"), "uid");
    if (!uid.isEmpty() && !uid.equals(found.uid()))
      throw conflict(
          KIND,
          GROUP,
          account.name(),
          "the UID in the token request (%s) does not match the UID of the service account (%s)"
              .formatted(uid, found.uid()));
    long seconds = seconds(spec.path("expirationSeconds"));
    var audiences = audiences(spec.path("audiences"));
    var bond = bond(account, spec.path("boundObjectRef"), state);
    var life = Duration.ofSeconds(seconds);
    if (life.compareTo(SigningKeys.LIFE) > 0) {
      life = SigningKeys.LIFE;
      warnings.add(
          "requested expiration of %d seconds shortened to %d seconds"
              .formatted(seconds, life.toSeconds()));
    }
    return answered(found, spec, audiences, tokens.issue(found, bond, audiences, life), life, now);
  }

  private static ObjectNode answered(
      Stored account,
      JsonNode asked,
      List<String> audiences,
      Tokens.Issued issued,
      Duration life,
      Instant now) {
    var answer = JsonNodeFactory.instance.objectNode();
    answer.put("kind", KIND).put("apiVersion", GROUP + "/v1");
    answer
        .putObject("metadata")
        .put("name", account.key().name())
        .put("namespace", account.key().namespace())
        .put("uid", account.uid())
        .put("creationTimestamp", now.truncatedTo(ChronoUnit.SECONDS).toString());
    var spec = answer.putObject("spec");
    audiences.forEach(spec.putArray("audiences")::add);
    spec.put("expirationSeconds", life.toSeconds());
    if (asked.path("boundObjectRef") instanceof ObjectNode ref)
      spec.set("boundObjectRef", ref.deepCopy());
    else spec.putNull("boundObjectRef");
    answer
        .putObject("status")
        .put("token", issued.token())
        .put("expirationTimestamp", issued.expires().truncatedTo(ChronoUnit.SECONDS).toString());
    return answer;
  }

  private static void checkName(ObjectKey account, ObjectNode request) {
    var metadata = request.path("metadata");
    checkName(account, metadata, "name", account.name());
    checkName(account, metadata, "namespace", account.namespace());
  }

  private static void checkName(
      ObjectKey account, JsonNode metadata, String field, String expected) {
    var named = Json.text(metadata, field);
    if (named.isEmpty() || named.equals(expected)) return;
    var why = "must match the service account %s if specified".formatted(field);
    throw invalid(
        account.name(), FieldError.invalid("metadata." + field, "\"" + named + "\"", why));
  }

  private static long seconds(JsonNode number) {
    if (number.isMissingNode() || number.isNull()) return USUAL_SECONDS;
    if (!number.isIntegralNumber() || !number.canConvertToLong())
      throw new RefusedException(
          Refusals.badRequest("spec.expirationSeconds: expected a whole number of 64 bits"));
    long seconds = number.longValue();
    if (seconds < LEAST_SECONDS)
      throw tooShortOrLong(seconds, "may not specify a duration less than 10 minutes");
    if (seconds > MOST_SECONDS)
      throw tooShortOrLong(seconds, "may not specify a duration larger than 2^32 seconds");
    return seconds;
  }

  private static RefusedException tooShortOrLong(long seconds, String why) {
    return invalid("", FieldError.invalid("spec.expirationSeconds", String.valueOf(seconds), why));
  }

  private static List<String> audiences(JsonNode named) {
    var audiences = new ArrayList<String>();
    for (var each : named) audiences.add(each.asText());
    if (audiences.size() > MOST_AUDIENCES)
      throw invalid("", FieldError.tooMany("spec.audiences", audiences.size(), MOST_AUDIENCES));
    return audiences.isEmpty() ? List.of(Tokens.ISSUER) : List.copyOf(audiences);
  }

  private static Bond bond(ObjectKey account, JsonNode ref, State state) {
    if (ref.isMissingNode() || ref.isNull()) return Bond.NONE;
    var kind = Json.text(ref, "kind");
    var version = Json.text(ref, "apiVersion");
    var key = ObjectKey.of(account.namespace(), Json.text(ref, "name"));
    if (version.contains("/")) throw cannotBind(version, kind);
    return switch (kind) {
      case "Pod" -> {
        var pod = find(state, Resources.PODS, key);
        var runsAs = Json.text(pod.object().path("spec"), "serviceAccountName");
        if (!(runsAs.isEmpty() ? "default" : runsAs).equals(account.name()))
          throw new RefusedException(
              Refusals.badRequest(
                  "cannot bind token for serviceaccount \"%s\" to pod running with different serviceaccount name."
                      .formatted(account.name())));
        yield new Bond(Optional.of(checked(ref, pod)), nodeOf(pod, state), Optional.empty());
      }
      case "Node" -> {
        var node = find(state, Resources.NODES, ObjectKey.cluster(key.name()));
        yield new Bond(Optional.empty(), Optional.of(checked(ref, node)), Optional.empty());
      }
      case "Secret" -> {
        var secret = find(state, Resources.SECRETS, key);
        yield new Bond(Optional.empty(), Optional.empty(), Optional.of(checked(ref, secret)));
      }
      default -> throw cannotBind(version, kind);
    };
  }

  private static RefusedException cannotBind(String apiVersion, String kind) {
    return new RefusedException(
        Refusals.badRequest(
            "cannot bind token to object of type %s, Kind=%s".formatted(apiVersion, kind)));
  }

  /// @return empty: it is on none yet
  private static Optional<Bond.To> nodeOf(Stored pod, State state) {
    var name = Json.text(pod.object().path("spec"), "nodeName");
    if (name.isEmpty()) return Optional.empty();
    var node = state.get(Resources.NODES, ObjectKey.cluster(name));
    return Optional.of(new Bond.To(name, node.map(Stored::uid).orElse("")));
  }

  private static Bond.To checked(JsonNode ref, Stored found) {
    var uid = Json.text(ref, "uid");
    if (!uid.isEmpty() && !uid.equals(found.uid()))
      throw conflict(
          Json.text(ref, "kind"),
          "",
          found.key().name(),
          ("the UID in the bound object reference (%s) does not match the UID in record. The object"
                  + " might have been deleted and then recreated")
              .formatted(uid));
    return new Bond.To(found.key().name(), found.uid());
  }

  private static Stored find(State state, Resource resource, ObjectKey key) {
    return state
        .get(resource, key)
        .orElseThrow(() -> new RefusedException(Refusals.notFound(resource, key.name())));
  }

  private static RefusedException invalid(String name, FieldError error) {
    return new RefusedException(Refusals.invalid(GROUP, KIND, name, List.of(error)));
  }

  /// Here upstream names the Kind where a resource belongs.
  private static RefusedException conflict(String kind, String group, String name, String why) {
    var dotted = group.isEmpty() ? kind : kind + "." + group;
    return new RefusedException(
        new Refusal(
            409,
            "Conflict",
            "Operation cannot be fulfilled on %s \"%s\": %s".formatted(dotted, name, why),
            new Details(name, group, kind, "", List.of(), 0)));
  }
}
