package dev.berth.apiserver.http.access;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.core.field.FieldError;
import dev.berth.apiserver.core.message.Refusals;
import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.apiserver.http.exchange.Accepted;
import dev.berth.apiserver.http.exchange.Accepted.Encoding;
import dev.berth.apiserver.http.exchange.Accepted.Shape;
import dev.berth.apiserver.http.exchange.Bodies;
import dev.berth.apiserver.http.exchange.Exchange;
import dev.berth.apiserver.http.exchange.Options;
import dev.berth.apiserver.http.exchange.TransportRefusals;
import dev.berth.apiserver.rights.Attributes;
import dev.berth.apiserver.rights.User;
import dev.berth.apiserver.rights.rbac.Rbac;
import dev.berth.apiserver.rights.rbac.Rule;
import dev.berth.apiserver.rights.token.Tokens;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.ReviewResources;
import dev.berth.kube.value.Json;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.eclipse.jetty.http.HttpHeader;

/// What clients ask about who they, or others, are and what they may do: `kubectl auth whoami`,
/// `kubectl auth can-i` and the programs that leave such questions to us (API-11).
public final class Reviews {
  private static final String SELF_SUBJECT = "SelfSubjectReview";

  private final ApiServer api;
  private final Authentication authentication;
  private final Access access;
  private final Rbac rbac;

  public Reviews(ApiServer api, Authentication authentication, Access access, Rbac rbac) {
    this.api = api;
    this.authentication = authentication;
    this.access = access;
    this.rbac = rbac;
  }

  /// Answers a review.
  ///
  /// @param segments of its path
  /// @return whether it is one
  public boolean answer(Exchange exchange, List<String> segments) throws IOException {
    var found = find(segments);
    if (found.isEmpty()) return false;
    var resource = found.get();
    if (!exchange.method().equals("POST")) {
      exchange.response().getHeaders().put(HttpHeader.ALLOW, "POST");
      throw TransportRefusals.methodNotAllowed();
    }
    // An answer that is no object has no table (API-13).
    Accepted.of(exchange.headers(HttpHeader.ACCEPT), Encoding.values(), Shape.OBJECT);
    Options.dryRun("CreateOptions", exchange.query().texts("dryRun"));
    var body = (ObjectNode) Bodies.object(exchange, resource.kind()).json();
    var namespace = resource.namespaced() ? segments.get(4) : "";
    var review = JsonNodeFactory.instance.objectNode();
    review.put("kind", resource.kind()).put("apiVersion", resource.apiVersion());
    review
        .putObject("metadata")
        .setAll(body.path("metadata") instanceof ObjectNode given ? given : review.objectNode());
    if (!resource.kind().equals(SELF_SUBJECT))
      review
          .putObject("spec")
          .setAll(body.path("spec") instanceof ObjectNode given ? given : review.objectNode());
    fill(review, Access.caller(exchange), namespace);
    exchange.json(201, review);
    return true;
  }

  private static Optional<Resource> find(List<String> segments) {
    if (segments.size() < 4 || !segments.getFirst().equals("apis")) return Optional.empty();
    boolean within = segments.size() == 6 && segments.get(3).equals("namespaces");
    if (segments.size() != 4 && !within) return Optional.empty();
    return ReviewResources.ALL.stream()
        .filter(each -> each.group().equals(segments.get(1)))
        .filter(each -> each.version().equals(segments.get(2)))
        .filter(each -> each.plural().equals(segments.getLast()) && each.namespaced() == within)
        .findFirst();
  }

  private void fill(ObjectNode review, User caller, String namespace) {
    var spec = review.path("spec");
    var status = review.putObject("status");
    switch (Json.text(review, "kind")) {
      case "TokenReview" -> token(spec, status);
      case SELF_SUBJECT -> {
        var now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        review.withObject("/metadata").put("creationTimestamp", now.toString());
        describe(caller, status.putObject("userInfo"));
      }
      case "SelfSubjectRulesReview" -> {
        var asked = Json.text(spec, "namespace");
        if (asked.isEmpty())
          throw new RefusedException(Refusals.badRequest("no namespace on request"));
        rules(caller, asked, status);
        review.putObject("spec");
      }
      case "SelfSubjectAccessReview" -> decide(caller, wish(review, spec), status);
      case "LocalSubjectAccessReview" -> {
        var asked = Json.text(spec.path("resourceAttributes"), "namespace");
        if (!asked.equals(namespace))
          throw invalid(
              review,
              "spec.resourceAttributes.namespace",
              "\"" + asked + "\"",
              "must match metadata.namespace");
        decide(subject(review, spec), wish(review, spec), status);
      }
      default -> decide(subject(review, spec), wish(review, spec), status);
    }
  }

  private void token(JsonNode spec, ObjectNode status) {
    var token = Json.text(spec, "token");
    if (token.isEmpty())
      throw new RefusedException(
          Refusals.badRequest("token is required for TokenReview in authentication"));
    var audiences = texts(spec.path("audiences"));
    var wanted = audiences.isEmpty() ? List.of(Tokens.ISSUER) : audiences;
    var bearer = authentication.bearer(token, wanted);
    if (bearer.isEmpty()) {
      status.putObject("user");
      status.put("error", "invalid bearer token");
      return;
    }
    status.put("authenticated", true);
    describe(bearer.get().user(), status.putObject("user"));
    bearer.get().audiences().forEach(status.putArray("audiences")::add);
  }

  private static void describe(User user, ObjectNode to) {
    to.put("username", user.name());
    if (!user.uid().isEmpty()) to.put("uid", user.uid());
    user.groups().forEach(to.putArray("groups")::add);
    if (user.extra().isEmpty()) return;
    var extra = to.putObject("extra");
    new TreeMap<>(user.extra()).forEach((key, values) -> values.forEach(extra.putArray(key)::add));
  }

  private void decide(User user, Attributes wish, ObjectNode status) {
    var decision = access.decide(user, wish);
    status.put("allowed", decision.allowed());
    if (!decision.reason().isEmpty()) status.put("reason", decision.reason());
  }

  private static User subject(ObjectNode review, JsonNode spec) {
    var name = Json.text(spec, "user");
    var groups = texts(spec.path("groups"));
    if (name.isEmpty() && groups.isEmpty())
      throw invalid(review, "spec.user", "\"\"", "at least one of user or group must be specified");
    var extra = new TreeMap<String, List<String>>();
    for (var each : spec.path("extra").properties())
      extra.put(each.getKey(), texts(each.getValue()));
    return new User(name, Json.text(spec, "uid"), groups, extra);
  }

  private static Attributes wish(ObjectNode review, JsonNode spec) {
    var resource = spec.path("resourceAttributes");
    var path = spec.path("nonResourceAttributes");
    if (resource.isObject() == path.isObject())
      throw invalid(
          review,
          "spec",
          "null",
          "exactly one of nonResourceAttributes or resourceAttributes must be specified");
    if (path.isObject()) return Attributes.ofPath(Json.text(path, "verb"), Json.text(path, "path"));
    return Attributes.of(
        Json.text(resource, "verb"),
        Json.text(resource, "group"),
        Json.text(resource, "resource"),
        Json.text(resource, "subresource"),
        Json.text(resource, "namespace"),
        Json.text(resource, "name"));
  }

  private void rules(User user, String namespace, ObjectNode status) {
    var resources = status.putArray("resourceRules");
    var paths = status.putArray("nonResourceRules");
    for (var rule : held(user, namespace)) {
      if (!rule.paths().isEmpty()) {
        var to = paths.addObject();
        put(to, "verbs", rule.verbs());
        put(to, "nonResourceURLs", rule.paths());
      }
      if (rule.resources().isEmpty()) continue;
      var to = resources.addObject();
      put(to, "verbs", rule.verbs());
      put(to, "apiGroups", rule.groups());
      put(to, "resources", rule.resources());
      if (!rule.names().isEmpty()) put(to, "resourceNames", rule.names());
    }
    boolean isNode = user.isIn(User.NODES) && user.name().startsWith(User.NODE_PREFIX);
    status.put("incomplete", isNode);
    if (isNode)
      status.put("evaluationError", "node authorizer does not support user rule resolution");
  }

  private List<Rule> held(User user, String namespace) {
    var rules = new ArrayList<Rule>();
    if (access.mayAll(user)) rules.addAll(Rule.EVERYTHING);
    rules.addAll(rbac.rules(user, namespace, api.state()));
    return rules;
  }

  private static void put(ObjectNode to, String field, Collection<String> texts) {
    ArrayNode array = to.putArray(field);
    new TreeSet<>(texts).forEach(array::add);
  }

  private static List<String> texts(JsonNode array) {
    return Json.list(array, JsonNode::asText);
  }

  private static RefusedException invalid(
      ObjectNode review, String field, String value, String why) {
    var apiVersion = Json.text(review, "apiVersion");
    return new RefusedException(
        Refusals.invalid(
            apiVersion.substring(0, apiVersion.indexOf('/')),
            Json.text(review, "kind"),
            "",
            List.of(FieldError.invalid(field, value, why))));
  }
}
