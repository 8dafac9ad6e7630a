package dev.berth.node.token;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/// Asks for tokens that are bound to a pod, and keeps them as long as they are fresh: until 80 % of
/// their life is over, a day at most. Safe for any number of threads; two who ask at once may get
/// two tokens, and both are good.
public final class PodTokens {
  private static final Duration LONGEST = Duration.ofHours(24);

  private final Api api;
  private final InstantSource clock;
  private final Map<Wish, Kept> kept = new ConcurrentHashMap<>();

  public PodTokens(Api api, InstantSource clock) {
    this.api = api;
    this.clock = clock;
  }

  private record Wish(
      ObjectKey account, String pod, String podUid, String audience, OptionalLong seconds) {}

  /// @param refresh from when on another is asked for
  private record Kept(PodToken token, Instant refresh) {}

  /// A token of the account that the pod runs as.
  ///
  /// @param audience who is to believe it; empty: the API server
  /// @param seconds how long it is to live; empty: as long as the server finds right
  /// @throws ApiException if none is to be had, and none is left that is still good
  public PodToken of(Pod pod, String audience, OptionalLong seconds) {
    var named = Json.text(pod.spec(), "serviceAccountName");
    var account = ObjectKey.of(pod.meta().namespace(), named.isEmpty() ? "default" : named);
    var wish = new Wish(account, pod.meta().name(), pod.meta().uid(), audience, seconds);
    var now = clock.instant();
    var has = Optional.ofNullable(kept.get(wish));
    if (has.filter(it -> now.isBefore(it.refresh())).isPresent()) return has.get().token();
    try {
      var fresh = ask(wish);
      kept.values().removeIf(it -> it.token().expires().isBefore(now));
      kept.put(wish, fresh);
      return fresh.token();
    } catch (ApiException refused) {
      if (has.filter(it -> now.isBefore(it.token().expires())).isPresent())
        return has.get().token();
      throw refused;
    }
  }

  private Kept ask(Wish wish) {
    var answer = api.post(Resources.SERVICE_ACCOUNTS, wish.account(), "token", request(wish));
    var status = answer.path("status");
    var expires = Json.instant(status, "expirationTimestamp").orElseThrow();
    var life = Duration.ofSeconds(answer.path("spec").path("expirationSeconds").asLong());
    var fifth = expires.minus(life.dividedBy(5));
    var day = expires.minus(life).plus(LONGEST);
    var token = new PodToken(Json.text(status, "token"), expires);
    return new Kept(token, fifth.isBefore(day) ? fifth : day);
  }

  private static ObjectNode request(Wish wish) {
    var request = JsonNodeFactory.instance.objectNode();
    request.put("apiVersion", "authentication.k8s.io/v1").put("kind", "TokenRequest");
    var spec = request.putObject("spec");
    var audiences = spec.putArray("audiences");
    if (!wish.audience().isEmpty()) audiences.add(wish.audience());
    wish.seconds().ifPresent(seconds -> spec.put("expirationSeconds", seconds));
    spec.putObject("boundObjectRef")
        .put("apiVersion", "v1")
        .put("kind", "Pod")
        .put("name", wish.pod())
        .put("uid", wish.podUid());
    return request;
  }

  /// Nothing more is asked for it.
  public void forget(String podUid) {
    kept.keySet().removeIf(wish -> wish.podUid().equals(podUid));
  }
}
