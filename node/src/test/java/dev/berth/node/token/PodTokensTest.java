package dev.berth.node.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.local.LocalApi;
import dev.berth.apiserver.rights.token.TokenRequests;
import dev.berth.apiserver.rights.token.Tokens;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.apiserver.tls.Credentials;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.Resources;
import dev.berth.node.testing.TestNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tokens that a real server issues, and how long they are kept (NCSI-09).
class PodTokensTest {
  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata: {namespace: default, name: web}
      spec: {containers: [{name: app, image: host}]}
      """;

  @TempDir static Path home;

  private Instant now = Instant.now();
  private EmbeddedApiServer server;
  private LocalApi api;
  private Tokens issuer;
  private PodTokens tokens;
  private Pod pod;

  @BeforeEach
  void start() throws Exception {
    server = EmbeddedApiServer.start(new MemoryStore());
    issuer = new Tokens(Credentials.in(home).signingKeys(), () -> now);
    api = new LocalApi(server, Thread::startVirtualThread).issuing(new TokenRequests(issuer));
    pod = Kinds.POD.read().apply(api.create(Resources.PODS, (ObjectNode) TestNode.yaml(POD)));
    tokens = new PodTokens(api, () -> now);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private PodToken vault() {
    return tokens.of(pod, "vault", OptionalLong.of(1000));
  }

  @Test
  void theServerKnowsThePodByItsToken() {
    var token = tokens.of(pod, "", OptionalLong.empty());
    var bearer = issuer.bearer(token.token(), List.of(Tokens.ISSUER), server.state()).orElseThrow();
    assertThat(bearer.user().name()).isEqualTo("system:serviceaccount:default:default");
    assertThat(token.expires()).isAfter(now.plus(Duration.ofMinutes(59)));
    assertThat(issuer.bearer(vault().token(), List.of("vault"), server.state())).isPresent();
  }

  @Test
  void anotherIsAskedForWhenFourFifthsAreOver() {
    var first = vault();
    assertThat(first.token().equals(tokens.of(pod, "", OptionalLong.empty()).token())).isFalse();
    now = now.plusSeconds(790);
    assertThat(vault().token().equals(first.token())).isTrue();
    now = now.plusSeconds(20);
    assertThat(vault().token().equals(first.token())).isFalse();
  }

  @Test
  void noneIsKeptLongerThanADay() {
    var long1 = tokens.of(pod, "", OptionalLong.of(1_000_000));
    now = now.plus(Duration.ofHours(23));
    assertThat(tokens.of(pod, "", OptionalLong.of(1_000_000)).expires()).isEqualTo(long1.expires());
    now = now.plus(Duration.ofHours(2));
    assertThat(tokens.of(pod, "", OptionalLong.of(1_000_000)).expires()).isAfter(long1.expires());
  }

  @Test
  void anOldOneIsBetterThanNoneWhileItIsGood() {
    var first = vault();
    api.delete(Resources.PODS, pod.meta().key(), DeleteOptions.DEFAULT);
    now = now.plusSeconds(900);
    assertThat(vault()).isEqualTo(first);
    now = now.plusSeconds(200);
    assertThatThrownBy(this::vault).hasMessageContaining("pods \"web\" not found");
  }

  @Test
  void whatIsForgottenIsAskedForAnew() {
    var first = vault();
    tokens.forget(pod.meta().uid());
    now = now.plusSeconds(5);
    assertThat(vault().expires()).isAfter(first.expires());
  }

  @Test
  void noTextShowsOne() {
    assertThat(vault().toString()).doesNotContain(vault().token());
  }

  @Test
  void whatTheServerRefusesIsRefused() {
    assertThatThrownBy(() -> tokens.of(pod, "", OptionalLong.of(5)))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("10 minutes");
  }
}
