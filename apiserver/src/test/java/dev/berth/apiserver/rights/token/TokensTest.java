package dev.berth.apiserver.rights.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.apiserver.rights.Server;
import dev.berth.apiserver.rights.User;
import dev.berth.apiserver.tls.Credentials;
import dev.berth.apiserver.tls.SigningKeys;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// API-10: tokens of service accounts, from request to use.
class TokensTest {
  private static final ObjectKey ACCOUNT = ObjectKey.of("default", "web");
  private static final ObjectKey POD = ObjectKey.of("default", "web-0");

  @TempDir private Path home;

  private final Server server = new Server();
  private SigningKeys keys;
  private Tokens tokens;

  @BeforeEach
  void prepare() throws Exception {
    keys = Credentials.in(home, server.clock()).signingKeys();
    keys.current();
    tokens = new Tokens(keys, server.clock());
    server.create(Resources.NODES, "{metadata: {name: a}}");
    server.create(Resources.SERVICE_ACCOUNTS, "{metadata: {name: web}}");
    server.create(Resources.SERVICE_ACCOUNTS, "{metadata: {name: other}}");
    server.create(
        Resources.PODS,
        """
        metadata: {name: web-0}
        spec: {nodeName: a, serviceAccountName: web, containers: [{name: c, image: i}]}
        """);
  }

  private ObjectNode ask(String spec) throws Exception {
    return ask(ACCOUNT, "{spec: " + spec + "}", new ArrayList<>());
  }

  private ObjectNode ask(ObjectKey account, String request, List<String> warnings)
      throws Exception {
    return new TokenRequests(tokens)
        .answer(account, Server.tree(request), server.state(), server.clock().instant(), warnings);
  }

  private static String token(JsonNode answer) {
    return Json.text(answer.path("status"), "token");
  }

  private Optional<User> user(String token) {
    return tokens.bearer(token, List.of(Tokens.ISSUER), server.state()).map(Tokens.Bearer::user);
  }

  private static JsonNode claims(String token) throws Exception {
    return new ObjectMapper().readTree(Base64.getUrlDecoder().decode(token.split("\\.")[1]));
  }

  @Test
  void aTokenSpeaksForItsAccount() throws Exception {
    var answer = ask("{}");
    assertThat(answer.path("spec").path("expirationSeconds").asLong()).isEqualTo(3600);
    assertThat(Json.text(answer.path("status"), "expirationTimestamp"))
        .isEqualTo("2026-11-22T13:00:00Z");
    var user = user(token(answer)).orElseThrow();
    assertThat(user.name()).isEqualTo("system:serviceaccount:default:web");
    assertThat(user.groups())
        .containsExactly(
            "system:serviceaccounts", "system:serviceaccounts:default", "system:authenticated");
    var account = server.state().get(Resources.SERVICE_ACCOUNTS, ACCOUNT).orElseThrow();
    assertThat(user.uid()).isEqualTo(account.uid());
    var claims = claims(token(answer));
    assertThat(Json.text(claims, "iss")).isEqualTo(Tokens.ISSUER);
    assertThat(claims.path("aud").get(0).asText()).isEqualTo(Tokens.ISSUER);
    assertThat(claims.path("exp").asLong() - claims.path("iat").asLong()).isEqualTo(3600);
    assertThat(user.extra())
        .containsEntry(
            "authentication.kubernetes.io/credential-id",
            List.of("JTI=" + Json.text(claims, "jti")));
  }

  @Test
  void aTokenOfAPodSaysWhereThatRuns() throws Exception {
    var token = token(ask("{boundObjectRef: {apiVersion: v1, kind: Pod, name: web-0}}"));
    var own = claims(token).path("kubernetes.io");
    var pod = server.state().get(Resources.PODS, POD).orElseThrow();
    assertThat(Json.text(own.path("pod"), "uid")).isEqualTo(pod.uid());
    assertThat(Json.text(own.path("node"), "name")).isEqualTo("a");
    assertThat(user(token).orElseThrow().extra())
        .containsEntry("authentication.kubernetes.io/pod-name", List.of("web-0"))
        .containsEntry("authentication.kubernetes.io/node-name", List.of("a"));
  }

  @Test
  void aTokenDiesWithItsPod() throws Exception {
    var token = token(ask("{boundObjectRef: {apiVersion: v1, kind: Pod, name: web-0}}"));
    server.delete(Resources.PODS, POD, 30);
    assertThat(user(token)).isPresent();
    server.later(Duration.ofSeconds(91));
    assertThat(user(token)).isEmpty();
    server.delete(Resources.PODS, POD, 0);
    server.create(
        Resources.PODS,
        """
        metadata: {name: web-0}
        spec: {nodeName: a, serviceAccountName: web, containers: [{name: c, image: i}]}
        """);
    assertThat(user(token)).isEmpty();
  }

  @Test
  void aTokenDiesWithItsAccount() throws Exception {
    var token = token(ask("{}"));
    server.delete(Resources.SERVICE_ACCOUNTS, ACCOUNT, 0);
    assertThat(user(token)).isEmpty();
    server.create(Resources.SERVICE_ACCOUNTS, "{metadata: {name: web}}");
    assertThat(user(token)).isEmpty();
  }

  @Test
  void aTokenEndsWithItsTime() throws Exception {
    var token = token(ask("{expirationSeconds: 600}"));
    server.later(Duration.ofSeconds(599));
    assertThat(user(token)).isPresent();
    server.later(Duration.ofSeconds(1));
    assertThat(user(token)).isEmpty();
  }

  @Test
  void aTokenForOthersIsNoneForUs() throws Exception {
    var token = token(ask("{audiences: [vault, db]}"));
    assertThat(user(token)).isEmpty();
    var bearer = tokens.bearer(token, List.of("db", "x"), server.state()).orElseThrow();
    assertThat(bearer.audiences()).containsExactly("db");
  }

  @Test
  void nobodyGetsATokenForLongerThanItsKeySigns() throws Exception {
    var warnings = new ArrayList<String>();
    var answer = ask(ACCOUNT, "{spec: {expirationSeconds: 4294967296}}", warnings);
    assertThat(answer.path("spec").path("expirationSeconds").asLong()).isEqualTo(31_536_000);
    assertThat(warnings)
        .containsExactly(
            "requested expiration of 4294967296 seconds shortened to 31536000 seconds");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {expirationSeconds: 599}                     | 422 | spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes
          {expirationSeconds: 4294967297}              | 422 | may not specify a duration larger than 2^32 seconds
          {expirationSeconds: x}                       | 400 | expected a whole number
          {boundObjectRef: {kind: Pod, name: nope}}      | 404 | pods "nope" not found
          {boundObjectRef: {kind: Lease, name: nope}}    | 400 | cannot bind token to object of type
          {boundObjectRef: {kind: Pod, apiVersion: apps/v1, name: web-0}} | 400 | cannot bind token to object of type apps/v1, Kind=Pod
          {boundObjectRef: {kind: Pod, name: web-0, uid: u}} | 409 | the UID in the bound object reference (u) does not match the UID in record
          """)
  void whatCannotBeHadIsRefused(String spec, int code, String message) {
    assertThatThrownBy(() -> ask(spec))
        .isInstanceOfSatisfying(
            RefusedException.class, refused -> assertThat(refused.refusal().code()).isEqualTo(code))
        .hasMessageContaining(message);
  }

  @Test
  void nobodyGetsATokenForAnothersPod() {
    assertThatThrownBy(() ->
            ask(
                ObjectKey.of("default", "other"),
                "{spec: {boundObjectRef: {kind: Pod, name: web-0}}}",
                new ArrayList<>()))
        .hasMessage(
            "cannot bind token for serviceaccount \"other\" to pod running with different"
                + " serviceaccount name.");
  }

  @Test
  void tokensStayGoodWhenTheirKeyIsRenewed() throws Exception {
    server.later(SigningKeys.LIFE.minusMinutes(30));
    var token = token(ask("{}"));
    var before = keys.current().id();
    server.later(Duration.ofMinutes(31));
    assertThat(user(token(ask("{}")))).isPresent();
    assertThat(keys.current().id()).isNotEqualTo(before);
    assertThat(user(token)).isPresent();
    var again = Credentials.in(home, server.clock()).signingKeys();
    assertThat(again.all())
        .extracting(SigningKeys.Key::id)
        .containsExactly(keys.current().id(), before);
    assertThat(
            new Tokens(again, server.clock()).bearer(token, List.of(Tokens.ISSUER), server.state()))
        .isPresent();
    assertThat(new IssuerDocuments(again).keys().path("keys")).hasSize(2);
  }

  @Test
  void keysAreForTheirOwnerOnly() throws Exception {
    assertThat(keys.current().toString()).doesNotContain("EC");
    for (var name : List.of("service-accounts.pem"))
      assertThat(
              PosixFilePermissions.toString(
                  Files.getPosixFilePermissions(home.resolve("pki/" + name))))
          .isEqualTo("rw-------");
  }
}
