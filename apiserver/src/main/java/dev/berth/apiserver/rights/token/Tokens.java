package dev.berth.apiserver.rights.token;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.rights.User;
import dev.berth.apiserver.tls.SigningKeys;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/// Makes tokens of service accounts, and says whom a token speaks for (API-10).
public final class Tokens {
  /// Whom tokens are from, and whom they are for unless somebody says otherwise.
  public static final String ISSUER = "https://kubernetes.default.svc.cluster.local";

  private static final String CLAIMS = "kubernetes.io";
  private static final String ACCOUNT = "serviceaccount";

  /// What is being deleted keeps its tokens for so long, so that a pod can say good-bye.
  private static final Duration LEEWAY = Duration.ofSeconds(60);

  /// A clock elsewhere may be slow by so much.
  private static final Duration SKEW = Duration.ofSeconds(10);

  private final SigningKeys keys;
  private final InstantSource clock;
  private final Remembered remembered = new Remembered();

  public Tokens(SigningKeys keys, InstantSource clock) {
    this.keys = keys;
    this.clock = clock;
  }

  /// A token that was made.
  ///
  /// @param id its `jti`, by which logs may name it
  public record Issued(String token, Instant expires, String id) {
    @Override
    public String toString() {
      return "token " + id;
    }
  }

  /// Makes a token.
  ///
  /// @param account a ServiceAccount
  /// @param life how long it is good
  public Issued issue(Stored account, Bond bond, List<String> audiences, Duration life) {
    var now = clock.instant();
    var expires = now.plus(life);
    var id = UUID.randomUUID().toString();
    var claims = JsonNodeFactory.instance.objectNode();
    audiences.forEach(claims.putArray("aud")::add);
    claims
        .put("exp", expires.getEpochSecond())
        .put("iat", now.getEpochSecond())
        .put("iss", ISSUER)
        .put("jti", id);
    var own = claims.putObject(CLAIMS).put("namespace", account.key().namespace());
    bond.node().ifPresent(node -> ref(own, "node", node));
    bond.pod().ifPresent(pod -> ref(own, "pod", pod));
    bond.secret().ifPresent(secret -> ref(own, "secret", secret));
    ref(own, ACCOUNT, new Bond.To(account.key().name(), account.uid()));
    claims
        .put("nbf", now.getEpochSecond())
        .put("sub", User.accountName(account.key().namespace(), account.key().name()));
    return new Issued(Jwt.sign(claims, keys.current()), expires, id);
  }

  private static void ref(ObjectNode claims, String kind, Bond.To to) {
    var ref = claims.putObject(kind).put("name", to.name());
    if (!to.uid().isEmpty()) ref.put("uid", to.uid());
  }

  /// Whom a token speaks for, and before whom.
  ///
  /// @param audiences those of the token that were asked for
  public record Bearer(User user, List<String> audiences) {
    public Bearer {
      audiences = List.copyOf(audiences);
    }
  }

  /// Whom a token speaks for, before one of `audiences` at least.
  ///
  /// @param state in which what it is bound to must be
  /// @return empty: it is no token of ours, or not good, any more or yet
  public Optional<Bearer> bearer(String token, List<String> audiences, State state) {
    if (!Jwt.looksLike(token)) return Optional.empty();
    return remembered
        .claims(token, () -> Jwt.claims(token, keys))
        .filter(this::isTimely)
        .filter(claims -> Json.text(claims, "iss").equals(ISSUER))
        .flatMap(claims -> bearer(claims, audiences, state));
  }

  private boolean isTimely(ObjectNode claims) {
    var now = clock.instant();
    return claims.path("exp").canConvertToLong()
        && claims.path("nbf").canConvertToLong()
        && now.getEpochSecond() < claims.path("exp").longValue()
        && now.plus(SKEW).getEpochSecond() >= claims.path("nbf").longValue();
  }

  private Optional<Bearer> bearer(ObjectNode claims, List<String> audiences, State state) {
    var meant = new ArrayList<String>();
    for (var each : claims.path("aud"))
      if (audiences.contains(each.asText())) meant.add(each.asText());
    if (meant.isEmpty()) return Optional.empty();
    var own = claims.path(CLAIMS);
    var namespace = Json.text(own, "namespace");
    var account = Json.text(own.path(ACCOUNT), "name");
    boolean ours = Json.text(claims, "sub").equals(User.accountName(namespace, account));
    if (!ours || !isThere(state, Resources.SERVICE_ACCOUNTS, namespace, own.path(ACCOUNT)))
      return Optional.empty();
    var pod = own.path("pod");
    var node = own.path("node");
    var secret = own.path("secret");
    boolean bound =
        (pod.isMissingNode() || isThere(state, Resources.PODS, namespace, pod))
            && (secret.isMissingNode() || isThere(state, Resources.SECRETS, namespace, secret))
            && (node.isMissingNode()
                || !pod.isMissingNode() // which goes with its node
                || isThere(state, Resources.NODES, "", node));
    if (!bound) return Optional.empty();
    var user = User.account(namespace, account, Json.text(own.path(ACCOUNT), "uid"), extra(claims));
    return Optional.of(new Bearer(user, meant));
  }

  /// Whether an object is there, the very one, and is not long since on its way out.
  private boolean isThere(State state, Resource resource, String namespace, JsonNode ref) {
    return state
        .get(resource, ObjectKey.of(namespace, Json.text(ref, "name")))
        .filter(found -> found.uid().equals(Json.text(ref, "uid")))
        .filter(found -> !isLongGone(found))
        .isPresent();
  }

  private boolean isLongGone(Stored object) {
    var deleted = Json.text(object.object().path("metadata"), "deletionTimestamp");
    if (deleted.isEmpty()) return false;
    try {
      return clock.instant().isAfter(Instant.parse(deleted).plus(LEEWAY));
    } catch (DateTimeParseException notOurs) {
      return true;
    }
  }

  private static Map<String, List<String>> extra(ObjectNode claims) {
    var extra = new TreeMap<String, List<String>>();
    var own = claims.path(CLAIMS);
    put(extra, "credential-id", "JTI=" + Json.text(claims, "jti"));
    for (var kind : List.of("node", "pod")) {
      put(extra, kind + "-name", Json.text(own.path(kind), "name"));
      put(extra, kind + "-uid", Json.text(own.path(kind), "uid"));
    }
    return extra;
  }

  private static void put(Map<String, List<String>> extra, String key, String value) {
    if (!value.isEmpty()) extra.put("authentication.kubernetes.io/" + key, List.of(value));
  }
}
