package dev.berth.cli.nodeserver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.tls.Identity;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.ReviewResources;
import dev.berth.kube.value.Json;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Who asks a node, and whether they may: the API server says both, of tokens and of rights to the
/// node's subresources, as with a kubelet in the mode `Webhook`.
///
/// @param node whose server it is
/// @param rules whether the API server is asked what a caller may do
record Callers(Api api, String node, Rules rules) {
  /// What a caller may do.
  enum Rules {
    /// What the API server says (`--authorization-mode=Webhook`).
    ASKED,
    /// Everything (`--authorization-mode=AlwaysAllow`).
    NONE
  }

  private static final Logger log = LoggerFactory.getLogger(Callers.class);
  private static final Identity ANONYMOUS =
      new Identity("system:anonymous", List.of("system:unauthenticated"));

  /// @throws Answer.Refusal if nobody is known to ask, or they may not, or nobody says it
  void check(Head head, SSLSession session, boolean anonymous) throws Answer.Refusal {
    var certified = certified(session);
    var caller = certified.isPresent() ? certified : bearer(head);
    if (caller.isEmpty() && !(anonymous && head.header("authorization").isEmpty()))
      throw new Answer.Refusal(401, "Unauthorized");
    if (rules == Rules.NONE) return;
    var who = caller.orElse(ANONYMOUS);
    var verb = verb(head);
    var subresource = subresource(head.path().isEmpty() ? "" : head.path().getFirst());
    if (!may(who, verb, subresource))
      throw new Answer.Refusal(
          403,
          "Forbidden (user=%s, verb=%s, resource=nodes, subresource(s)=[%s])"
              .formatted(who.name(), verb, subresource));
  }

  /// A program is started, whatever the request that begins it is called.
  private static String verb(Head head) {
    var path = head.path().isEmpty() ? "" : head.path().getFirst();
    return switch (path) {
      case "exec", "attach", "portForward" -> "create";
      default -> head.method().equals("GET") ? "get" : "create";
    };
  }

  private static String subresource(String path) {
    return switch (path) {
      case "stats" -> "stats";
      case "metrics" -> "metrics";
      case "healthz" -> "healthz";
      default -> "proxy";
    };
  }

  private static Optional<Identity> certified(SSLSession session) {
    try {
      return Optional.of(Identity.of((X509Certificate) session.getPeerCertificates()[0]));
    } catch (SSLPeerUnverifiedException none) {
      return Optional.empty();
    }
  }

  private Optional<Identity> bearer(Head head) throws Answer.Refusal {
    var words = head.header("authorization").split(" +", 2);
    if (words.length < 2 || !words[0].equalsIgnoreCase("Bearer")) return Optional.empty();
    var review = review(ReviewResources.TOKEN_REVIEWS);
    review.putObject("spec").put("token", words[1].strip());
    try {
      var status = api.create(ReviewResources.TOKEN_REVIEWS, review).path("status");
      if (!status.path("authenticated").asBoolean()) return Optional.empty();
      var user = status.path("user");
      return Optional.of(
          new Identity(
              Json.text(user, "username"),
              Json.text(user, "uid"),
              Json.list(user.path("groups"), JsonNode::asText)));
    } catch (ApiException unasked) {
      throw unanswered("who asks", unasked);
    }
  }

  private boolean may(Identity who, String verb, String subresource) throws Answer.Refusal {
    var review = review(ReviewResources.ACCESS_REVIEWS);
    var spec = review.putObject("spec").put("user", who.name()).put("uid", who.uid());
    var groups = spec.putArray("groups");
    var all = new ArrayList<>(who.groups());
    if (!who.equals(ANONYMOUS)) all.add("system:authenticated");
    all.stream().distinct().forEach(groups::add);
    spec.putObject("resourceAttributes")
        .put("verb", verb)
        .put("version", "v1")
        .put("resource", "nodes")
        .put("subresource", subresource)
        .put("name", node);
    try {
      var status = api.create(ReviewResources.ACCESS_REVIEWS, review).path("status");
      return status.path("allowed").asBoolean();
    } catch (ApiException unasked) {
      throw unanswered("what %s may do".formatted(who.name()), unasked);
    }
  }

  /// The caller may well be right, and tries again.
  private static Answer.Refusal unanswered(String what, ApiException why) {
    log.warn("the API server does not say {}: {}", what, why.getMessage());
    return new Answer.Refusal(
        503, "the API server does not say %s: %s".formatted(what, why.getMessage()));
  }

  private static ObjectNode review(Resource resource) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("apiVersion", resource.apiVersion())
        .put("kind", resource.kind());
  }
}
